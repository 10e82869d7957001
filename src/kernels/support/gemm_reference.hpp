// The device part of verifying a product: references in FP64, errors summed up on the device. The host part,
// with tolerances and words, is gemm_verify.
#pragma once

#include "kernels/support/gemm_family.hpp"

namespace kprof {

// Sums of one comparison. All zero at the start (a memset).
struct ErrorSums {
    double error_squared = 0;           // Σ (out - ref)²
    double reference_squared = 0;       // Σ ref²
    double largest_error = 0;           // max |out - ref|
    unsigned long long not_finite = 0;  // NaN or infinite elements of the output seen
};

// Compares C at each crossing of the listed rows and columns with an FP64 sum, after bias and GELU where the
// task has them. All pointers: device memory.
void compare_elements(const GemmCall& call, GemmTask task, const int* rows, int row_count, const int* columns,
                      int column_count, ErrorSums* sums);

// Freivalds' check of a plain product: with a random vector x of ±1, C·x must equal A·(B·x). It touches every
// element of C at the cost of reading the matrices once; one wrong element shows in the sum of its row. `x`
// holds n, `y` k numbers of scratch. Counts every element that is not finite.
void compare_projections(const GemmCall& call, unsigned seed, double* x, double* y, ErrorSums* sums);

// Adds the elements of C that are NaN or infinite to sums->not_finite.
void count_not_finite(const GemmCall& call, ErrorSums* sums);

}  // namespace kprof
