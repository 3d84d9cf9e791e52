# What `cmake --install` puts where: the programs, the libraries, their headers, the CMake package,
# gmg.pc, gmg-io.pc and the manual pages.
include(CMakePackageConfigHelpers)
if(NOT TARGET gmg-gen OR NOT TARGET gmg-program)
  return()
endif()
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gmg)

# The names that the shared library exports carry the version in which they came.
set(version_script ${PROJECT_SOURCE_DIR}/cmake/gmg.map)
set_target_properties(gmg PROPERTIES EXPORT_NAME gmg-static)
set_target_properties(gmg-shared PROPERTIES OUTPUT_NAME gmg EXPORT_NAME gmg VERSION
  ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINK_DEPENDS ${version_script})
target_link_options(gmg-shared PRIVATE -Wl,--version-script=${version_script})

set(recorder_script ${PROJECT_SOURCE_DIR}/cmake/gmg-io.map)
set_target_properties(gmg-recorder PROPERTIES OUTPUT_NAME gmg-io EXPORT_NAME io VERSION
  ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINK_DEPENDS ${recorder_script}
  INSTALL_RPATH "$ORIGIN")
target_link_options(gmg-recorder PRIVATE -Wl,--version-script=${recorder_script})

install(TARGETS gmg-program)
install(TARGETS gmg gmg-shared gmg-recorder gmg-gen EXPORT gmg-targets)
install(FILES solver/gmg.h solver/gmg_report.h solver/gmg_program.h io/gmg_io.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT gmg-targets FILE gmgTargets.cmake NAMESPACE gmg:: DESTINATION ${package_dir})

# What gmg-gen and gmg_add_operator need; kernel.h is for generated files only, and changes with the
# library.
install(FILES operators/stencil.h operators/restrict_cell.c solver/kernel.h
  solver/relaxation_table.h solver/program_table.h DESTINATION
  ${gmg_operators_folder})
install(FILES solver/cuda/runtime/cuda_kernel.h DESTINATION ${gmg_operators_folder}/cuda/runtime)
configure_package_config_file(cmake/gmgConfig.cmake.in ${PROJECT_BINARY_DIR}/package/gmgConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS gmg_operators_folder
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/gmgConfigVersion.cmake COMPATIBILITY
  SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/gmgConfig.cmake
  ${PROJECT_BINARY_DIR}/package/gmgConfigVersion.cmake
  cmake/gmgOperators.cmake DESTINATION ${package_dir})

# These files find their prefix from where they lie, so that an installation can be moved.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
  OUTPUT_VARIABLE pc_prefix)
list(JOIN OpenMP_C_FLAGS " " pc_private)
string(APPEND pc_private " -lm -ldl -ljansson")
if(GMG_WITH_KISSFFT_VALUE)
  string(APPEND pc_private " -lstdc++")
endif()
if(GMG_WITH_LAPACK_VALUE)
  string(APPEND pc_private " -llapack")
endif()
set(pc_mpi "without MPI")
if(GMG_WITH_MPI)
  set(pc_mpi "with MPI: compile with mpicc")
  foreach(library IN LISTS MPI_C_LIBRARIES)
    string(APPEND pc_private " ${library}")
  endforeach()
endif()
configure_file(cmake/gmg.pc.in package/gmg.pc @ONLY)
configure_file(cmake/gmg-io.pc.in package/gmg-io.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/gmg.pc ${PROJECT_BINARY_DIR}/package/gmg-io.pc
  DESTINATION ${pc_dir})

install(FILES tuning/plot.py tuning/plot_surface.py DESTINATION ${CMAKE_INSTALL_DATADIR}/gmg)
install(FILES tuning/wisdom.json DESTINATION ${CMAKE_INSTALL_DATADIR}/gmg/wisdom)

file(GLOB manual_pages CONFIGURE_DEPENDS man/*.1)
install(FILES ${manual_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# For gmg_add_operator inside this build.
add_executable(gmg::gmg-gen ALIAS gmg-gen)
set(GMG_OPERATORS_DIR ${PROJECT_SOURCE_DIR}/operators)
set(GMG_KERNEL_DIR ${PROJECT_SOURCE_DIR}/solver)
