# How rooms, tests and benchmarks are built: the same flags everywhere.

option(DIBS_SLOW_TESTS "Also the laws, end-to-end tests and all else that takes a minute" ON)
option(DIBS_FUZZ "Build the fuzzers; needs clang" OFF)
set(DIBS_TEST_PREFIX "" CACHE STRING "Before the names of this build's tests")
option(DIBS_WERROR "Treat warnings as errors" OFF)
set(DIBS_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize= (address,undefined or thread)")

add_library(dibs_flags INTERFACE)
target_include_directories(dibs_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
# No fused multiply-add and no fast math: every build must compute the same bits.
target_compile_options(
  dibs_flags
  INTERFACE -ffp-contract=off
            -fno-fast-math
            -Wall
            -Wextra
            -Wpedantic
            -Wconversion
            -Wsign-conversion
            -Wshadow
            -Wold-style-cast
            -Woverloaded-virtual
            -Wnon-virtual-dtor
            -Wimplicit-fallthrough
            $<$<BOOL:${DIBS_WERROR}>:-Werror>)
# Before it has half a gigabyte the compiler need not look for memory that is free again. (With a whole
# one two of four units of many sources took 10 to 15 % less of the processor, and two took no less.)
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(dibs_flags INTERFACE --param=ggc-min-heapsize=524288)
endif()
if(DIBS_SANITIZE)
  target_compile_definitions(dibs_flags INTERFACE DIBS_JOINS_EARLY)
  target_compile_options(dibs_flags INTERFACE -fsanitize=${DIBS_SANITIZE} -fno-sanitize-recover=all
                                              -fno-omit-frame-pointer)
  target_link_options(dibs_flags INTERFACE -fsanitize=${DIBS_SANITIZE})
else()
  # Links what has line numbers in half the time; with clang's sanitizers it warns without end.
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold DIBS_HAS_GOLD)
  if(DIBS_HAS_GOLD)
    target_link_options(dibs_flags INTERFACE $<$<CONFIG:Debug>:-fuse-ld=gold>)
  endif()
endif()

# dibs_join(TARGET SOURCES a.cpp ... [APART "b.cpp c.cpp" ...]): what CMAKE_UNITY_BUILD compiles as
# one, since most time goes into headers: SOURCES in equal parts of up to 50, and each string of APART,
# whose files have names of their own that others have too, or share a library that takes long.
function(dibs_join target)
  cmake_parse_arguments(arg "" "" "SOURCES;APART" ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  set(number 0)
  list(LENGTH arg_SOURCES all)
  foreach(source ${arg_SOURCES})
    math(EXPR group "${number} * ((${all} + 49) / 50) / ${all}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    math(EXPR number "${number} + 1")
  endforeach()
  foreach(group ${arg_APART})
    separate_arguments(members UNIX_COMMAND "${group}")
    target_sources(${target} PRIVATE ${members})
    list(LENGTH members size)
    if(size GREATER 1)
      list(GET members 0 first)
      set_source_files_properties(${members} PROPERTIES UNITY_GROUP ${first})
    endif()
  endforeach()
endfunction()

# dibs_room(NAME [COLD] SOURCES a.cpp ... [APART "b.cpp c.cpp" ...] [DEPS room ...] [LIBS target ...]):
# the static library dibs_NAME. No run waits for what a COLD room does, so it is optimised less.
function(dibs_room name)
  cmake_parse_arguments(arg "COLD" "" "SOURCES;APART;DEPS;LIBS" ${ARGN})
  list(TRANSFORM arg_DEPS PREPEND dibs_)
  add_library(dibs_${name} STATIC ${arg_SOURCES})
  dibs_join(dibs_${name} SOURCES ${arg_SOURCES} APART ${arg_APART})
  target_link_libraries(dibs_${name} PUBLIC dibs_flags ${arg_DEPS} ${arg_LIBS})
  if(arg_COLD)
    target_compile_options(dibs_${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  endif()
endfunction()

# dibs_headers(NAME [DEPS room ...] [LIBS target ...]): a room that has no source to compile.
function(dibs_headers name)
  cmake_parse_arguments(arg "" "" "DEPS;LIBS" ${ARGN})
  list(TRANSFORM arg_DEPS PREPEND dibs_)
  add_library(dibs_${name} INTERFACE)
  target_link_libraries(dibs_${name} INTERFACE dibs_flags ${arg_DEPS} ${arg_LIBS})
endfunction()

# dibs_program(NAME HOT room ... SOURCES a.cpp ... DEPS room ...): what ships. The objects of HOT rooms
# come first: of a function in a header that several rooms compile, the linker takes the first that it
# meets, and that of a COLD room is slower.
function(dibs_program name)
  cmake_parse_arguments(arg "" "" "HOT;SOURCES;DEPS" ${ARGN})
  list(TRANSFORM arg_HOT REPLACE "(.+)" "$<TARGET_OBJECTS:dibs_\\1>" OUTPUT_VARIABLE hot)
  list(TRANSFORM arg_DEPS PREPEND dibs_)
  add_executable(${name} ${hot} ${arg_SOURCES})
  dibs_join(${name} SOURCES ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_DEPS})
  target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
endfunction()

# dibs_add_test(NAME [LABELS label ...] [MINUTES m] COMMAND ...): a test with this build's prefix to
# its name. What takes minutes begins before all that does not say so, or one core waits in the end.
function(dibs_add_test name)
  cmake_parse_arguments(arg "" "MINUTES" "COMMAND;LABELS" ${ARGN})
  add_test(NAME ${DIBS_TEST_PREFIX}${name} COMMAND ${arg_COMMAND})
  set_tests_properties(${DIBS_TEST_PREFIX}${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 900)
  if(arg_MINUTES)
    set_tests_properties(${DIBS_TEST_PREFIX}${name} PROPERTIES COST ${arg_MINUTES})
  endif()
endfunction()

# dibs_test(NAME SOURCES a.cpp ... [APART "b.cpp c.cpp" ...] DEPS room ... [ARGS ...] [MINUTES m]): one
# test program for a room, which ctest runs; without slow tests all but its cases with the tag [slow],
# which take up to minutes there.
function(dibs_test name)
  cmake_parse_arguments(arg "" "MINUTES" "SOURCES;APART;DEPS;LIBS;ARGS" ${ARGN})
  list(TRANSFORM arg_DEPS PREPEND dibs_)
  add_executable(test_${name} ${arg_SOURCES})
  dibs_join(test_${name} SOURCES ${arg_SOURCES} APART ${arg_APART})
  target_link_libraries(test_${name} PRIVATE dibs_flags dibs_test_main ${arg_DEPS} ${arg_LIBS})
  target_compile_definitions(test_${name} PRIVATE DIBS_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  # To optimise tests takes longer than to run them. What rooms keep in headers, a test program takes
  # from its own objects, so a little of what ships runs at -O1 there, too.
  target_compile_options(test_${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  # A failed check tells its own line. (A sanitizer's finding does not.)
  if(CMAKE_UNITY_BUILD AND NOT DIBS_SANITIZE)
    target_compile_options(test_${name} PRIVATE -g0)
  endif()
  if(NOT DIBS_SLOW_TESTS)
    list(APPEND arg_ARGS "~[slow]")
  endif()
  dibs_add_test(${name} MINUTES ${arg_MINUTES} COMMAND test_${name} ${arg_ARGS})
endfunction()
