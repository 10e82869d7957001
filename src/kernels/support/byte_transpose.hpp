// The transpose of a matrix of bytes on the device.
#pragma once

#include <cstdint>

namespace kprof {

// to[column][row] = from[row][column], both row-major without padding. Legacy stream.
void transpose_bytes(const void* from, void* to, std::int64_t rows, std::int64_t columns);

}  // namespace kprof
