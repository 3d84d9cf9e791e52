# tests/<group>/test_<thing>.c, .py, .sh become CTest tests <group>/<thing> with the label <group>.
# Comments in the first lines of a file say how it runs:
#   ranks: 1 3 5      under mpirun, once for each number of ranks (test names end in -n1, -n3, -n5)
#   label: long       the label `long`, which the quick suite leaves out
#   threads: 1        OMP_NUM_THREADS (default 2, group gen 1)
#   timeout: 600      seconds (default 900; long tests 3600)
#   alone: yes        no other test beside it: it measures time
#   sanitizers: no    left out of builds with sanitizers
#   needs: mpi        left out of builds without MPI
#   operators: FILE … C files of operators, from the source folder, that the C test is linked with
#   isas: ISA …       instruction sets of these operators' kernels (default: all)
#   program: FILE …   formula files or C files with directives, from the source folder, that the C
#                     test runs; further words go to gmg_add_program
# The group `python` is left out of builds without the Python package.
# C tests are linked with the library, the plain compiled operators, cmocka and tests/support/*.c.
# Scripts are called with the paths of gmg, gmg-gen and the source folder.
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
# where Debian's packages install modules
find_program(GMG_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(GMG_PYTHON NAMES python3 REQUIRED)
find_program(GMG_BASH NAMES bash REQUIRED)

set(test_launcher "")
if(GMG_WITH_MPI)
  set(test_launcher ${MPIEXEC_EXECUTABLE})
  execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE mpiexec_version
    ERROR_QUIET)
  if(mpiexec_version MATCHES "Open MPI|Open-MPI|OpenRTE|mpirun")
    list(APPEND test_launcher --oversubscribe --bind-to none)
  endif()
endif()
# Waiting threads and ranks give up the core: tests run beside each other and with more ranks than
# cores. Open MPI probes no network: half the time in MPI_Init.
set(test_environment OMP_WAIT_POLICY=passive OMPI_ALLOW_RUN_AS_ROOT=1
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
  OMPI_MCA_rmaps_base_oversubscribe=1
  OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_pml=ob1
  CMAKE_GENERATOR=Ninja # for tests that configure; make is not among the packages
  LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/leaks.supp:print_suppressions=0
  UBSAN_OPTIONS=print_stacktrace=1)

# All groups but `cuda_gpu` compute on the CPU, also on a machine with GPUs.
set(no_gpu CUDA_VISIBLE_DEVICES=)

# Archer tells the thread sanitizer of OpenMP's barriers and locks; what MPI and HDF5 do is theirs.
if(GMG_SANITIZE MATCHES "thread")
  find_file(GMG_ARCHER libarcher.so PATHS ${gmg_llvm_root}/lib NO_DEFAULT_PATH)
  set(tsan_options suppressions=${PROJECT_SOURCE_DIR}/tests/support/tsan.supp)
  set(gmg_tsan_environment OMP_TOOL_LIBRARIES=${GMG_ARCHER} ARCHER_OPTIONS=verbose=1
    TSAN_OPTIONS=${tsan_options}:ignore_noninstrumented_modules=1:exitcode=66)
  list(APPEND test_environment ${gmg_tsan_environment})
endif()

