// What a kernel's name tells: patterns over its words, so that "gemm" is found in "ampere_sgemm_128x64_nn"
// and in "GemmUniversal", and not in "regemmed".
#pragma once

#include <string>
#include <vector>

#include "core/profile.hpp"
#include "diagnosis/model.hpp"

namespace kprof {

// Lower case, words parted by one '_', also where camel case parts them: "void cutlass::GemmUniversal<4>" ->
// "_void_cutlass_gemm_universal_4_".
std::string name_words(const std::string& name);
// Whether one of the patterns (words with '_' between, wildcards of fnmatch) stands in `words`.
bool words_match(const std::string& words, const std::vector<std::string>& patterns);

// By the lists of configs/model/kernel_names.json.
// Matrix products and what is made of them (attention, convolutions).
bool is_matrix_product(const KernelId& id, const Model& model);
// Made of products, but no plain one: no library product takes the same time.
bool is_product_like(const KernelId& id, const Model& model);
bool is_library_kernel(const KernelId& id, const Model& model);

}  // namespace kprof
