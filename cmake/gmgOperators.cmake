# Kernels from operators that are written in C: what this project builds its own with, and
# gmg_add_operator for the operators of an application; gmg_add_program for its formula files and
# its C files with directives.
# Installed with the package.

# Object library `target`: generated sources, compiled for one instruction set. kernel_dir holds
# kernel.h, which they include.
function(gmg_kernel_objects target isa kernel_dir)
  string(REPLACE "-" "_" suffix ${isa})
  add_library(${target} OBJECT ${ARGN})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET
    hidden)
  target_include_directories(${target} PRIVATE ${kernel_dir})
  target_compile_definitions(${target} PRIVATE GMG_ISA=${suffix} GMG_ISA_NAME="${isa}")
  # Contraction is off everywhere: the order of operations is part of the meaning.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O3> -ffp-contract=off
    -fno-math-errno)
  # No flags of exceptions are read: what does not change along a row may be worked out ahead of it.
  target_compile_options(${target} PRIVATE -fno-trapping-math)
  # Two vectors a turn: addresses that do not fit into registers are fetched once for both.
  target_compile_options(${target} PRIVATE $<$<C_COMPILER_ID:GNU>:-funroll-loops
    --param=max-unroll-times=2>)
  # What a cell shares with the next one is not carried over: loops that do that are not vectorized.
  target_compile_options(${target} PRIVATE $<$<C_COMPILER_ID:GNU>:-fno-tree-pre>)
  target_link_libraries(${target} PRIVATE OpenMP::OpenMP_C)
  if(isa STREQUAL "baseline")
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      target_compile_options(${target} PRIVATE -march=x86-64)
    endif()
  else()
    target_compile_options(${target} PRIVATE -march=${isa})
  endif()
  # Tuned for processors that have the set: for others GCC moves addresses between vector and
  # integer registers in loops.
  if(isa STREQUAL "x86-64-v3")
    target_compile_options(${target} PRIVATE -mtune=haswell)
  elseif(isa STREQUAL "x86-64-v4")
    target_compile_options(${target} PRIVATE -mtune=skylake-avx512 -mprefer-vector-width=512)
  endif()
endfunction()

# gmg_add_operator(TARGET FILE.c ... [NAME name])
# Checks the operators in the files, makes their kernels for every instruction set that the library
# has, and links them to TARGET. The program declares them with GMG_OPERATORS(name) and hands them
# over with gmg_context_add_operators(context, name); then the option `operator` takes their names.
# name is STEM_operators, STEM being the first file's name without .c, unless NAME gives it.
function(gmg_add_operator target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME" "")
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gmg_add_operator: expected a target, and at least one C file")
  endif()
  set(files "")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}-operators)
  set(generated ${folder}/registry.c)
  foreach(file IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(GET file STEM LAST_ONLY stem)
    list(APPEND files ${file})
    list(APPEND generated ${folder}/${stem}.c)
    if(NOT arg_NAME)
      set(arg_NAME ${stem}_operators)
    endif()
  endforeach()
  list(JOIN GMG_ISAS "," isas)
  add_custom_command(OUTPUT ${generated} ${folder}/libraries.c
    COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0
      $<TARGET_FILE:gmg::gmg-gen> ${files} --single single --target openmp --restriction
      ${GMG_OPERATORS_DIR}/restrict_cell.c
      --library ${arg_NAME} --isas ${isas} -o ${folder}
    DEPENDS gmg::gmg-gen ${files} COMMENT "Generating kernels of ${target}" VERBATIM)
  # Their text for GPUs, which the library compiles at run time.
  set(texts ${files})
  list(TRANSFORM texts REPLACE "^.*/" "${folder}/cuda/")
  file(MAKE_DIRECTORY ${folder}/cuda)
  add_custom_command(OUTPUT ${texts}
    COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0
      $<TARGET_FILE:gmg::gmg-gen> ${files} --single single --target cuda
      --restriction ${GMG_OPERATORS_DIR}/restrict_cell.c -o ${folder}/cuda
    DEPENDS gmg::gmg-gen ${files} COMMENT "Generating CUDA kernels of ${target}" VERBATIM)
  add_custom_target(${target}-generated DEPENDS ${generated} ${folder}/libraries.c ${texts})
  foreach(isa IN LISTS GMG_ISAS)
    gmg_kernel_objects(${target}-kernels-${isa} ${isa} ${GMG_KERNEL_DIR} ${generated})
    add_dependencies(${target}-kernels-${isa} ${target}-generated)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}-kernels-${isa}>)
  endforeach()
  add_library(${target}-libraries OBJECT ${folder}/libraries.c ${texts})
  add_dependencies(${target}-libraries ${target}-generated)
  target_include_directories(${target}-libraries PRIVATE ${GMG_KERNEL_DIR})
  set_target_properties(${target}-libraries PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}-libraries>)
  gmg_link_openmp(${target})