# The specs as any C compiler sees them: what generated kernels are compared with.
file(GLOB operator_sources CONFIGURE_DEPENDS operators/*.c)
if(operator_sources)
  add_library(gmg-specs STATIC ${operator_sources})
  target_include_directories(gmg-specs PUBLIC ${PROJECT_SOURCE_DIR}/operators)
  target_link_libraries(gmg-specs PRIVATE gmg-flags m)
endif()

file(GLOB support_sources CONFIGURE_DEPENDS tests/support/*.c)
if(support_sources)
  add_library(gmg-test-support STATIC ${support_sources})
  target_link_libraries(gmg-test-support PRIVATE gmg-flags PUBLIC gmg PkgConfig::CMOCKA)
  target_include_directories(gmg-test-support PUBLIC ${PROJECT_SOURCE_DIR}/tests/support)
endif()

include(cuda_on_cpu)

# Value of a comment `key: value` in the first 20 lines of a file.
function(gmg_test_note file key result)
  file(STRINGS ${file} lines LIMIT_COUNT 20 ENCODING UTF-8)
  set(value "")
  foreach(line IN LISTS lines)
    if(line MATCHES "^(/\\*| \\*|#)[ ]*${key}:[ ]*([^*]*[^* ])")
      set(value ${CMAKE_MATCH_2})
      break()
    endif()
  endforeach()
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

# Registers one CTest test. ranks 0: not under mpirun.
function(gmg_register name file group ranks)
  gmg_test_note(${file} sanitizers sanitizers)
  if(GMG_SANITIZE AND sanitizers STREQUAL "no")
    return()
  endif()
  gmg_test_note(${file} label label)
  gmg_test_note(${file} threads threads)
  gmg_test_note(${file} timeout timeout)
  if(NOT threads AND group STREQUAL "gen")
    set(threads 1)
  elseif(NOT threads)
    set(threads 2)
  endif()
  if(NOT timeout)
    set(timeout 900)
    if(label STREQUAL "long")
      set(timeout 3600)
    endif()
  endif()
  if(GMG_SANITIZE)
    math(EXPR timeout "${timeout} * 4")
  endif()
  set(command ${ARGN})
  set(environment ${test_environment} OMP_NUM_THREADS=${threads})
  # Open MPI is built without frame pointers; libclang allocates too much for this
  if(NOT group STREQUAL "gen")
    list(APPEND environment ASAN_OPTIONS=fast_unwind_on_malloc=0)
  endif()
  if(group STREQUAL "cuda_stand_in")
    list(APPEND environment ${stand_in_environment})
  endif()
  if(NOT group STREQUAL "cuda_gpu")
    list(APPEND environment ${no_gpu})
  endif()
  # Two threads keep about one core busy: starting, compiling and checking are sequential.
  set(processors ${threads})
  if(ranks GREATER 1)
    math(EXPR processors "${ranks} * ${threads}")
  endif()
  math(EXPR processors "(${processors} + 1) / 2")
  if(ranks GREATER 0 AND test_launcher)
    set(command ${test_launcher} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${command})
  endif()
  set(labels ${group} ${label})
  add_test(NAME ${name} COMMAND ${command} WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${environment}" LABELS "${labels}" TIMEOUT
    ${timeout}
    PROCESSORS ${processors} SKIP_RETURN_CODE 77)
  gmg_test_note(${file} alone alone)
  if(alone STREQUAL "yes")
    set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
  endif()
endfunction()

# One test file in C: its program, and a CTest test for each number of ranks.
function(gmg_add_c_test file group thing)
  gmg_test_note(${file} needs needs)
  if(needs STREQUAL "mpi" AND NOT GMG_WITH_MPI)
    return()
  endif()
  if(group STREQUAL "cuda_text" AND NOT gmg_cuda_on_cpu)
    return()
  endif()
  gmg_test_note(${file} sanitizers sanitizers)
  if(GMG_SANITIZE AND sanitizers STREQUAL "no")
    return()
  endif()
  set(target test-${group}-${thing})
  add_executable(${target} ${file})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests
    OUTPUT_NAME ${group}_${thing})
  target_compile_definitions(${target} PRIVATE GMG_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE gmg-flags gmg PkgConfig::CMOCKA m)
  gmg_test_note(${file} program program)
  if(program)
    separate_arguments(program)
    list(TRANSFORM program PREPEND ${PROJECT_SOURCE_DIR}/ REGEX "[.](stencil|c)$")
    gmg_add_program(${target} ${program})
  endif()
  gmg_test_note(${file} operators operators)
  gmg_test_note(${file} isas isas)
  if(isas)
    set(GMG_ISAS ${isas})
  endif()
  if(operators)
    gmg_add_operator(${target} ${operators})
  endif()
  foreach(library gmg-test-support gmg-specs gmg-keep-modules)
    if(TARGET ${library})
      target_link_libraries(${target} PRIVATE ${library})
    endif()
  endforeach()
  if(group STREQUAL "gen" AND TARGET gmg-gen-stages)
    target_link_libraries(${target} PRIVATE gmg-gen-stages)
  elseif(group STREQUAL "io" AND TARGET gmg-io)
    target_link_libraries(${target} PRIVATE gmg-io)
  elseif(group STREQUAL "cuda_text")
    target_link_libraries(${target} PRIVATE gmg-cuda-on-cpu)
    # which needs nothing of CUDA, and is not in the library then
    if(thing MATCHES "^(merge|locality)$" AND NOT GMG_WITH_CUDA_VALUE)
      file(GLOB source solver/cuda/*/${thing}.c)
      target_sources(${target} PRIVATE ${source})
    endif()
  endif()
  gmg_test_note(${file} ranks ranks)
  if(NOT ranks)
    gmg_register(${group}/${thing} ${file} ${group} 0 ${PROJECT_BINARY_DIR}/tests/${group}_${thing})
    return()
  endif()
  separate_arguments(ranks)
  if(NOT GMG_WITH_MPI)
    set(ranks 1)
  endif()
  foreach(count IN LISTS ranks)
    gmg_register(${group}/${thing}-n${count} ${file} ${group} ${count}
      ${PROJECT_BINARY_DIR}/tests/${group}_${thing})
  endforeach()
