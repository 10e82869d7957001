// Data types of kernel inputs and the precision (roof) at which their arithmetic runs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kprof {

enum class DType { fp64, fp32, tf32, bf16, fp16, fp8, int8 };

const char* to_string(DType t);
std::optional<DType> dtype_from(const std::string& name);
const std::vector<DType>& all_dtypes();
// Bytes of one element in memory (TF32 is stored as FP32: 4).
std::size_t size_of(DType t);

}  // namespace kprof
