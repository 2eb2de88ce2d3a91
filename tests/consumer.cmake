# cmake -DMODE=... -DSOURCE=... -DBUILD=... -DWORK=... -DCXX=... -DGENERATOR=... -P consumer.cmake
# tests/consumer, copied out of the tree, is built and run as a reader's own project that uses lookback
#   install         as installed from BUILD
#   headers         the same, and every installed header is compiled alone
#   subdirectory    with the sources as a part of it
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(result)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}: ${result}\n${said}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(COPY "${SOURCE}/tests/consumer/" DESTINATION "${WORK}/mine")
if(MODE STREQUAL "subdirectory")
  set(options "-DLOOKBACK_SOURCE=${SOURCE}")
else()
  set(options "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
  run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix")
endif()

if(MODE STREQUAL "headers")
  set(include "${WORK}/prefix/include/lookback")
  file(GLOB_RECURSE headers RELATIVE "${include}" "${include}/*.hpp")
  foreach(header IN LISTS headers)
    string(MAKE_C_IDENTIFIER ${header} name)
    file(WRITE "${WORK}/mine/alone/${name}.cpp" "#include \"${header}\"\n")
  endforeach()
  file(APPEND "${WORK}/mine/CMakeLists.txt" [[
file(GLOB alone alone/*.cpp)
add_library(alone OBJECT ${alone})
target_link_libraries(alone PRIVATE lookback::attention)
]])
endif()

run("${CMAKE_COMMAND}" -S "${WORK}/mine" -B "${WORK}/build" -G "${GENERATOR}" ${options}
    "-DCMAKE_CXX_COMPILER=${CXX}" -DCMAKE_CXX_FLAGS=-O2 -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
run("${CMAKE_COMMAND}" --build "${WORK}/build" -j 2)
run("${WORK}/build/mine" "${WORK}/mine.png")

if(NOT EXISTS "${WORK}/mine.png")
  message(FATAL_ERROR "it drew no picture")
endif()
# What the libraries are compiled with stays theirs, and so does a build type.
file(STRINGS "${WORK}/build/compile_commands.json" command REGEX "\"command\".*main.cpp")
if(NOT command OR command MATCHES " -(W|march|fno-math|fno-trap|fopenmp|O3|DNDEBUG)")
  message(FATAL_ERROR "main.cpp is compiled with flags that nobody gave: ${command}")
endif()
# Nor does it build more than it links.
file(GLOB_RECURSE built RELATIVE "${WORK}/build" "${WORK}/build/*.a")
if(built MATCHES "double|text|kit|figures|catch")
  message(FATAL_ERROR "it built what it does not link: ${built}")
endif()
