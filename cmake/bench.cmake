# Target table: every kind of problem by cycle and Krylov method. Target bench-contention: a solve
# beside busy processes. Target bench-ranks: ranks against threads. Target bench-krylov: krylov auto
# against what it chooses from. Target bench-tuning: what tuning is worth. Target bench-transforms:
# method fft beside multigrid. Target bench-steps: several steps at once beside steps one by one.
# Target bench-paper: table 2 and figures 5, 6 and 8 of the paper of
# miniGMG and CUDA-CHiLL. Targets bench and bench-amg: this program and hypre's structured solvers,
# or its algebraic one, side by side. What these two need beyond the build is `bench` in
# cmake/packages.txt.
find_path(HYPRE_INCLUDE_DIR HYPRE_struct_ls.h PATH_SUFFIXES hypre)
find_library(HYPRE_LIBRARY HYPRE)
# where Debian's packages install modules
find_program(GMG_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(GMG_PYTHON NAMES python3)
if(GMG_PYTHON AND TARGET gmg-program)
  add_custom_target(table
    COMMAND ${GMG_PYTHON} ${PROJECT_SOURCE_DIR}/tests/bench/table.py $<TARGET_FILE:gmg-program>
    DEPENDS gmg-program
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
    USES_TERMINAL VERBATIM)
  add_custom_target(bench-ranks
    COMMAND ${GMG_PYTHON} ${PROJECT_SOURCE_DIR}/tests/bench/ranks.py $<TARGET_FILE:gmg-program>
    DEPENDS gmg-program
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
    USES_TERMINAL VERBATIM)
  add_custom_target(bench-krylov
    COMMAND ${GMG_PYTHON} ${PROJECT_SOURCE_DIR}/tests/bench/krylov.py $<TARGET_FILE:gmg-program>
      ${PROJECT_BINARY_DIR}/examples/bubble
    DEPENDS gmg-program
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
    USES_TERMINAL VERBATIM)
  if(GMG_BUILD_TESTS)
    add_dependencies(bench-krylov bubble)
  endif()
  add_custom_target(bench-paper
    COMMAND ${GMG_PYTHON} ${PROJECT_SOURCE_DIR}/tests/bench/paper_figures.py
      --program $<LOWER_CASE:${CMAKE_C_COMPILER_ID}>=$<TARGET_FILE:gmg-program>
    DEPENDS gmg-program
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
    USES_TERMINAL VERBATIM)
  add_custom_target(bench-contention
    COMMAND ${GMG_PYTHON} ${PROJECT_SOURCE_DIR}/tests/bench/contention.py $<TARGET_FILE:gmg-program>
    DEPENDS gmg-program
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
    USES_TERMINAL VERBATIM)
  add_custom_target(bench-transforms
    COMMAND ${GMG_PYTHON} ${PROJECT_SOURCE_DIR}/tests/bench/transforms.py
      $<TARGET_FILE:gmg-program>
    DEPENDS gmg-program
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
    USES_TERMINAL VERBATIM)
  add_custom_target(bench-steps
    COMMAND ${GMG_PYTHON} ${PROJECT_SOURCE_DIR}/tests/bench/steps.py $<TARGET_FILE:gmg-program>
      --picture steps/steps.png --json steps/steps.json
    DEPENDS gmg-program gmg-gen
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
    USES_TERMINAL VERBATIM)
  if(TARGET test-cuda-backend-tuned)
    add_custom_target(bench-tuning
      COMMAND ${GMG_PYTHON} ${PROJECT_SOURCE_DIR}/tests/bench/tuning.py $<TARGET_FILE:gmg-program>
        $<TARGET_FILE:test-cuda-backend-tuned>
      DEPENDS gmg-program test-cuda-backend-tuned
      WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
      USES_TERMINAL VERBATIM)
  endif()
endif()
if(NOT (GMG_WITH_MPI AND HYPRE_INCLUDE_DIR AND HYPRE_LIBRARY AND GMG_PYTHON AND TARGET gmg-program))
  foreach(target bench bench-amg)
    add_custom_target(${target}
      COMMAND ${CMAKE_COMMAND} -E echo
      "the comparison needs MPI, Python and hypre: install libhypre-dev, and configure again"
      COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  endforeach()
  return()
endif()
foreach(part struct amg)
  add_executable(hypre-${part} EXCLUDE_FROM_ALL
    ${PROJECT_SOURCE_DIR}/tests/bench/hypre_${part}.c)
  target_include_directories(hypre-${part} SYSTEM PRIVATE ${HYPRE_INCLUDE_DIR})
  target_link_libraries(hypre-${part} PRIVATE gmg-flags ${HYPRE_LIBRARY} MPI::MPI_C m)
endforeach()
add_custom_target(bench
  COMMAND ${GMG_PYTHON} ${PROJECT_SOURCE_DIR}/tests/bench/compare.py $<TARGET_FILE:gmg-program>
  $<TARGET_FILE:hypre-struct>
  DEPENDS gmg-program hypre-struct
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
  USES_TERMINAL VERBATIM)
add_custom_target(bench-amg
  COMMAND ${GMG_PYTHON} ${PROJECT_SOURCE_DIR}/tests/bench/amg.py $<TARGET_FILE:gmg-program>
  $<TARGET_FILE:hypre-amg>
  DEPENDS gmg-program hypre-amg
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
  USES_TERMINAL VERBATIM)
