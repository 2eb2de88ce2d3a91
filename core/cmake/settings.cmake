# lookback_settings(target PUBLIC|INTERFACE): what every target of ours is compiled with.
include_guard(GLOBAL)
include(CheckCXXCompilerFlag)

set(LOOKBACK_FLAGS
  -Wall -Wextra
  -fno-math-errno -fno-trapping-math)  # what lets loops over sqrt and comparisons vectorise; NaN and infinity stay exact
check_cxx_compiler_flag(-fopenmp-simd LOOKBACK_HAS_OPENMP_SIMD)
if(LOOKBACK_HAS_OPENMP_SIMD)
  list(APPEND LOOKBACK_FLAGS -fopenmp-simd)  # `#pragma omp simd` only: no OpenMP runtime
endif()
if(LOOKBACK_NATIVE)
  check_cxx_compiler_flag(-march=native LOOKBACK_HAS_MARCH_NATIVE)
  if(LOOKBACK_HAS_MARCH_NATIVE)
    list(APPEND LOOKBACK_FLAGS -march=native)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT LOOKBACK_WERROR)
  list(APPEND LOOKBACK_FLAGS -Wno-stringop-overflow)  # GCC 12 at -O3 warns falsely inside fmt 9
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND LOOKBACK_FLAGS -Wno-pass-failed)  # of `#pragma omp simd`, in double and in a debug build
endif()
if(LOOKBACK_WERROR)
  list(APPEND LOOKBACK_FLAGS -Werror)
endif()
if(LOOKBACK_SANITIZE)
  set(LOOKBACK_SANITIZE_FLAGS -fsanitize=${LOOKBACK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
endif()

function(lookback_settings target scope)
  # #include "core/tensor.hpp"; what is installed has a folder of its own, which install.cmake names
  target_include_directories(${target} ${scope} "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>")
  target_compile_features(${target} ${scope} cxx_std_20)
  target_compile_options(${target} ${scope} ${LOOKBACK_SANITIZE_FLAGS})
  target_link_options(${target} ${scope} ${LOOKBACK_SANITIZE_FLAGS})
  if(NOT scope STREQUAL "INTERFACE")
    target_compile_options(${target} PRIVATE ${LOOKBACK_FLAGS})
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  endif()
endfunction()
