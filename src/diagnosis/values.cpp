#include "diagnosis/values.hpp"

#include <cmath>

namespace kprof {

Values::Values(const MetricSet& metrics)
    : metrics_(&metrics), lookup_([this](const std::string& name) { return number(name); }) {}

void Values::set(const std::string& name, double value, const std::string& unit) {
    if (std::isfinite(value)) facts_[name] = Fact{value, unit};
}

void Values::set_text(const std::string& name, const std::string& text) {
    if (!text.empty()) texts_[name] = text;
}

void Values::erase(const std::string& name) {
    facts_.erase(name);
    texts_.erase(name);
}

std::optional<double> Values::number(const std::string& name) const {
    if (const auto fact = facts_.find(name); fact != facts_.end()) return fact->second.value;
    const Measurement* m = metric(name);
    if (m == nullptr || !m->ok() || !std::isfinite(m->value)) return std::nullopt;
    return m->value;
}

const std::string* Values::text(const std::string& name) const {
    const auto found = texts_.find(name);
    return found == texts_.end() ? nullptr : &found->second;
}

std::string Values::unit(const std::string& name) const {
    if (const auto fact = facts_.find(name); fact != facts_.end()) return fact->second.unit;
    const Measurement* m = metric(name);
    return m == nullptr ? std::string() : m->unit;
}

const Measurement* Values::metric(const std::string& name) const {
    const auto found = metrics_->find(name);
    return found == metrics_->end() ? nullptr : &found->second;
}

std::optional<double> Values::evaluate(const Formula& f) const {
    return f.evaluate(lookup_).value;
}

}  // namespace kprof
