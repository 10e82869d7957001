# Options and the two functions that every folder uses. A folder of src/ is one library; it links only what stands above it in
# the design's list, so a wrong include does not link.
set(KPROF_CUDA AUTO CACHE STRING "Live collection and the reference kernels: AUTO, ON (an error without a toolkit) or OFF")
set_property(CACHE KPROF_CUDA PROPERTY STRINGS AUTO ON OFF)
option(KPROF_WERROR "Warnings are errors" OFF)
option(KPROF_SANITIZE "AddressSanitizer and UBSan" OFF)
option(KPROF_BUILD_TESTS "Build the tests" ON)

if(NOT KPROF_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "KPROF_CUDA is '${KPROF_CUDA}'; it can be AUTO, ON or OFF: cmake -DKPROF_CUDA=AUTO ...")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo" FORCE)
endif()
# -O2: nothing here is hot enough for -O3, and half of the first build's six minutes is the compiler.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

add_library(kprof_build INTERFACE)
target_include_directories(kprof_build INTERFACE "${CMAKE_SOURCE_DIR}/src")
set(KPROF_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion)
if(KPROF_WERROR)
  list(APPEND KPROF_WARNINGS -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  list(APPEND KPROF_WARNINGS -Wno-restrict)  # GCC 12's false alarm on std::string operator+ (PR 105651)
endif()
foreach(warning IN LISTS KPROF_WARNINGS)
  target_compile_options(kprof_build INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${warning}>")
endforeach()
if(KPROF_SANITIZE)
  # -O1 -g1: readable traces at half the compile time of -g.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
endif()

# kprof_library(NAME folder-library DEPENDS libs...): every .cpp of the folder.
function(kprof_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;PRIVATE;SOURCES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  add_library(${name} STATIC ${sources} ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS} PRIVATE kprof_build ${ARG_PRIVATE})
  target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}/src")
endfunction()
