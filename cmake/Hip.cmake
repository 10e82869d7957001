# KPROF_HIP: the portable reference kernels as AMD code objects (device code only: nothing here can run them without a GPU).
# A ROCm brings its own device libraries. Debian 12's clang-19 with its HIP 5.2 headers lacks one of them, the ISA version of
# gfx942: a folder of links to the rest and that one file, made here, is what the compiler needs.
#   apt-get install clang-19 lld-19 llvm-19 libclang-rt-19-dev libamdhip64-dev rocm-device-libs
option(KPROF_HIP "Compile the portable reference kernels for AMD GPUs" OFF)
set(KPROF_HIP_ARCHITECTURES "gfx942;gfx90a" CACHE STRING "AMD chips to compile for")

if(KPROF_HIP)
  find_program(KPROF_HIP_COMPILER NAMES amdclang++ clang++-19 clang++-20 clang++-21
    HINTS ENV ROCM_PATH /opt/rocm PATH_SUFFIXES bin llvm/bin)
  find_path(KPROF_HIP_INCLUDE hip/hip_runtime.h HINTS ENV ROCM_PATH /opt/rocm PATH_SUFFIXES include)
  find_path(KPROF_HIP_BITCODE ockl.bc HINTS ENV ROCM_PATH /opt/rocm /usr/lib/x86_64-linux-gnu
    PATH_SUFFIXES amdgcn/bitcode lib/llvm/lib/clang/19/lib/amdgcn/bitcode)
  foreach(part COMPILER INCLUDE BITCODE)
    if(NOT KPROF_HIP_${part})
      message(FATAL_ERROR "KPROF_HIP=ON, but KPROF_HIP_${part} was not found: a ROCm (6.0 or later), or on Debian 12\n"
        "  apt-get install clang-19 lld-19 llvm-19 libclang-rt-19-dev libamdhip64-dev rocm-device-libs")
    endif()
  endforeach()
  message(STATUS "kprof: AMD code objects: ${KPROF_HIP_COMPILER} for ${KPROF_HIP_ARCHITECTURES}")
endif()

# Fills `out_var` with a folder that has the device libraries of every chip.
function(kprof_hip_libraries out_var)
  set(folder "${CMAKE_BINARY_DIR}/hip/bitcode")
  file(MAKE_DIRECTORY "${folder}")
  file(GLOB libraries "${KPROF_HIP_BITCODE}/*.bc")
  foreach(library IN LISTS libraries)
    get_filename_component(name "${library}" NAME)
    file(CREATE_LINK "${library}" "${folder}/${name}" SYMBOLIC)
  endforeach()
  foreach(chip IN LISTS KPROF_HIP_ARCHITECTURES)
    string(REGEX REPLACE "^gfx" "" number "${chip}")
    if(EXISTS "${folder}/oclc_isa_version_${number}.bc")
      continue()
    endif()
    # "942" is version 9402, "90a" 9010: major, minor in two digits, stepping as a hexadecimal digit.
    string(REGEX MATCH "^([0-9]+)([0-9])([0-9a-f])$" matched "${number}")
    math(EXPR version "${CMAKE_MATCH_1} * 1000 + ${CMAKE_MATCH_2} * 100 + 0x${CMAKE_MATCH_3}")
    file(WRITE "${CMAKE_BINARY_DIR}/hip/empty.hip" "")
    execute_process(COMMAND "${KPROF_HIP_COMPILER}" -x hip --offload-arch=${chip} -nogpuinc -nogpulib --cuda-device-only
      --no-gpu-bundle-output -S -emit-llvm "${CMAKE_BINARY_DIR}/hip/empty.hip" -o - OUTPUT_VARIABLE module COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCH "target datalayout[^\n]*\ntarget triple[^\n]*\n" head "${module}")
    file(WRITE "${CMAKE_BINARY_DIR}/hip/isa_${number}.ll"
      "${head}@__oclc_ISA_version = weak_odr protected local_unnamed_addr addrspace(4) constant i32 ${version}\n")
    execute_process(COMMAND "${KPROF_HIP_COMPILER}" -x ir --target=amdgcn-amd-amdhsa -nogpulib -c -emit-llvm
      "${CMAKE_BINARY_DIR}/hip/isa_${number}.ll" -o "${folder}/oclc_isa_version_${number}.bc" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  set(${out_var} "${folder}" PARENT_SCOPE)
endfunction()

# Every src/kernels/<family>/*.cu that src/kernels/not_portable.txt does not list, and tests/hip/*.cu, for every chip:
# build/.../hip/<chip>/<family>/<variant>.co. build/.../hip/kernels.txt lists them for the test.
function(kprof_hip_kernels)
  kprof_hip_libraries(libraries)
  set(root "${CMAKE_SOURCE_DIR}/src/kernels")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${root}/not_portable.txt")
  file(GLOB kernels CONFIGURE_DEPENDS RELATIVE "${root}" "${root}/*/*.cu")
  list(FILTER kernels EXCLUDE REGEX "^support/")
  list(APPEND kernels support/launch_step.cu support/mlp_tiled.cu)  # kernels that several variants share
  file(STRINGS "${root}/not_portable.txt" left_out REGEX "^[^#]")
  foreach(line IN LISTS left_out)
    string(REGEX REPLACE ":.*" "" pattern "${line}")
    string(REPLACE "*" "[^/]*" pattern "${pattern}")
    list(FILTER kernels EXCLUDE REGEX "^${pattern}$")
  endforeach()
  string(REPLACE ";" "\n" index "${kernels}")
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/hip/kernels.txt" CONTENT "${index}\n" @ONLY)

  file(GLOB checks CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}/tests" "${CMAKE_SOURCE_DIR}/tests/hip/*.cu")
  list(TRANSFORM kernels PREPEND "src/kernels/")
  list(TRANSFORM checks PREPEND "tests/")
  set(objects "")
  foreach(source IN LISTS kernels checks)
    string(REGEX REPLACE "^(src/kernels/|tests/)(.*)\\.cu$" "\\2" stem "${source}")
    foreach(chip IN LISTS KPROF_HIP_ARCHITECTURES)
      set(object "${CMAKE_BINARY_DIR}/hip/${chip}/${stem}.co")
      get_filename_component(folder "${object}" DIRECTORY)
      file(MAKE_DIRECTORY "${folder}")
      # KPROF_WITH_CUDA opens the device code; hip_runtime.h comes first as nvcc's own header does.
      add_custom_command(OUTPUT "${object}" DEPENDS "${CMAKE_SOURCE_DIR}/${source}" DEPFILE "${object}.d"
        COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} "${KPROF_HIP_COMPILER}" -x hip --offload-arch=${chip} "--rocm-device-lib-path=${libraries}"
          --cuda-device-only --no-gpu-bundle-output -O3 -std=c++17 -Wall -Wextra -Wno-unused-parameter -DKPROF_WITH_CUDA=1
          "-I${CMAKE_SOURCE_DIR}/src" -idirafter "${KPROF_HIP_INCLUDE}" -include hip/hip_runtime.h
          -MD -MF "${object}.d" -MT "${object}" -c "${CMAKE_SOURCE_DIR}/${source}" -o "${object}"
        COMMENT "HIP ${chip} ${source}" VERBATIM)
      list(APPEND objects "${object}")
    endforeach()
  endforeach()
  add_custom_target(kprof_hip ALL DEPENDS ${objects})
endfunction()
