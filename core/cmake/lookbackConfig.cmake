# Installed; read by find_package(lookback): lookback::core, ::nn, ::draw (pictures) and ::attention, which has them all.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(fmt)
include("${CMAKE_CURRENT_LIST_DIR}/lookbackTargets.cmake")
