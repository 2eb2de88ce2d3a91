# cmake --install: the float libraries, their headers, and what find_package(lookback) reads. fmt is all that a program
# needs beside them; nlohmann-json and stb are compiled in.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(headers "${CMAKE_INSTALL_INCLUDEDIR}/lookback")  # #include "core/tensor.hpp", as in the source tree
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/lookback")

install(TARGETS lookback_base lookback_core lookback_nn lookback_draw lookback_attention
  EXPORT lookback INCLUDES DESTINATION "${headers}")
install(DIRECTORY core nn attention DESTINATION "${headers}"
  FILES_MATCHING PATTERN "*.hpp" PATTERN cmake EXCLUDE PATTERN scores EXCLUDE)
install(EXPORT lookback NAMESPACE lookback:: FILE lookbackTargets.cmake DESTINATION "${package}")

set(version "${PROJECT_BINARY_DIR}/lookbackConfigVersion.cmake")
write_basic_package_version_file("${version}" COMPATIBILITY SameMinorVersion)
set(config "${PROJECT_BINARY_DIR}/lookbackConfig.cmake")
configure_file("${CMAKE_CURRENT_LIST_DIR}/lookbackConfig.cmake" "${config}" @ONLY)  # with or without MPI
install(FILES "${config}" "${version}" DESTINATION "${package}")
install(FILES LICENSE attention/draw/DejaVu-LICENSE.txt DESTINATION "${CMAKE_INSTALL_DOCDIR}")
