// Descriptions of tensors in memory for Hopper's copy engine (TMA). Made on the host, given to a kernel by
// value as `const __grid_constant__ TensorMap`. C++17 and light: every .cu that uses TMA includes it.
#pragma once

#include <cstdint>

#include "core/dtype.hpp"

namespace kprof {

// A CUtensorMap, whose layout is the driver's secret.
struct alignas(128) TensorMap {
    std::uint64_t opaque[16];
};

// Dimensions are counted from the innermost, whose elements lie side by side.
struct TensorMapSpec {
    const void* data = nullptr;  // 16-byte aligned
    DType dtype = DType::bf16;
    int rank = 2;                              // 1 to 5
    std::int64_t extent[5] = {1, 1, 1, 1, 1};  // elements, at most 2^32 each
    std::int64_t stride[4] = {};               // bytes from one row, plane... to the next: multiples of 16
    std::int32_t box[5] = {1, 1, 1, 1, 1};     // elements that one copy moves, at most 256 each
    // Permutes the 16-byte chunks of each 128-byte row in shared memory as wgmma and conflict-free reads want
    // them; the box's rows are then at most 128 bytes, and the tile lies at a multiple of 1,024 bytes.
    bool swizzle_128 = true;
};

// A row-major matrix whose rows begin `pitch` elements apart, moved in boxes of `box_rows` × `box_columns`.
TensorMapSpec matrix_map(const void* data, DType dtype, std::int64_t rows, std::int64_t columns,
                         std::int64_t pitch, int box_rows, int box_columns);

// Elements beyond the extents read as zero, and are not written. Throws Error(environment) where the driver
// has no tensor maps (before CUDA 12), or refuses this one (strides, alignment, box).
TensorMap make_tensor_map(const TensorMapSpec& spec);

}  // namespace kprof
