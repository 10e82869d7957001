#include "roofline/point.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace kprof {

void finish(RooflinePoint& p) {
    const bool has_compute = p.compute_roof > 0, has_bandwidth = p.bandwidth_roof > 0;
    const double slope = p.intensity * p.bandwidth_roof;
    if (has_compute && has_bandwidth) {
        p.ridge = p.compute_roof / p.bandwidth_roof;
        p.attainable = std::min(p.compute_roof, slope);
        p.bound = p.intensity < p.ridge ? "memory" : "compute";
    } else if (has_bandwidth) {
        p.attainable = slope;
        p.bound = "memory";
    } else {
        p.attainable = p.compute_roof;
        p.bound = has_compute ? "compute" : "";
    }
    if (p.attainable > 0) p.fraction = p.performance / p.attainable;
    p.above_roof = p.fraction > roof_tolerance;
}

void finish_measured(RooflinePoint& p) {
    const double own = p.bound == "memory" ? p.measured_bandwidth_roof : p.measured_compute_roof;
    if (own <= 0) return;
    const double bandwidth = p.measured_bandwidth_roof > 0 ? p.measured_bandwidth_roof : p.bandwidth_roof;
    const double compute = p.measured_compute_roof > 0 ? p.measured_compute_roof : p.compute_roof;
    double reachable = p.intensity * bandwidth;
    if (compute > 0) reachable = bandwidth > 0 ? std::min(reachable, compute) : compute;
    if (reachable > 0) p.measured_fraction = p.performance / reachable;
}

bool is_finite(const RooflinePoint& p) {
    const std::array<double, 9> numbers{p.intensity, p.performance,  p.attainable,
                                        p.fraction,  p.compute_roof, p.bandwidth_roof,
                                        p.ridge,     p.time_ns,      p.measured_fraction};
    return std::all_of(numbers.begin(), numbers.end(), [](double v) { return std::isfinite(v); });
}

ComputeRoof roof_of_pipe(const Machine& machine, const std::string& precision, const std::string& pipe) {
    ComputeRoof r{machine.compute(precision, pipe), precision, pipe, {}};
    const bool narrow =
        precision == "bf16" || precision == "fp16" || precision == "fp8" || precision == "int8";
    if (!r.ceiling && pipe == "vector" && narrow) {
        r.ceiling = machine.compute("fp32", "vector");
        if (r.ceiling) {
            r.note = "no vector peak of " + precision + " is known for " + machine.name +
                     ": placed under its FP32 vector roof";
        }
    }
    return r;
}

ComputeRoof roof_for(const Machine& machine, const std::string& precision, bool matrix_product) {
    const bool tensor = matrix_product && precision != "fp32";
    // Some GPUs multiply FP64 matrices on their vector pipes only.
    if (tensor && precision == "fp64" && !machine.compute("fp64", "tensor")) {
        return roof_of_pipe(machine, precision, "vector");
    }
    return roof_of_pipe(machine, precision, tensor ? "tensor" : "vector");
}

}  // namespace kprof
