#ifdef KPROF_WITH_CUDA
#include "kernels/support/tensor_map.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstring>

#include "core/error.hpp"
#include "kernels/support/device_memory.hpp"

namespace kprof {
namespace {

static_assert(sizeof(TensorMap) == sizeof(CUtensorMap) && alignof(TensorMap) % alignof(CUtensorMap) == 0);

// Found at run time through the runtime library, so that nothing links against the driver.
decltype(&cuTensorMapEncodeTiled) encode_function() {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    check_cuda(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                                &found),
               "cudaGetDriverEntryPointByVersion");
    if (found != cudaDriverEntryPointSuccess || function == nullptr) {
        throw environment_error("the driver has no function cuTensorMapEncodeTiled",
                                "TMA kernels need a driver for CUDA 12 or later (525 or later)");
    }
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
}

CUtensorMapDataType type_of(DType dtype) {
    switch (dtype) {
        case DType::fp64:
            return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
        case DType::fp32:
        case DType::tf32:
            return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
        case DType::bf16:
            return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
        case DType::fp16:
            return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
        case DType::fp8:
        case DType::int8:
            return CU_TENSOR_MAP_DATA_TYPE_UINT8;
    }
    return CU_TENSOR_MAP_DATA_TYPE_UINT8;
}

}  // namespace

TensorMapSpec matrix_map(const void* data, DType dtype, std::int64_t rows, std::int64_t columns,
                         std::int64_t pitch, int box_rows, int box_columns) {
    TensorMapSpec spec;
    spec.data = data;
    spec.dtype = dtype;
    spec.extent[0] = columns;
    spec.extent[1] = rows;
    spec.stride[0] = pitch * static_cast<std::int64_t>(size_of(dtype));
    spec.box[0] = box_columns;
    spec.box[1] = box_rows;
    return spec;
}

TensorMap make_tensor_map(const TensorMapSpec& spec) {
    static const auto encode = encode_function();
    cuuint64_t extent[5] = {}, stride[4] = {};
    cuuint32_t box[5] = {}, step[5] = {1, 1, 1, 1, 1};
    for (int i = 0; i < spec.rank; ++i) {
        extent[i] = static_cast<cuuint64_t>(spec.extent[i]);
        box[i] = static_cast<cuuint32_t>(spec.box[i]);
        if (i + 1 < spec.rank) stride[i] = static_cast<cuuint64_t>(spec.stride[i]);
    }
    CUtensorMap map;
    const CUresult status =
        encode(&map, type_of(spec.dtype), static_cast<cuuint32_t>(spec.rank), const_cast<void*>(spec.data),
               extent, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
               spec.swizzle_128 ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE,
               CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (status != CUDA_SUCCESS) {
        throw environment_error(
            fmt::format("cuTensorMapEncodeTiled failed ({}) for {} × {} elements in boxes of {} × {}",
                        static_cast<int>(status), spec.extent[1], spec.extent[0], spec.box[1], spec.box[0]),
            "rows must be multiples of 16 bytes; kprof doctor checks the driver");
    }
    TensorMap result;
    std::memcpy(&result, &map, sizeof result);
    return result;
}

}  // namespace kprof
#endif
