# The target `fuzz`: libFuzzer programs for the reader of problem files, tests/fuzz/fuzz_*.c. They
# and io/ are compiled by clang 19 whatever compiles the rest; tests/fuzz/run.py runs them.
# Packages: need `fuzz`.
file(GLOB fuzz_files CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)

# Compiled, not linked, with everything else: so that they keep up with the reader where nobody
# builds them.
add_library(gmg-fuzz-objects OBJECT tests/fuzz/reader.c ${fuzz_files})
target_link_libraries(gmg-fuzz-objects PRIVATE gmg-flags gmg-io)

find_program(GMG_FUZZ_COMPILER NAMES clang-19 clang)
add_custom_target(fuzz)
if(NOT GMG_FUZZ_COMPILER)
  add_custom_command(TARGET fuzz COMMAND ${CMAKE_COMMAND} -E echo
    "clang was not found: install what cmake/packages.txt lists as fuzz"
    COMMAND ${CMAKE_COMMAND} -E false)
  return()
endif()

set(fuzz_includes
  $<TARGET_PROPERTY:gmg-io,INCLUDE_DIRECTORIES>
  $<TARGET_PROPERTY:gmg-hdf5,INTERFACE_INCLUDE_DIRECTORIES>)
if(GMG_WITH_MPI)
  list(APPEND fuzz_includes ${MPI_C_INCLUDE_DIRS})
endif()
# gmg info speaks of gcc's OpenMP, and reads nothing.
set(fuzz_sources ${PROJECT_SOURCE_DIR}/tests/fuzz/reader.c ${io_sources})
list(FILTER fuzz_sources EXCLUDE REGEX "/io/program/info\\.c$")
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
foreach(file IN LISTS fuzz_files)
  cmake_path(GET file STEM name)
  set(program ${PROJECT_BINARY_DIR}/fuzz/${name})
  add_custom_command(OUTPUT ${program}
    COMMAND ${GMG_FUZZ_COMPILER} -g -O1 -Wall -Wextra -Wshadow -fsanitize=fuzzer,address,undefined
      -fno-sanitize-recover=undefined -Wl,--wrap=_exit -ffp-contract=off -D_GNU_SOURCE
      "-I$<JOIN:${fuzz_includes},;-I>"
      -I${PROJECT_BINARY_DIR}/include ${file} ${fuzz_sources} -o ${program}
      $<TARGET_FILE:gmg> ${HDF5_C_LIBRARIES} ${MPI_C_LIBRARIES} ${OpenMP_gomp_LIBRARY}
      ${JANSSON_LINK_LIBRARIES}
      $<$<BOOL:${GMG_WITH_LAPACK_VALUE}>:-llapack> $<$<BOOL:${GMG_WITH_KISSFFT_VALUE}>:-lstdc++>
      -lm
    DEPENDS ${file} ${PROJECT_SOURCE_DIR}/tests/fuzz/reader.h ${fuzz_sources} gmg
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(fuzz-${name} DEPENDS ${program})
  add_dependencies(fuzz fuzz-${name})
endforeach()
