#include <algorithm>

#include "ceilings/measure.hpp"

namespace kprof {

const std::vector<std::string>& ceiling_words() {
    static const std::vector<std::string> words = {"dram",   "l2",      "l1",   "smem", "vector",
                                                   "tensor", "special", "fp64", "fp32", "tf32",
                                                   "fp16",   "bf16",    "fp8",  "int8", "launch"};
    return words;
}

bool asked_for(const CeilingOptions& options, const std::string& name, const std::string& pipe) {
    return options.only.empty() ||
           std::any_of(options.only.begin(), options.only.end(), [&](const std::string& word) {
               return word == name || (!pipe.empty() && word == pipe);
           });
}

}  // namespace kprof
