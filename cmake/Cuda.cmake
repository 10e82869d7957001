# Decides whether this build can collect live. CUPTI, NVML, libcuda and cuBLAS are opened at run time: only their headers are
# needed here; cudart is linked statically.
set(KPROF_HAVE_CUDA OFF)
set(KPROF_CUDA_ARCHITECTURES "80;90a-real" CACHE STRING "Device code: SASS and PTX for these (the first also as PTX for later chips)")
set(_kprof_why "")

if(KPROF_CUDA STREQUAL "OFF")
  set(_kprof_why "KPROF_CUDA=OFF")
else()
  include(CheckLanguage)
  if(NOT CMAKE_CUDA_COMPILER)
    find_program(_kprof_nvcc nvcc HINTS ENV CUDACXX ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin)
    if(_kprof_nvcc)
      set(CMAKE_CUDA_COMPILER "${_kprof_nvcc}" CACHE FILEPATH "nvcc")
    endif()
  endif()
  if(CMAKE_CUDA_COMPILER)
    # Without this CMake would choose an architecture of its own and build for it silently.
    set(CMAKE_CUDA_ARCHITECTURES "${KPROF_CUDA_ARCHITECTURES}")
    enable_language(CUDA)
    set(CMAKE_CUDA_STANDARD 17)
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # nvcc has it since 12.0; CMake 3.25 does not know
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    find_package(CUDAToolkit QUIET)
    find_path(KPROF_CUPTI_INCLUDE cupti_range_profiler.h
      HINTS ${CUDAToolkit_INCLUDE_DIRS} "${CUDAToolkit_TARGET_DIR}/extras/CUPTI/include" "${CUDAToolkit_TARGET_DIR}/include"
            /usr/local/cuda/extras/CUPTI/include)
    if(NOT CUDAToolkit_FOUND)
      set(_kprof_why "nvcc was found, the CUDA toolkit's headers were not")
    elseif(CUDAToolkit_VERSION VERSION_LESS 12.8)
      set(_kprof_why "CUDA ${CUDAToolkit_VERSION} is older than 12.8, which brought the Range Profiler API")
    elseif(NOT KPROF_CUPTI_INCLUDE)
      set(_kprof_why "CUPTI's cupti_range_profiler.h was not found (install the package cuda-cupti-dev)")
    else()
      set(KPROF_HAVE_CUDA ON)
    endif()
  else()
    set(_kprof_why "nvcc was not found on PATH, in $CUDA_HOME or in /usr/local/cuda")
  endif()
endif()

if(KPROF_HAVE_CUDA)
  set(KPROF_CUDA_CHOICE "CUDA ${CUDAToolkit_VERSION} (${KPROF_CUDA_ARCHITECTURES})")
elseif(KPROF_CUDA STREQUAL "ON")
  message(FATAL_ERROR "KPROF_CUDA=ON, but ${_kprof_why}.\n"
    "Install the CUDA toolkit 12.8 or later, or point at it: cmake -DCMAKE_CUDA_COMPILER=/path/to/nvcc ...\n"
    "To build without live collection: cmake -DKPROF_CUDA=OFF ...")
else()
  set(KPROF_CUDA_CHOICE "off: ${_kprof_why}")
endif()
message(STATUS "kprof: live collection: ${KPROF_CUDA_CHOICE}")
