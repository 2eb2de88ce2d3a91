# Installed; read by find_package(lookback): lookback::core, ::nn, ::draw (pictures) and ::attention, which has them all.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(fmt)
if(@LOOKBACK_MPI@)
  find_dependency(MPI COMPONENTS CXX)
endif()
include("${CMAKE_CURRENT_LIST_DIR}/lookbackTargets.cmake")
