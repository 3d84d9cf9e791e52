# The program: everything in io/ but program/main.c is a library, for the tests.
file(GLOB_RECURSE io_sources CONFIGURE_DEPENDS io/*.c)
list(REMOVE_ITEM io_sources ${PROJECT_SOURCE_DIR}/io/program/main.c)
add_library(gmg-io STATIC ${io_sources})
target_include_directories(gmg-io PUBLIC ${PROJECT_SOURCE_DIR}/io)
target_link_libraries(gmg-io PRIVATE gmg-flags PUBLIC gmg gmg-hdf5 PkgConfig::JANSSON)
# What applications link with to record what they call the library with; a library of its own, since
# it needs HDF5.
add_library(gmg-recorder SHARED io/recorder/record.c io/recorder/record_file.c)
target_include_directories(gmg-recorder INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(gmg-recorder PRIVATE gmg-flags gmg-hdf5 PUBLIC gmg-shared)
target_include_directories(gmg-recorder PRIVATE ${PROJECT_SOURCE_DIR}/io
  ${PROJECT_SOURCE_DIR}/solver ${PROJECT_BINARY_DIR}/include)
set_target_properties(gmg-recorder PROPERTIES C_VISIBILITY_PRESET hidden)
add_library(gmg::io ALIAS gmg-io)
add_executable(gmg-program io/program/main.c)
set_target_properties(gmg-program PROPERTIES OUTPUT_NAME gmg)
target_link_libraries(gmg-program PRIVATE gmg-flags gmg-io
  $<TARGET_NAME_IF_EXISTS:gmg-keep-modules>)
