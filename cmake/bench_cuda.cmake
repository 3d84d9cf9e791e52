# Target cuda-kernels: every launch form of the CUDA kernels on a GPU (tests/bench/cuda_kernels.c).
# It needs the generated kernels and nothing else to be built, a driver and NVRTC to run.
if(TARGET gmg-cuda-texts)
  set(bench_dir ${PROJECT_SOURCE_DIR}/tests/bench)
  add_executable(cuda-kernels EXCLUDE_FROM_ALL ${bench_dir}/cuda_kernels.c
    ${bench_dir}/cuda_device.c
    ${bench_dir}/cuda_fields.c ${bench_dir}/cuda_trial.c ${PROJECT_SOURCE_DIR}/tests/cuda_text/jit.c
    ${PROJECT_SOURCE_DIR}/solver/system/isa.c
    ${gmg_kernel_tables} ${gmg_kernel_objects})
  target_include_directories(cuda-kernels PRIVATE ${PROJECT_SOURCE_DIR}/solver
    ${PROJECT_SOURCE_DIR}/tests/cuda_text)
  target_link_libraries(cuda-kernels PRIVATE gmg-flags OpenMP::OpenMP_C ${CMAKE_DL_LIBS} m)
  set_target_properties(cuda-kernels PROPERTIES RUNTIME_OUTPUT_DIRECTORY
    ${PROJECT_BINARY_DIR}/bench)
  add_dependencies(cuda-kernels gmg-generated)
endif()

# Target program-steps: explicit programs on a GPU, beside a copy (tests/bench/program_steps.c). It
# holds the programs' kernels, so that it runs on a bare machine with a GPU, a driver and NVRTC.
if(TARGET gmg-gen)
  set(steps_programs copy poisson7 himeno_double smooth27_double smooth9)
  list(TRANSFORM steps_programs PREPEND ${PROJECT_SOURCE_DIR}/tests/bench/programs/)
  set(steps_examples heat3d variable7 heat13 heat2d himeno poisson19 smooth27 wave)
  list(TRANSFORM steps_examples PREPEND ${PROJECT_SOURCE_DIR}/examples/programs/)
  list(APPEND steps_programs ${steps_examples})
  list(TRANSFORM steps_programs APPEND .stencil)
  add_executable(program-steps EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/bench/program_steps.c
    ${PROJECT_SOURCE_DIR}/tests/bench/program_shapes.c)
  gmg_add_program(program-steps ${steps_programs})
  foreach(isa IN LISTS GMG_ISAS)
    set_target_properties(program-steps-programs-${isa} PROPERTIES EXCLUDE_FROM_ALL ON)
  endforeach()
  set_target_properties(program-steps-forms PROPERTIES EXCLUDE_FROM_ALL ON)
  set_target_properties(program-steps PROPERTIES RUNTIME_OUTPUT_DIRECTORY
    ${PROJECT_BINARY_DIR}/bench)
  target_include_directories(program-steps PRIVATE ${PROJECT_BINARY_DIR}/include
    ${PROJECT_SOURCE_DIR}/solver)
  target_link_libraries(program-steps PRIVATE gmg-flags gmg m)
endif()
