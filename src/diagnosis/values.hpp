// The names that formulas and sentences of the rules may use, with their values for one kernel: facts first,
// then metrics. A name without a value is missing, never 0.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/measurement.hpp"
#include "metrics/formula.hpp"

namespace kprof {

class Values {
  public:
    explicit Values(const MetricSet& metrics);
    Values(const Values&) = delete;
    Values& operator=(const Values&) = delete;

    // Facts win over metrics of the same name (the analytic FLOPs over the counted ones). A value that is
    // not finite is not set.
    void set(const std::string& name, double value, const std::string& unit = {});
    void set_text(const std::string& name, const std::string& text);
    void erase(const std::string& name);

    std::optional<double> number(const std::string& name) const;
    const std::string* text(const std::string& name) const;
    std::string unit(const std::string& name) const;
    // The metric itself, for its status and reason; nullptr when it was never derived.
    const Measurement* metric(const std::string& name) const;

    std::optional<double> evaluate(const Formula& f) const;
    Formula::Result result(const Formula& f) const { return f.evaluate(lookup_); }

  private:
    struct Fact {
        double value;
        std::string unit;
    };
    const MetricSet* metrics_;
    std::unordered_map<std::string, Fact> facts_;
    std::unordered_map<std::string, std::string> texts_;
    std::function<std::optional<double>(const std::string&)> lookup_;
};

}  // namespace kprof
