#include "kernels/support/variant_verify.hpp"

namespace kprof {

namespace {

double by_dtype(DType dtype) {
    switch (dtype) {
        case DType::fp64:
            return 1e-12;
        case DType::tf32:
            return 1e-3;
        case DType::bf16:
            return 4e-3;  // twice what storing a value in BF16 can cost it (2^-9)
        case DType::fp16:
            return 2e-3;
        case DType::fp8:
            return 5e-2;
        case DType::fp32:
        case DType::int8:
            break;
    }
    return 1e-5;
}

}  // namespace

double tolerance_of(const Variant& variant, DType dtype) {
    if (variant.exact) return 0;
    return (variant.tolerance > 0 ? variant.tolerance : by_dtype(dtype)) * variant.tolerance_factor;
}

}  // namespace kprof
