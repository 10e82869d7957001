// The table of coefficients of cache/constant-*, made by the compiler: it is part of the program, as the
// tables in constant memory are.
#pragma once

#include "kernels/support/cache_family.hpp"

namespace kprof {

struct Table {
    float at[table_size];
};

// Numbers in [-1, 1) with 24 bits, from a linear congruential generator (Knuth's MMIX).
constexpr Table make_table() {
    Table table = {};
    unsigned long long state = 1;
    for (int i = 0; i < table_size; ++i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        table.at[i] = static_cast<float>(static_cast<int>(state >> 40)) / 8388608.0F - 1.0F;
    }
    return table;
}

}  // namespace kprof
