#include "core/dtype.hpp"

#include <array>

#include "core/error.hpp"
#include "core/strings.hpp"

namespace kprof {
namespace {

struct Row {
    DType type;
    const char* name;
    std::size_t bytes;
};

constexpr std::array<Row, 7> rows{{
    {DType::fp64, "fp64", 8},
    {DType::fp32, "fp32", 4},
    {DType::tf32, "tf32", 4},
    {DType::bf16, "bf16", 2},
    {DType::fp16, "fp16", 2},
    {DType::fp8, "fp8", 1},
    {DType::int8, "int8", 1},
}};

const Row& row_of(DType t) {
    for (const Row& row : rows) {
        if (row.type == t) return row;
    }
    throw Error(ExitCode::internal, "a data type without a name");
}

}  // namespace

const char* to_string(DType t) {
    return row_of(t).name;
}

std::optional<DType> dtype_from(const std::string& name) {
    const std::string wanted = lower(name);
    for (const Row& row : rows) {
        if (wanted == row.name) return row.type;
    }
    return std::nullopt;
}

const std::vector<DType>& all_dtypes() {
    static const std::vector<DType> all = [] {
        std::vector<DType> types;
        types.reserve(rows.size());
        for (const Row& row : rows) types.push_back(row.type);
        return types;
    }();
    return all;
}

std::size_t size_of(DType t) {
    return row_of(t).bytes;
}

}  // namespace kprof