endfunction()

# One test script in Python, for each number of ranks that it names.
function(gmg_add_python_test file group thing)
  gmg_test_note(${file} ranks ranks)
  if(group STREQUAL "python" AND NOT TARGET gmg-python OR ranks AND NOT GMG_WITH_MPI)
    return()
  endif()
  if(NOT ranks)
    gmg_register(${group}/${thing} ${file} ${group} 0 ${GMG_PYTHON} ${file} ${ARGN})
    return()
  endif()
  separate_arguments(ranks)
  foreach(count IN LISTS ranks)
    gmg_register(${group}/${thing}-n${count} ${file} ${group} ${count} ${GMG_PYTHON} ${file}
      ${ARGN})
  endforeach()
endfunction()

# Tests of tests/cuda_backend run twice: as cuda_stand_in/… on the CPU standing in for a GPU
# (tests/cuda_stand_in: a driver and a compiler that the program opens instead of CUDA's), and as
# cuda_gpu/… on a GPU, where there is one.
find_program(GMG_CXX NAMES g++)
set(stand_in_dir ${PROJECT_BINARY_DIR}/tests/stand_in)
set(stand_in_environment "")
if(GMG_WITH_CUDA_VALUE AND GMG_CXX)
  file(GLOB stand_in_sources CONFIGURE_DEPENDS tests/cuda_stand_in/*.c)
  list(REMOVE_ITEM stand_in_sources ${PROJECT_SOURCE_DIR}/tests/cuda_stand_in/compiler.c
    ${PROJECT_SOURCE_DIR}/tests/cuda_stand_in/blas.c)
  add_library(gmg-stand-in-driver SHARED ${stand_in_sources})
  set_target_properties(gmg-stand-in-driver PROPERTIES PREFIX "" OUTPUT_NAME libcuda SUFFIX .so.1)
  add_library(gmg-stand-in-compiler SHARED tests/cuda_stand_in/compiler.c)
  set_target_properties(gmg-stand-in-compiler PROPERTIES PREFIX "" OUTPUT_NAME libnvrtc SUFFIX .so)
  add_library(gmg-stand-in-blas SHARED tests/cuda_stand_in/blas.c)
  set_target_properties(gmg-stand-in-blas PROPERTIES PREFIX "" OUTPUT_NAME libcublas SUFFIX .so)
  target_link_libraries(gmg-stand-in-blas PRIVATE gmg-stand-in-driver)
  # What stands before every text, precompiled for both ways of contracting: a compiler that cannot
  # use it reads the header.
  set(stand_in_header ${stand_in_dir}/before_texts.h)
  set(stand_in_flags -std=c++17 -O1 -march=x86-64-v3 -fno-math-errno -U_FORTIFY_SOURCE
    -fno-stack-protector -fcf-protection=none -w -fPIC)
  file(CONFIGURE OUTPUT ${stand_in_header} CONTENT "#define CUDA_ON_CPU_COOPERATIVE
#define CUDA_ON_CPU_LINKED
#include \"${PROJECT_SOURCE_DIR}/tests/cuda_stand_in/cuda_on_cpu.h\"
")
  file(GLOB stand_in_headers CONFIGURE_DEPENDS tests/cuda_stand_in/*.h)
  set(precompiled "")
  foreach(contract IN ITEMS off fast)
    add_custom_command(OUTPUT ${stand_in_header}.gch/${contract}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${stand_in_header}.gch
      COMMAND ${GMG_CXX} ${stand_in_flags} -ffp-contract=${contract} -x c++-header
        ${stand_in_header} -o ${stand_in_header}.gch/${contract}
      DEPENDS ${stand_in_header} ${stand_in_headers} VERBATIM)
    list(APPEND precompiled ${stand_in_header}.gch/${contract})
  endforeach()
  # What runs blocks of threads, linked with every text.
  set(stand_in_threads ${PROJECT_SOURCE_DIR}/tests/cuda_stand_in/threads_on_cpu.cpp)
  set(stand_in_object ${stand_in_dir}/threads_on_cpu.o)
  add_custom_command(OUTPUT ${stand_in_object}
    COMMAND ${GMG_CXX} ${stand_in_flags} -O2 -c ${stand_in_threads} -o ${stand_in_object}
    DEPENDS ${stand_in_threads} ${stand_in_headers} VERBATIM)
  add_custom_target(gmg-stand-in-parts DEPENDS ${precompiled} ${stand_in_object})
  add_dependencies(gmg-stand-in-compiler gmg-stand-in-parts)
  list(JOIN stand_in_flags " " stand_in_words)
  target_compile_definitions(gmg-stand-in-compiler PRIVATE
    GMG_STAND_IN_COMPILER="${GMG_CXX} ${stand_in_words}" GMG_STAND_IN_HEADER="${stand_in_header}"
    GMG_STAND_IN_OBJECT="${stand_in_object}")
  foreach(library gmg-stand-in-driver gmg-stand-in-compiler gmg-stand-in-blas)
    set_target_properties(${library} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${stand_in_dir})
    target_include_directories(${library} PRIVATE ${PROJECT_SOURCE_DIR}/solver)
    target_include_directories(${library} SYSTEM PRIVATE ${GMG_CUDA_INCLUDE_DIR})
    target_link_libraries(${library} PRIVATE gmg-flags ${CMAKE_DL_LIBS})
  endforeach()
  set(stand_in_environment LD_LIBRARY_PATH=${stand_in_dir}:$ENV{LD_LIBRARY_PATH}
    XDG_CACHE_HOME=${stand_in_dir}/cache)
endif()

file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
file(GLOB test_files CONFIGURE_DEPENDS tests/*/test_*.c tests/*/test_*.py tests/*/test_*.sh)
foreach(file IN LISTS test_files)
  # for the comments that say how it runs
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(GET folder FILENAME group)
  cmake_path(GET file STEM LAST_ONLY thing)
  cmake_path(GET file EXTENSION LAST_ONLY extension)
  string(REGEX REPLACE "^test_" "" thing ${thing})
  set(groups ${group})
  if(group STREQUAL "cuda_backend")
    set(groups cuda_gpu)
    if(stand_in_environment)
      list(APPEND groups cuda_stand_in)
    endif()
  endif()
  set(program_paths ${PROJECT_BINARY_DIR}/bin/gmg ${PROJECT_BINARY_DIR}/bin/gmg-gen
    ${PROJECT_SOURCE_DIR})
  if(extension STREQUAL ".c")
    string(REPLACE cuda_backend cuda_stand_in group ${group})
    gmg_add_c_test(${file} ${group} ${thing})
  endif()
  foreach(group IN LISTS groups)
    if(extension STREQUAL ".py")
      gmg_add_python_test(${file} ${group} ${thing} ${program_paths})
    elseif(extension STREQUAL ".sh")
      gmg_register(${group}/${thing} ${file} ${group} 0 ${GMG_BASH} ${file} ${program_paths})
    endif()
  endforeach()
