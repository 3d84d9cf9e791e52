# Target bench-sums: what order-fixed sums cost of a solve. The second program has the same objects,
# but for plain sums.
if(NOT GMG_PYTHON OR NOT TARGET gmg-program)
  return()
endif()
set(plain_sources "")
set(plain_objects "")
set(plain_dir ${PROJECT_BINARY_DIR}/plain_sums)
file(MAKE_DIRECTORY ${plain_dir})
foreach(source IN LISTS generated_sources)
  cmake_path(GET source FILENAME name)
  add_custom_command(OUTPUT ${plain_dir}/${name}
    COMMAND ${GMG_PYTHON} ${PROJECT_SOURCE_DIR}/tests/bench/plain_sums.py ${source}
    ${plain_dir}/${name}
    DEPENDS ${source} ${PROJECT_SOURCE_DIR}/tests/bench/plain_sums.py VERBATIM)
  list(APPEND plain_sources ${plain_dir}/${name})
endforeach()
add_custom_target(gmg-plain-generated DEPENDS ${plain_sources})
add_dependencies(gmg-plain-generated gmg-generated)
set(others ${GMG_ISAS})
list(POP_BACK others best)
foreach(isa IN LISTS others)
  list(APPEND plain_objects $<TARGET_OBJECTS:gmg-kernels-${isa}>)
endforeach()
gmg_kernel_objects(gmg-plain-kernels ${best} ${PROJECT_SOURCE_DIR}/solver ${plain_sources})
set_target_properties(gmg-plain-kernels PROPERTIES EXCLUDE_FROM_ALL ON)
target_compile_options(gmg-plain-kernels PRIVATE -Wno-unused)
add_dependencies(gmg-plain-kernels gmg-plain-generated)
add_executable(gmg-plain-sums EXCLUDE_FROM_ALL io/program/main.c ${plain_objects}
  $<TARGET_OBJECTS:gmg-plain-kernels>
  $<TARGET_OBJECTS:gmg-cuda-texts> $<TARGET_OBJECTS:gmg-objects>)
target_include_directories(gmg-plain-sums PRIVATE
  $<TARGET_PROPERTY:gmg-io,INTERFACE_INCLUDE_DIRECTORIES>
  ${PROJECT_SOURCE_DIR}/solver ${PROJECT_BINARY_DIR}/include)
target_link_libraries(gmg-plain-sums PRIVATE gmg-flags $<TARGET_FILE:gmg-io> gmg-hdf5
  PkgConfig::JANSSON
  OpenMP::OpenMP_C m $<$<BOOL:${GMG_WITH_MPI}>:MPI::MPI_C>
  $<$<BOOL:${GMG_WITH_LAPACK_VALUE}>:lapack> $<$<BOOL:${GMG_WITH_KISSFFT_VALUE}>:stdc++>)
add_dependencies(gmg-plain-sums gmg-io)
add_custom_target(bench-sums
  COMMAND ${GMG_PYTHON} ${PROJECT_SOURCE_DIR}/tests/bench/exact_sums.py $<TARGET_FILE:gmg-program>
    $<TARGET_FILE:gmg-plain-sums> --isa ${best}
  DEPENDS gmg-program gmg-plain-sums
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
  USES_TERMINAL VERBATIM)
