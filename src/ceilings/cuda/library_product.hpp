// One matrix product of cuBLASLt, found at run time: the fastest that the library offers for a size.
#pragma once

#include <memory>
#include <string>

#include "ceilings/cuda/loops.hpp"

namespace kprof {

class LibraryLoop {
  public:
    // C = AᵀB of n x n matrices, column-major, both with k innermost (the only form of FP8 and INT8). Inputs
    // are random. Throws Error(environment) without the library or where it has no such product.
    LibraryLoop(loops::Matrix type, std::int64_t n);
    ~LibraryLoop();
    LibraryLoop(const LibraryLoop&) = delete;
    LibraryLoop& operator=(const LibraryLoop&) = delete;

    int choices() const;     // algorithms that the library offers, best guess first
    void choose(int index);  // of them; the first is chosen at the start
    void run();
    double work() const;  // FLOP of one run

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Random operands of a type: n elements.
void fill_operands(void* data, std::int64_t n, loops::Matrix type, std::uint64_t seed);
std::size_t operand_size(loops::Matrix type);  // bytes of an element

}  // namespace kprof