endforeach()
# Solves one after the other in one process, without HDF5 and cmocka: it runs on a bare machine with
# a GPU too.
set(raise_source ${PROJECT_SOURCE_DIR}/tests/cuda_backend/raise.c)
add_executable(test-cuda-backend-raise ${raise_source})
set_target_properties(test-cuda-backend-raise PROPERTIES RUNTIME_OUTPUT_DIRECTORY
  ${PROJECT_BINARY_DIR}/tests OUTPUT_NAME cuda_backend_raise)
target_include_directories(test-cuda-backend-raise PRIVATE ${PROJECT_BINARY_DIR}/include)
target_link_libraries(test-cuda-backend-raise PRIVATE gmg-flags gmg m)
gmg_register(cuda_gpu/raise ${raise_source} cuda_gpu 1 $<TARGET_FILE:test-cuda-backend-raise>
  --cells 96)
if(stand_in_environment) # whose threads keep their stacks
  gmg_register(cuda_stand_in/raise ${raise_source} cuda_stand_in 1 env
    ASAN_OPTIONS=fast_unwind_on_malloc=0:detect_leaks=0
    $<TARGET_FILE:test-cuda-backend-raise> --few)
endif()
set(repeat_source ${PROJECT_SOURCE_DIR}/tests/cuda_backend/repeat.c)
add_executable(test-cuda-backend-repeat ${repeat_source})
set_target_properties(test-cuda-backend-repeat PROPERTIES RUNTIME_OUTPUT_DIRECTORY
  ${PROJECT_BINARY_DIR}/tests OUTPUT_NAME cuda_backend_repeat)
