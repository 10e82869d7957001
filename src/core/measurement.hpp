// One measured or modelled value. A missing value is a status with a reason: never 0, never NaN.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace kprof {

enum class Status { ok, unsupported, failed, not_collected };
enum class Origin { counter, timer, model, imported };

const char* to_string(Status s);
const char* to_string(Origin o);
Status status_from(const std::string& name);  // throws Error(usage) on an unknown name
Origin origin_from(const std::string& name);

struct Measurement {
    std::string id;
    double value = 0;  // meaningful only when status is ok
    std::string unit;  // "ns", "B", "B/s", "FLOP", "FLOP/s", "%", "" (a plain ratio or count) ...
    Status status = Status::not_collected;
    Origin origin = Origin::counter;
    std::string reason;            // why it is not ok, or how an ok value was reached (a fallback, a bound)
    std::optional<double> spread;  // relative: half the interquartile range over the median of the repeats

    bool ok() const { return status == Status::ok; }
    std::optional<double> get() const { return ok() ? std::optional<double>(value) : std::nullopt; }

    // A value that is not finite becomes `failed` with that reason.
    static Measurement of(std::string id, double value, std::string unit, Origin origin);
    static Measurement missing(std::string id, std::string unit, Status status, std::string reason);
};

// Values are kept by name, never by position.
using MetricSet = std::map<std::string, Measurement>;

}  // namespace kprof
