# The stencil compiler, and the kernels that it makes from operators/*.c. The text is made once and
# compiled once per instruction set; all of them give the same bits.
include(gmgOperators)
set(gmg_kernel_objects "")
file(GLOB_RECURSE gen_sources CONFIGURE_DEPENDS gen/*.c)
list(REMOVE_ITEM gen_sources ${PROJECT_SOURCE_DIR}/gen/main.c)
# Text of emitted CUDA that is the same for all kernels, or but for a few words.
file(GLOB gen_templates CONFIGURE_DEPENDS gen/templates/*.cuh)
set(gen_templates_c ${PROJECT_BINARY_DIR}/generated/templates.c)
add_custom_command(OUTPUT ${gen_templates_c}
  COMMAND ${CMAKE_COMMAND} "-DTEXTS=${gen_templates}" -DOUTPUT=${gen_templates_c}
    -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${gen_templates} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  COMMENT "Embedding gen/templates/" VERBATIM)
add_library(gmg-gen-stages STATIC ${gen_sources} ${gen_templates_c})
target_include_directories(gmg-gen-stages PUBLIC ${PROJECT_SOURCE_DIR}/gen)
target_include_directories(gmg-gen-stages SYSTEM PUBLIC ${LIBCLANG_INCLUDE_DIR})
target_compile_definitions(gmg-gen-stages PRIVATE GMG_CLANG_RESOURCE_DIR="${GMG_CLANG_RESOURCE_DIR}"
  GMG_VERSION="${PROJECT_VERSION}")
# The search for relaxation factors, which every build of kernels waits for.
set_property(SOURCE ${PROJECT_SOURCE_DIR}/gen/derive/harmonics.c
  ${PROJECT_SOURCE_DIR}/gen/derive/two_grid.c APPEND PROPERTY COMPILE_OPTIONS -O3)
target_link_libraries(gmg-gen-stages PRIVATE gmg-flags PUBLIC ${LIBCLANG_LIBRARY} PkgConfig::ISL m)
set(gmg_operators_folder ${CMAKE_INSTALL_DATADIR}/gmg/operators)
cmake_path(RELATIVE_PATH gmg_operators_folder BASE_DIRECTORY ${CMAKE_INSTALL_BINDIR} OUTPUT_VARIABLE
  vocabulary_from_program)
add_executable(gmg-gen gen/main.c)
target_compile_definitions(gmg-gen PRIVATE GMG_VERSION="${PROJECT_VERSION}"
  GMG_VOCABULARY_DIR="${PROJECT_SOURCE_DIR}/operators"
  GMG_VOCABULARY_INSTALLED="${vocabulary_from_program}")
target_link_libraries(gmg-gen PRIVATE gmg-flags gmg-gen-stages)

file(GLOB operator_sources CONFIGURE_DEPENDS operators/*.c)
file(GLOB operator_headers CONFIGURE_DEPENDS operators/*.h)
set(generated_dir ${PROJECT_BINARY_DIR}/generated)
set(generated_sources ${generated_dir}/registry.c)
foreach(source IN LISTS operator_sources)
  cmake_path(GET source FILENAME name)
  list(APPEND generated_sources ${generated_dir}/${name})
endforeach()
list(JOIN GMG_ISAS "," isa_list)
file(MAKE_DIRECTORY ${generated_dir})
list(TRANSFORM operator_sources REPLACE "${PROJECT_SOURCE_DIR}/" "" OUTPUT_VARIABLE operator_paths)
# Fields in single precision, in kernels in double, too: owners.
set(single_fields single,owner,anchor)
foreach(link RANGE 12)
  string(APPEND single_fields ,link_${link})
endforeach()
# LeakSanitizer is off for the generator while it builds: isl and libclang keep caches until exit.
add_custom_command(OUTPUT ${generated_sources} ${generated_dir}/libraries.c
  COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0
    $<TARGET_FILE:gmg-gen> ${operator_paths} --single ${single_fields} --target openmp --isas
    ${isa_list} -o ${generated_dir}
  DEPENDS gmg-gen ${operator_sources} ${operator_headers}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} # so that messages and descriptors say operators/x.c
  COMMENT "Generating kernels from operators/" VERBATIM)
add_custom_target(gmg-generated DEPENDS ${generated_sources} ${generated_dir}/libraries.c)

# The same kernels as CUDA C, in strings: solver/cuda/ compiles them at run time. No CUDA is needed
# here.
set(cuda_dir ${PROJECT_BINARY_DIR}/generated/cuda)
list(TRANSFORM generated_sources REPLACE "^${generated_dir}/" "${cuda_dir}/" OUTPUT_VARIABLE
  cuda_sources)
file(MAKE_DIRECTORY ${cuda_dir})
add_custom_command(OUTPUT ${cuda_sources}
  COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0
    $<TARGET_FILE:gmg-gen> ${operator_paths} --single ${single_fields} --target cuda -o ${cuda_dir}
  DEPENDS gmg-gen ${operator_sources} ${operator_headers}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMENT "Generating CUDA kernels from operators/" VERBATIM)
add_custom_target(gmg-generated-cuda DEPENDS ${cuda_sources})
add_library(gmg-cuda-texts OBJECT ${cuda_sources})
set_target_properties(gmg-cuda-texts PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET
  hidden)
target_include_directories(gmg-cuda-texts PRIVATE ${PROJECT_SOURCE_DIR}/solver)
target_link_libraries(gmg-cuda-texts PRIVATE gmg-flags)
add_dependencies(gmg-cuda-texts gmg-generated-cuda)
list(APPEND gmg_kernel_objects $<TARGET_OBJECTS:gmg-cuda-texts>)

# Checks of pointers make kernels compile four times as long. Accesses out of bounds or through null
# stop in the address sanitizer all the same; misaligned ones are not looked for.
if(GMG_SANITIZE MATCHES "undefined")
  set_property(SOURCE ${generated_sources} APPEND PROPERTY COMPILE_OPTIONS
    -fno-sanitize=null,alignment,pointer-overflow,object-size)
endif()
foreach(isa IN LISTS GMG_ISAS)
  gmg_kernel_objects(gmg-kernels-${isa} ${isa} ${PROJECT_SOURCE_DIR}/solver ${generated_sources})
  # which sees only races between accesses that it was compiled into
  if(GMG_SANITIZE MATCHES "thread")
    target_compile_options(gmg-kernels-${isa} PRIVATE -fsanitize=thread -g)
  endif()
  add_dependencies(gmg-kernels-${isa} gmg-generated)
  target_link_libraries(gmg-kernels-${isa} PRIVATE gmg-flags)
  list(APPEND gmg_kernel_objects $<TARGET_OBJECTS:gmg-kernels-${isa}>)
endforeach()
set(gmg_kernel_tables ${generated_dir}/libraries.c)
