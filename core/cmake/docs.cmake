# Tests of what a reader sees: chapters print what is recorded, pages quote code that compiles, links lead somewhere.
find_package(Python3 3.9 COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND)
  message(NOTICE "python3 not found: the tests of chapters and pages are left out (install python3)")
  return()
endif()
set(tools "${PROJECT_SOURCE_DIR}/docs/tools")
set(output "${PROJECT_SOURCE_DIR}/docs/output")
file(GLOB recordings CONFIGURE_DEPENDS "${output}/*.txt")  # a new recording is a new test

function(lookback_chapter_test name program recording)  # ARGN: options
  add_test(NAME ${name} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    COMMAND ${Python3_EXECUTABLE} "${tools}/compare.py" "${recording}" --
            $<TARGET_FILE:${program}> --out "${PROJECT_BINARY_DIR}/chapter-out/${name}" ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600)
endfunction()

set(options_of_11 --data grammar)  # which is what it takes where Multi30k is not
get_property(chapters GLOBAL PROPERTY LOOKBACK_CHAPTERS)
foreach(chapter IN LISTS chapters)
  string(SUBSTRING ${chapter} 0 2 number)
  set(full "${output}/${number}.txt")
  set(quick "${output}/${number}.quick.txt")
  if(quick IN_LIST recordings OR full IN_LIST recordings)
    list(APPEND quick_tests chapter.${number})
    list(APPEND written "${PROJECT_BINARY_DIR}/chapter-out/chapter.${number}")
  endif()
  if(quick IN_LIST recordings)
    lookback_chapter_test(chapter.${number} ${chapter} "${quick}" --quick ${options_of_${number}})
    if(full IN_LIST recordings)
      lookback_chapter_test(chapter.${number}.full ${chapter} "${full}" ${options_of_${number}})
      set_tests_properties(chapter.${number}.full PROPERTIES LABELS slow TIMEOUT 3600)
    endif()
  elseif(full IN_LIST recordings)
    lookback_chapter_test(chapter.${number} ${chapter} "${full}" --quick ${options_of_${number}})
  endif()
endforeach()

if("${output}/grammar.txt" IN_LIST recordings)
  lookback_chapter_test(docs.grammar grammar "${output}/grammar.txt")
endif()

add_test(NAME docs.snippets COMMAND ${Python3_EXECUTABLE} "${tools}/sync.py" --check)
add_test(NAME docs.links COMMAND ${Python3_EXECUTABLE} "${tools}/links.py")
add_test(NAME docs.commands COMMAND ${Python3_EXECUTABLE} "${tools}/commands.py" "${PROJECT_BINARY_DIR}")
add_test(NAME docs.diffs COMMAND ${Python3_EXECUTABLE} "${tools}/diffs.py")
add_test(NAME docs.pictures COMMAND ${Python3_EXECUTABLE} "${tools}/pictures.py" ${written})
set_tests_properties(${quick_tests} PROPERTIES FIXTURES_SETUP pictures)
set_tests_properties(docs.pictures PROPERTIES FIXTURES_REQUIRED pictures)  # the chapters run first, quickly
add_test(NAME docs.lines COMMAND ${Python3_EXECUTABLE} "${tools}/lines.py")
add_test(NAME docs.tools COMMAND ${Python3_EXECUTABLE} "${tools}/test_tools.py")
