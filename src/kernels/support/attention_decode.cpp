#include "kernels/support/attention_decode.hpp"

namespace kprof {
namespace {

std::int64_t partial_sum_count(const Call& call) {
    const AttentionShape s = attention_shape(call);
    return s.batch * s.heads * split_count(s) * 2;
}

std::int64_t partial_row_count(const Call& call) {
    return partial_sum_count(call) / 2 * attention_shape(call).depth;
}

int two_launches(const Call& /*call*/) {
    return 2;
}

}  // namespace

Variant split_attention_variant() {
    Variant v = decode_attention_variant();
    v.buffers.push_back({"partial rows", partial_row_count, Element::fp32, Role::scratch});
    v.buffers.push_back({"partial sums", partial_sum_count, Element::fp32, Role::scratch});
    v.launches = two_launches;
    return v;
}

}  // namespace kprof