endfunction()

# Not by target_link_libraries: a project uses one of its two signatures, and must be free to
# choose.
function(gmg_link_openmp target)
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES OpenMP::OpenMP_C)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES
      $<LINK_ONLY:OpenMP::OpenMP_C>)
  endif()
endfunction()

# gmg_add_program(TARGET FILE.stencil ... [COMPOSE M])
# gmg_add_program(TARGET FILE.c ... FROM mint|panda [PLAIN] [COMPOSE M])
# Checks formula files, or C files with directives, makes their kernels for every instruction set
# that the library has, and links them to TARGET. Of a file NAME.stencil or NAME.c the program
# declares what was made with GMG_PROGRAM(NAME), and hands it to gmg_program_create. NAME is a name
# as C has them. PLAIN: with the file's own operations (--plain-arithmetic). COMPOSE M: with a
# kernel for M steps at once, which the program's option `compose` turns on. TARGET takes them once.
function(gmg_add_program target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PLAIN" "COMPOSE;FROM" "")
  set(options "")
  set(ending stencil)
  if(arg_FROM)
    list(APPEND options --from ${arg_FROM})
    set(ending c)
  endif()
  if(arg_PLAIN)
    list(APPEND options --plain-arithmetic)
  endif()
  if(arg_COMPOSE)
    list(APPEND options --compose ${arg_COMPOSE})
  endif()
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gmg_add_program: expected a target, and at least one file NAME.${ending}")
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}-programs)
  file(MAKE_DIRECTORY ${folder})
  set(generated "")
  set(lists "")
  foreach(file IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(GET file STEM LAST_ONLY name)
    if(NOT file MATCHES "\\.${ending}$" OR NOT name MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
      message(FATAL_ERROR "gmg_add_program: found ${file}, expected NAME.${ending}, NAME as in C")
    endif()
    add_custom_command(OUTPUT ${folder}/${name}.c
      COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0
        $<TARGET_FILE:gmg::gmg-gen> ${file} --target library ${options} -o ${folder}/${name}.c
      DEPENDS gmg::gmg-gen ${file} COMMENT "Generating program ${name} of ${target}" VERBATIM)
    list(APPEND generated ${folder}/${name}.c)
    set(text "#include \"program_table.h\"\n\n")
    set(forms "")
    foreach(isa IN LISTS GMG_ISAS)
      string(REPLACE "-" "_" suffix ${isa})
      string(APPEND text
        "extern const struct gmg_program_descriptor gmg_program_${name}_${suffix};\n")
      string(APPEND forms "  &gmg_program_${name}_${suffix},\n")
    endforeach()
    string(APPEND text "extern const struct gmg_program_descriptor *const ${name}_program[];\n"
      "const struct gmg_program_descriptor *const ${name}_program[] = {\n${forms}  NULL};\n")
    file(CONFIGURE OUTPUT ${folder}/${name}_forms.c CONTENT "${text}" @ONLY)
    list(APPEND lists ${folder}/${name}_forms.c)
  endforeach()
  add_custom_target(${target}-programs DEPENDS ${generated})
  foreach(isa IN LISTS GMG_ISAS)
    gmg_kernel_objects(${target}-programs-${isa} ${isa} ${GMG_KERNEL_DIR} ${generated})
    add_dependencies(${target}-programs-${isa} ${target}-programs)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}-programs-${isa}>)
  endforeach()
  add_library(${target}-forms OBJECT ${lists})
  target_include_directories(${target}-forms PRIVATE ${GMG_KERNEL_DIR})
  set_target_properties(${target}-forms PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}-forms>)
  gmg_link_openmp(${target})
endfunction()