target_include_directories(test-cuda-backend-repeat PRIVATE ${PROJECT_BINARY_DIR}/include)
target_link_libraries(test-cuda-backend-repeat PRIVATE gmg-flags gmg m)
# What tuning is worth; on a bare machine with a GPU too.
set(tuned_source ${PROJECT_SOURCE_DIR}/tests/cuda_backend/tuned.c)
add_executable(test-cuda-backend-tuned ${tuned_source})
set_target_properties(test-cuda-backend-tuned PROPERTIES RUNTIME_OUTPUT_DIRECTORY
  ${PROJECT_BINARY_DIR}/tests OUTPUT_NAME cuda_backend_tuned)
target_include_directories(test-cuda-backend-tuned PRIVATE ${PROJECT_BINARY_DIR}/include)
target_link_libraries(test-cuda-backend-tuned PRIVATE gmg-flags gmg m)
# What changes between solves; on a bare machine with a GPU too.
set(changes_source ${PROJECT_SOURCE_DIR}/tests/cuda_backend/changes.c)
add_executable(test-cuda-backend-changes ${changes_source})
set_target_properties(test-cuda-backend-changes PROPERTIES RUNTIME_OUTPUT_DIRECTORY
  ${PROJECT_BINARY_DIR}/tests OUTPUT_NAME cuda_backend_changes)
