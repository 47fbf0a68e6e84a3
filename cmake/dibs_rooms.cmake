# How rooms, tests and benchmarks are built: the same flags everywhere.

option(DIBS_SLOW_TESTS "Also the laws and the end-to-end tests" ON)
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
if(DIBS_SANITIZE)
  target_compile_options(dibs_flags INTERFACE -fsanitize=${DIBS_SANITIZE} -fno-sanitize-recover=all
                                              -fno-omit-frame-pointer)
  target_link_options(dibs_flags INTERFACE -fsanitize=${DIBS_SANITIZE})
endif()

# Sources that stand ALONE are not joined with others where CMAKE_UNITY_BUILD compiles several at
# once (most time goes into headers): they have names of their own that others have too.
function(dibs_leave_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# dibs_room(NAME SOURCES a.cpp ... [ALONE b.cpp ...] [DEPS room ...] [LIBS target ...]): the static
# library dibs_NAME.
function(dibs_room name)
  cmake_parse_arguments(arg "" "" "SOURCES;ALONE;DEPS;LIBS" ${ARGN})
  dibs_leave_alone(${arg_ALONE})
  list(TRANSFORM arg_DEPS PREPEND dibs_)
  add_library(dibs_${name} STATIC ${arg_SOURCES} ${arg_ALONE})
  target_link_libraries(dibs_${name} PUBLIC dibs_flags ${arg_DEPS} ${arg_LIBS})
endfunction()

# dibs_add_test(NAME [LABELS label ...] COMMAND ...): a test with this build's prefix to its name.
function(dibs_add_test name)
  cmake_parse_arguments(arg "" "" "COMMAND;LABELS" ${ARGN})
  add_test(NAME ${DIBS_TEST_PREFIX}${name} COMMAND ${arg_COMMAND})
  set_tests_properties(${DIBS_TEST_PREFIX}${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 900)
endfunction()

# dibs_test(NAME SOURCES a.cpp ... [ALONE b.cpp ...] DEPS room ... [ARGS ...]): one test program for
# a room, which ctest runs; without slow tests all but its cases with the tag [slow], which take
# minutes there.
function(dibs_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;ALONE;DEPS;LIBS;ARGS" ${ARGN})
  dibs_leave_alone(${arg_ALONE})
  list(TRANSFORM arg_DEPS PREPEND dibs_)
  add_executable(test_${name} ${arg_SOURCES} ${arg_ALONE})
  target_link_libraries(test_${name} PRIVATE dibs_flags dibs_test_main ${arg_DEPS} ${arg_LIBS})
  target_compile_definitions(test_${name} PRIVATE DIBS_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  if(NOT DIBS_SLOW_TESTS)
    list(APPEND arg_ARGS "~[slow]")
  endif()
  dibs_add_test(${name} COMMAND test_${name} ${arg_ARGS})
endfunction()
