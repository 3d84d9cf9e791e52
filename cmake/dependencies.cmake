# What the project needs from outside. Debian's package names are in cmake/packages.txt.
find_package(PkgConfig REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS C)

if(GMG_WITH_MPI)
  find_package(MPI REQUIRED COMPONENTS C)
  set(GMG_WITH_MPI_VALUE 1)
else()
  set(GMG_WITH_MPI_VALUE 0)
endif()
if(GMG_BUILD_PROGRAM)
  if(GMG_WITH_MPI)
    set(HDF5_PREFER_PARALLEL ON)
  endif()
  find_package(HDF5 REQUIRED COMPONENTS C)
  if(GMG_WITH_MPI AND NOT HDF5_IS_PARALLEL)
    message(FATAL_ERROR
      "HDF5 was found without MPI (${HDF5_C_LIBRARIES}); "
      "install libhdf5-openmpi-dev, or set GMG_WITH_MPI=OFF")
  endif()
  add_library(gmg-hdf5 INTERFACE)
  target_include_directories(gmg-hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
  target_compile_definitions(gmg-hdf5 INTERFACE ${HDF5_C_DEFINITIONS})
  target_link_libraries(gmg-hdf5 INTERFACE ${HDF5_C_LIBRARIES})
  if(HDF5_IS_PARALLEL AND NOT GMG_WITH_MPI) # its header includes mpi.h
    find_package(MPI REQUIRED COMPONENTS C)
    target_link_libraries(gmg-hdf5 INTERFACE MPI::MPI_C)
  endif()
endif()

pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(ISL REQUIRED IMPORTED_TARGET isl)

# libclang 19 by its C interface: earlier versions do not tell binary operators apart.
set(gmg_llvm_root /usr/lib/llvm-19)
find_path(LIBCLANG_INCLUDE_DIR clang-c/Index.h PATHS ${gmg_llvm_root}/include NO_DEFAULT_PATH)
find_path(LIBCLANG_INCLUDE_DIR clang-c/Index.h)
find_library(LIBCLANG_LIBRARY NAMES clang-19 PATHS ${gmg_llvm_root}/lib NO_DEFAULT_PATH)
find_library(LIBCLANG_LIBRARY NAMES clang-19)
if(NOT LIBCLANG_INCLUDE_DIR OR NOT LIBCLANG_LIBRARY)
  message(FATAL_ERROR
    "libclang 19 was not found; "
    "install libclang-19-dev, or set LIBCLANG_INCLUDE_DIR and LIBCLANG_LIBRARY")
endif()
if(NOT GMG_CLANG_RESOURCE_DIR)
  set(resource_dir ${gmg_llvm_root}/lib/clang/19)
  if(NOT IS_DIRECTORY ${resource_dir}/include)
    execute_process(COMMAND clang-19 -print-resource-dir OUTPUT_VARIABLE resource_dir
      OUTPUT_STRIP_TRAILING_WHITESPACE
      RESULT_VARIABLE clang_failed ERROR_QUIET)
    if(clang_failed)
      message(FATAL_ERROR
        "the headers of clang 19 were not found; "
        "install libclang-common-19-dev, or set GMG_CLANG_RESOURCE_DIR")
    endif()
  endif()
  set(GMG_CLANG_RESOURCE_DIR ${resource_dir} CACHE PATH "Folder of clang 19's own headers")
endif()

# The direct bottom solver. Debian's liblapack-dev or any other; without it --bottom direct is
# refused by name.
option(GMG_WITH_LAPACK "Solve the coarsest level directly with LAPACK, where it is installed" ON)
set(GMG_WITH_LAPACK_VALUE 0)
if(GMG_WITH_LAPACK)
  find_library(LAPACK_LIBRARY lapack)
  if(LAPACK_LIBRARY)
    set(GMG_WITH_LAPACK_VALUE 1)
  else()
    message(STATUS "no LAPACK: no direct bottom solver; liblapack-dev has it")
  endif()
endif()

# The transforms of method fft: KissFFT in double precision, which is a C++ template. Debian's
# libkissfft-dev has it; without it --method fft is refused by name.
option(GMG_WITH_KISSFFT "Solve by FFT with KissFFT, where it and a C++ compiler are installed" ON)
set(GMG_WITH_KISSFFT_VALUE 0)
if(GMG_WITH_KISSFFT)
  include(CheckLanguage)
  check_language(CXX)
  find_path(KISSFFT_INCLUDE_DIR kissfft/kissfft.hh)
  if(CMAKE_CXX_COMPILER AND KISSFFT_INCLUDE_DIR)
    enable_language(CXX)
    set(CMAKE_CXX_STANDARD 11)
    set(CMAKE_CXX_STANDARD_REQUIRED ON)
    set(GMG_WITH_KISSFFT_VALUE 1)
  else()
    message(STATUS "no KissFFT or no C++ compiler: no method fft; libkissfft-dev and g++ have them")
  endif()
endif()

# The CUDA back end: of a toolkit only two headers are used. Driver and compiler are opened when the
# program runs.
set(GMG_CUDA AUTO CACHE STRING
  "Build the CUDA back end: AUTO (where cuda.h and nvrtc.h are), ON or OFF")
set_property(CACHE GMG_CUDA PROPERTY STRINGS AUTO ON OFF)
set(GMG_WITH_CUDA_VALUE 0)
set(cuda_text "GMG_CUDA is OFF: CPU back end only")
if(NOT GMG_CUDA STREQUAL "OFF")
  find_package(CUDAToolkit QUIET)
  if(CUDAToolkit_FOUND)
    find_path(GMG_CUDA_INCLUDE_DIR NAMES nvrtc.h PATHS ${CUDAToolkit_INCLUDE_DIRS} NO_DEFAULT_PATH)
  endif()
  if(GMG_CUDA_INCLUDE_DIR AND EXISTS ${GMG_CUDA_INCLUDE_DIR}/cuda.h)
    set(GMG_WITH_CUDA_VALUE 1)
    set(cuda_text "CUDA back end with the headers of CUDA ${CUDAToolkit_VERSION}")
  else()
    set(cuda_text "no cuda.h and nvrtc.h: CPU back end only")
  endif()
  if(GMG_CUDA STREQUAL "ON" AND NOT GMG_WITH_CUDA_VALUE)
    message(FATAL_ERROR "GMG_CUDA is ON, but no CUDA toolkit with cuda.h and nvrtc.h was found")
  endif()
endif()
message(STATUS ${cuda_text})
set(GMG_CUDA_TEXT ${cuda_text} CACHE INTERNAL "What the commands say about CUDA")