target_include_directories(test-cuda-backend-changes PRIVATE ${PROJECT_BINARY_DIR}/include)
target_link_libraries(test-cuda-backend-changes PRIVATE gmg-flags gmg m)
# Setups again and again, with calls of the driver; on a bare machine with a GPU too.
if(GMG_WITH_CUDA_VALUE)
  set(setups_source ${PROJECT_SOURCE_DIR}/tests/cuda_backend/setups.c)
  add_executable(test-cuda-backend-setups ${setups_source})
  set_target_properties(test-cuda-backend-setups PROPERTIES RUNTIME_OUTPUT_DIRECTORY
    ${PROJECT_BINARY_DIR}/tests OUTPUT_NAME cuda_backend_setups)
  target_include_directories(test-cuda-backend-setups PRIVATE ${PROJECT_BINARY_DIR}/include)
  target_include_directories(test-cuda-backend-setups SYSTEM PRIVATE ${GMG_CUDA_INCLUDE_DIR})
  target_link_libraries(test-cuda-backend-setups PRIVATE gmg-flags gmg m ${CMAKE_DL_LIBS})
endif()
# Coefficient fields of an operator's own.
set(own_fields_source ${PROJECT_SOURCE_DIR}/tests/library/own_fields/own_fields.c)
add_executable(test-library-own-fields ${own_fields_source})
gmg_add_operator(test-library-own-fields tests/library/own_fields/faces.c)
set_target_properties(test-library-own-fields PROPERTIES RUNTIME_OUTPUT_DIRECTORY
  ${PROJECT_BINARY_DIR}/tests OUTPUT_NAME library_own_fields)
target_link_libraries(test-library-own-fields PRIVATE gmg-flags gmg m)
gmg_register(library/own_fields_calls ${own_fields_source} library 1
  $<TARGET_FILE:test-library-own-fields>)
# The caller's stream, with calls of the driver.
if(GMG_WITH_CUDA_VALUE)
  set(stream_source ${PROJECT_SOURCE_DIR}/tests/cuda_backend/stream.c)
  add_executable(test-cuda-backend-stream ${stream_source})
  set_target_properties(test-cuda-backend-stream PROPERTIES RUNTIME_OUTPUT_DIRECTORY
    ${PROJECT_BINARY_DIR}/tests OUTPUT_NAME cuda_backend_stream)
  target_include_directories(test-cuda-backend-stream PRIVATE ${PROJECT_BINARY_DIR}/include)
  target_include_directories(test-cuda-backend-stream SYSTEM PRIVATE ${GMG_CUDA_INCLUDE_DIR})
  target_link_libraries(test-cuda-backend-stream PRIVATE gmg-flags gmg ${CMAKE_DL_LIBS})
  gmg_register(cuda_gpu/stream ${stream_source} cuda_gpu 1 $<TARGET_FILE:test-cuda-backend-stream>
    64)
  if(stand_in_environment)
    gmg_register(cuda_stand_in/stream ${stream_source} cuda_stand_in 1
      $<TARGET_FILE:test-cuda-backend-stream>)
  endif()
