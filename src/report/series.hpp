// Kernels that are read together: the ladder of a family, the sizes of a sweep, the kernels of a model's
// layer. Says what stands beside each kernel of a report; the numbers come from the kernels.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/report.hpp"

namespace kprof {

// time of `before` over time of `after`, where both were measured, are right and do the same work (FLOPs, or
// bytes where there are none, and shape); nothing otherwise.
std::optional<double> gain_between(const Analysed& before, const Analysed& after);

// Over the row before; over the variant that it mends.
std::optional<double> gain_over_before(const Report& r, std::size_t row);
std::optional<double> gain_over_mended(const Report& r, std::size_t row);

// Share of a row in the time of the layer (count x time over the sum); nothing while a time or a part is
// missing.
std::optional<double> share_of(const Report& r, std::size_t row);

// Least time of a kernel under the roofs of its machine (what_if()), ns: FLOPs over the compute roof, or
// minimum bytes over DRAM bandwidth, whichever is longer.
std::optional<double> roof_time_ns(const Analysed& a);

// What bounds a kernel of a layer: "launch" when it takes less than twice `launch_ns` and more than twice its
// least time; "latency" when it takes more than four times its least time; else the side of the ridge that
// its work lies on, "compute" or "memory". "" when that is not known.
std::string layer_bound(const Analysed& a, double launch_ns);

nlohmann::json series_json(const Report& r);

}  // namespace kprof
