# CUDA texts as C++ for the CPU: what tests/cuda_text runs, by tests/cuda_stand_in/cuda_on_cpu.h.
# Their directory is a group of tests like the others; the rest of its files are one library, in C++
# where the texts are.
include(CheckLanguage)
check_language(CXX)
set(gmg_cuda_on_cpu FALSE)
if(CMAKE_CXX_COMPILER AND TARGET gmg-cuda-texts AND NOT GMG_SANITIZE)
  enable_language(CXX)
  set(gmg_cuda_on_cpu TRUE)
  set(on_cpu_dir ${PROJECT_SOURCE_DIR}/tests/cuda_text)
  add_executable(write-on-cpu ${on_cpu_dir}/write_on_cpu.c $<TARGET_OBJECTS:gmg-cuda-texts>)
  target_include_directories(write-on-cpu PRIVATE ${PROJECT_SOURCE_DIR}/solver)
  target_link_libraries(write-on-cpu PRIVATE gmg-flags)
  set(on_cpu_sources "")
  foreach(part RANGE 3)
    set(source ${PROJECT_BINARY_DIR}/generated/on_cpu_${part}.cpp)
    add_custom_command(OUTPUT ${source} COMMAND write-on-cpu ${part} 4 ${source} DEPENDS
      write-on-cpu
      COMMENT "Writing CUDA texts as C++, part ${part}" VERBATIM)
    list(APPEND on_cpu_sources ${source})
  endforeach()
  add_library(gmg-cuda-on-cpu STATIC ${on_cpu_sources} ${on_cpu_dir}/on_cpu_kernels.c
    ${on_cpu_dir}/on_cpu_plan.c ${on_cpu_dir}/on_cpu_staged.c ${on_cpu_dir}/jit.c
    ${on_cpu_dir}/nvrtc_table.c)
  if(NOT GMG_WITH_CUDA_VALUE) # which needs nothing of CUDA, and is not in the library then
    target_sources(gmg-cuda-on-cpu PRIVATE ${PROJECT_SOURCE_DIR}/solver/cuda/run/tail_text.c)
  endif()
  target_include_directories(gmg-cuda-on-cpu PUBLIC ${on_cpu_dir}
    ${PROJECT_SOURCE_DIR}/tests/cuda_stand_in
    ${PROJECT_SOURCE_DIR}/solver)
  target_compile_options(gmg-cuda-on-cpu PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1 -ffp-contract=off
    -fno-strict-aliasing>)
  target_compile_options(gmg-cuda-on-cpu PRIVATE $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wshadow>)
  target_compile_definitions(gmg-cuda-on-cpu PRIVATE _GNU_SOURCE)
  target_link_libraries(gmg-cuda-on-cpu PUBLIC gmg-test-support gmg-specs gmg m
    ${CMAKE_DL_LIBS})
endif()
