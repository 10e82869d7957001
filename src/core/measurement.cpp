#include "core/measurement.hpp"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/strings.hpp"

namespace kprof {
namespace {

constexpr std::array<std::pair<Status, const char*>, 4> statuses{{
    {Status::ok, "ok"},
    {Status::unsupported, "unsupported"},
    {Status::failed, "failed"},
    {Status::not_collected, "not_collected"},
}};
constexpr std::array<std::pair<Origin, const char*>, 4> origins{{
    {Origin::counter, "counter"},
    {Origin::timer, "timer"},
    {Origin::model, "model"},
    {Origin::imported, "imported"},
}};

template <typename Table, typename Enum>
const char* name_in(const Table& table, Enum wanted) {
    for (const auto& [value, name] : table) {
        if (value == wanted) return name;
    }
    throw Error(ExitCode::internal, "an enumeration value without a name");
}

template <typename Table>
auto value_in(const Table& table, const std::string& wanted, const std::string& what) {
    std::vector<std::string> names;
    for (const auto& [value, name] : table) {
        if (wanted == name) return value;
        names.emplace_back(name);
    }
    throw usage_error("unknown " + what + " '" + printable(wanted) + "'" + did_you_mean(wanted, names),
                      "one of " + join(names, ", "));
}

}  // namespace

const char* to_string(Status s) {
    return name_in(statuses, s);
}
const char* to_string(Origin o) {
    return name_in(origins, o);
}
Status status_from(const std::string& name) {
    return value_in(statuses, name, "status");
}
Origin origin_from(const std::string& name) {
    return value_in(origins, name, "origin");
}

Measurement Measurement::of(std::string id, double value, std::string unit, Origin origin) {
    if (!std::isfinite(value)) {
        Measurement m = missing(std::move(id), std::move(unit), Status::failed, "not a finite number");
        m.origin = origin;
        return m;
    }
    Measurement m;
    m.id = std::move(id);
    m.value = value;
    m.unit = std::move(unit);
    m.status = Status::ok;
    m.origin = origin;
    return m;
}

Measurement Measurement::missing(std::string id, std::string unit, Status status, std::string reason) {
    Measurement m;
    m.id = std::move(id);
    m.unit = std::move(unit);
    m.status = status;
    m.reason = std::move(reason);
    return m;
}

}  // namespace kprof
