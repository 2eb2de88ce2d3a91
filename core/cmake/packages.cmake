# One macro a package: look for the installed one; else say what to install and download a pinned one.
# Macros, so that what find_package sets is seen by the caller.
include_guard(GLOBAL)
include(FetchContent)

macro(lookback_fetch name repository commit apt brew dnf pacman)
  message(NOTICE "${name} not found. To install it: apt install ${apt} | brew install ${brew} | "
                 "dnf install ${dnf} | pacman -S ${pacman}")
  message(NOTICE "${name}: downloading github.com/${repository} at ${commit} (this path is untried)")
  FetchContent_Declare(${name} GIT_REPOSITORY https://github.com/${repository}.git GIT_TAG ${commit})
  FetchContent_MakeAvailable(${name})
endmacro()

macro(lookback_need_fmt)  # fmt::fmt
  find_package(fmt QUIET)
  if(NOT TARGET fmt::fmt)
    set(FMT_INSTALL ${LOOKBACK_INSTALL})  # what links lookback links it
    lookback_fetch(fmt fmtlib/fmt a33701196adfad74917046096bf5a2aa0ab0bb50
                   libfmt-dev fmt fmt-devel fmt)  # 9.1.0
  endif()
endmacro()

macro(lookback_need_cli11)  # CLI11::CLI11
  find_package(CLI11 QUIET)
  if(NOT TARGET CLI11::CLI11)
    lookback_fetch(CLI11 CLIUtils/CLI11 v2.1.2 libcli11-dev cli11 cli11-devel cli11)
  endif()
endmacro()

macro(lookback_need_json)  # nlohmann_json::nlohmann_json
  find_package(nlohmann_json QUIET)
  if(NOT TARGET nlohmann_json::nlohmann_json)
    lookback_fetch(nlohmann_json nlohmann/json v3.11.2
                   nlohmann-json3-dev nlohmann-json json-devel nlohmann-json)
  endif()
endmacro()

macro(lookback_need_utf8proc)  # lookback_utf8proc
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(UTF8PROC QUIET IMPORTED_TARGET libutf8proc)  # no version: 2.8's own file says 2.6
  endif()
  add_library(lookback_utf8proc INTERFACE)
  if(TARGET PkgConfig::UTF8PROC)
    target_link_libraries(lookback_utf8proc INTERFACE PkgConfig::UTF8PROC)
  else()
    enable_language(C)
    lookback_fetch(utf8proc JuliaStrings/utf8proc v2.8.0
                   "libutf8proc-dev pkg-config" "utf8proc pkg-config" "utf8proc-devel pkgconf" "libutf8proc pkgconf")
    target_link_libraries(lookback_utf8proc INTERFACE utf8proc)
  endif()
endmacro()

macro(lookback_need_zlib)  # lookback_zlib
  find_package(ZLIB QUIET)
  add_library(lookback_zlib INTERFACE)
  if(TARGET ZLIB::ZLIB)
    target_link_libraries(lookback_zlib INTERFACE ZLIB::ZLIB)
  else()
    enable_language(C)
    set(ZLIB_BUILD_EXAMPLES OFF)
    lookback_fetch(zlib madler/zlib v1.3.1 zlib1g-dev zlib zlib-devel zlib)
    target_include_directories(lookback_zlib SYSTEM INTERFACE "${zlib_SOURCE_DIR}" "${zlib_BINARY_DIR}")  # zconf.h is written
    target_link_libraries(lookback_zlib INTERFACE zlibstatic)
  endif()
endmacro()

macro(lookback_need_stb)  # lookback_stb: #include <stb_image_write.h>
  find_path(STB_INCLUDE stb_image_write.h PATH_SUFFIXES stb)  # Debian has them in a folder, others flat
  if(NOT STB_INCLUDE)
    lookback_fetch(stb nothings/stb 8b5f1f37b5b75829fc72d38e7b5d4bcbf8a26d55
                   libstb-dev "(stb has no formula)" stb-devel stb)
    set(STB_INCLUDE "${stb_SOURCE_DIR}")
  endif()
  add_library(lookback_stb INTERFACE)
  target_include_directories(lookback_stb SYSTEM INTERFACE "${STB_INCLUDE}")
endmacro()

macro(lookback_need_mpi)  # MPI::MPI_CXX, mpirun as MPIEXEC_EXECUTABLE
  find_package(MPI QUIET COMPONENTS CXX)
  if(NOT MPI_CXX_FOUND)
    message(FATAL_ERROR "LOOKBACK_MPI wants MPI. To install it: apt install libopenmpi-dev openmpi-bin | "
                        "brew install open-mpi | dnf install openmpi-devel | pacman -S openmpi")
  endif()
endmacro()

macro(lookback_need_catch)  # lookback_catch (with a main), catch_discover_tests
  find_package(Catch2 3 QUIET)
  if(NOT Catch2_FOUND)
    find_package(Catch2 2.13 QUIET)
  endif()
  if(NOT Catch2_FOUND)
    lookback_fetch(Catch2 catchorg/Catch2 fa43b77429ba76c462b1898d6cd2f2d7a9416b14
                   catch2 catch2 catch-devel catch2)  # 3.7.1
    list(APPEND CMAKE_MODULE_PATH "${Catch2_SOURCE_DIR}/extras" "${catch2_SOURCE_DIR}/extras")
  else()
    list(APPEND CMAKE_MODULE_PATH "${Catch2_DIR}")
  endif()
  if(TARGET Catch2::Catch2WithMain)
    add_library(lookback_catch INTERFACE)
    target_link_libraries(lookback_catch INTERFACE Catch2::Catch2WithMain)
  else()  # version 2 is a header, and its main() the slowest file of all: once, and not optimised
    add_library(lookback_catch STATIC "${PROJECT_SOURCE_DIR}/tests/catch_main.cpp")
    target_compile_features(lookback_catch PUBLIC cxx_std_20)
    target_compile_options(lookback_catch PRIVATE -O0)
    target_link_libraries(lookback_catch PUBLIC Catch2::Catch2)
  endif()
  include(Catch)
endmacro()
