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