endif()
foreach(group cuda_stand_in cuda_gpu)
  if(TARGET test-cuda-backend-setups AND (group STREQUAL "cuda_gpu" OR stand_in_environment))
    set(setups $<TARGET_FILE:test-cuda-backend-setups>)
    gmg_register(${group}/setups ${setups_source} ${group} 1
      ${setups} --cells 24 coarse gpu precision double)
    gmg_register(${group}/setups_there ${setups_source} ${group} 1
      ${setups} --cells 24 --on-device coarse gpu precision mixed)
    foreach(ranks 2 3)
      gmg_register(${group}/setups-n${ranks} ${setups_source} ${group} ${ranks}
        ${setups} --cells 14 coarse gpu precision double)
      gmg_register(${group}/setups_there-n${ranks} ${setups_source} ${group} ${ranks}
        ${setups} --cells 14 --on-device coarse gpu precision mixed)
    endforeach()
    gmg_register(${group}/setups_boxes-n2 ${setups_source} ${group} 2
      ${setups} --cells 14 coarse gpu box 5 gather 1 precision mixed)
    gmg_register(${group}/setups_mixed ${setups_source} ${group} 1
      ${setups} --cells 24 coarse-cells 300 precision mixed)
  endif()
  if(group STREQUAL "cuda_gpu" OR stand_in_environment)
    foreach(ranks 1 2 4)
      gmg_register(${group}/repeat-n${ranks} ${repeat_source} ${group} ${ranks}
        $<TARGET_FILE:test-cuda-backend-repeat> --cells 12 --solves 3 coarse gpu)
    endforeach()
    gmg_register(${group}/tuned ${tuned_source} ${group} 1
      $<TARGET_FILE:test-cuda-backend-tuned> --cells 16 --budget 5 coarse-cells 600 passes none
      --kernel variable7_gauss_seidel_uniform_alpha_f64_split precision double)
    gmg_register(${group}/changes ${changes_source} ${group} 1
      $<TARGET_FILE:test-cuda-backend-changes> --cells 12 coarse gpu)
    foreach(ranks 1 2)
      gmg_register(${group}/changes_mixed-n${ranks} ${changes_source} ${group} ${ranks}
        $<TARGET_FILE:test-cuda-backend-changes> --cells 12
        --variable precision mixed coarse-cells 300)
    endforeach()
    # Ghosts as deep as sweeps in a row reach: one exchange for all, passes between ranks too.
    gmg_register(${group}/repeat_deep-n2 ${repeat_source} ${group} 2
      $<TARGET_FILE:test-cuda-backend-repeat> --cells 48 --solves 2 --in-passes 3
      coarse gpu coarse-cells 600 gather 4096 passes all)
    gmg_register(${group}/repeat_deep-n3 ${repeat_source} ${group} 3
      $<TARGET_FILE:test-cuda-backend-repeat> --cells 62 --solves 1
      coarse gpu coarse-cells 600 gather 4096 precision double)
    gmg_register(${group}/repeat_passes ${repeat_source} ${group} 1
      $<TARGET_FILE:test-cuda-backend-repeat> --cells 44 --solves 1 --in-passes 3
      coarse gpu coarse-cells 800 passes all precision mixed)
    # Many boxes on every rank, alike or not; all of it in the coarse tail, a part, nothing.
    foreach(ranks 1 2 4)
      gmg_register(${group}/repeat_boxes-n${ranks} ${repeat_source} ${group} ${ranks}
        $<TARGET_FILE:test-cuda-backend-repeat> --cells 12 --solves 2
        coarse gpu box 3 gather 1)
      gmg_register(${group}/repeat_boxes_uneven-n${ranks} ${repeat_source} ${group} ${ranks}
        $<TARGET_FILE:test-cuda-backend-repeat> --cells 13 --solves 2
        coarse gpu coarse-cells 1 box 4 gather 1 precision double)
    endforeach()
    gmg_register(${group}/repeat_boxes_full-n2 ${repeat_source} ${group} 2
      $<TARGET_FILE:test-cuda-backend-repeat> --cells 14 --solves 2 --constant
      coarse gpu coarse-cells 1000 box 4 gather 1 operator constant27)
    gmg_register(${group}/repeat_boxes_periodic-n2 ${repeat_source} ${group} 2
      $<TARGET_FILE:test-cuda-backend-repeat> --cells 15 --solves 2 --periodic
      coarse gpu coarse-cells 400 box 4 gather 1 precision mixed interpolation linear)
    # Fewer boxes than ranks.
    gmg_register(${group}/repeat_boxless-n3 ${repeat_source} ${group} 3
      $<TARGET_FILE:test-cuda-backend-repeat> --cells 6 --solves 1
      coarse gpu box 7 precision mixed)
    # Sums look at some planes of them first where there are many.
    gmg_register(${group}/repeat_boxes_planes ${repeat_source} ${group} 1
      $<TARGET_FILE:test-cuda-backend-repeat> --cells 64 --solves 1
      coarse gpu box 20 precision double)
    gmg_register(${group}/repeat_many ${repeat_source} ${group} 1
      $<TARGET_FILE:test-cuda-backend-repeat> --cells 8 --solves 100 coarse gpu)
    # Thousands of launches in a cycle: more than one list has room for.
    gmg_register(${group}/repeat_long ${repeat_source} ${group} 1
      $<TARGET_FILE:test-cuda-backend-repeat> --cells 12 --solves 1
      --periodic --constant coarse gpu operator constant27 bottom sweeps bottom-cells 250)
    gmg_register(${group}/repeat_full ${repeat_source} ${group} 1
      $<TARGET_FILE:test-cuda-backend-repeat> --full --cells 96
      precision double)
    gmg_register(${group}/repeat_large ${repeat_source} ${group} 1
      $<TARGET_FILE:test-cuda-backend-repeat> --large --cells 1300)
    gmg_register(${group}/repeat_periodic-n2 ${repeat_source} ${group} 2
      $<TARGET_FILE:test-cuda-backend-repeat> --cells 12
      --solves 2 --periodic coarse gpu gather 8)
    gmg_register(${group}/repeat_peers-n3 ${repeat_source} ${group} 3
      $<TARGET_FILE:test-cuda-backend-repeat> --cells 12
      --solves 2 --way "from device to device" coarse gpu gather 8)
    gmg_register(${group}/repeat_host-n2 ${repeat_source} ${group} 2
      $<TARGET_FILE:test-cuda-backend-repeat> --cells 12
      --solves 2 --way "memory of the host" coarse gpu gather 8 device-messages host)
    if(group STREQUAL "cuda_stand_in") # MPI reads the memory of this one
      gmg_register(${group}/repeat_direct-n3 ${repeat_source} ${group} 3
        $<TARGET_FILE:test-cuda-backend-repeat> --cells 12
        --solves 2 --periodic --way "by MPI" coarse gpu gather 8 device-messages direct)
      # Devices of their own: a kernel sets signals and waits for them.
      gmg_register(${group}/repeat_devices-n2 ${repeat_source} ${group} 2 env GMG_STAND_IN_DEVICES=2
        $<TARGET_FILE:test-cuda-backend-repeat> --cells 12 --solves 2 --chosen "in turn" coarse gpu)
      gmg_register(${group}/repeat_devices-n3 ${repeat_source} ${group} 3 env GMG_STAND_IN_DEVICES=3
        $<TARGET_FILE:test-cuda-backend-repeat> --cells 24 --solves 5 --periodic
        --way "from device to device" coarse gpu gather 8 precision mixed)
      # One rank is ahead of the other: words and buffers that are taken in turn.
      gmg_register(${group}/repeat_late-n2 ${repeat_source} ${group} 2
        env GMG_STAND_IN_LATE=1 GMG_STAND_IN_DEVICES=2
        $<TARGET_FILE:test-cuda-backend-repeat> --cells 24 --solves 3 coarse gpu gather 8)
      gmg_register(${group}/repeat_devices_deep-n2 ${repeat_source} ${group} 2
        env GMG_STAND_IN_DEVICES=2 $<TARGET_FILE:test-cuda-backend-repeat> --cells 48 --solves 3
        coarse gpu coarse-cells 600 gather 512 precision mixed cycle w)
    endif()
    gmg_register(${group}/repeat_coarse-n2 ${repeat_source} ${group} 2
      $<TARGET_FILE:test-cuda-backend-repeat> --cells 12
      --solves 2 --periodic coarse-cells 300)
  endif()
endforeach()
gmg_register(gen/rejects ${PROJECT_SOURCE_DIR}/tests/gen/rejects.sh gen 0
  ${GMG_BASH} ${PROJECT_SOURCE_DIR}/tests/gen/rejects.sh ${PROJECT_BINARY_DIR}/bin/gmg-gen)
