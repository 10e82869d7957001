// Where counters come from. Three implementations: CUPTI (collect/cuda), a recording, and the model.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "collect/workload.hpp"
#include "core/config_store.hpp"
#include "core/profile.hpp"

namespace kprof {

struct CollectOptions {
    std::string cache = "cold";  // cold: L2 flushed before each pass and each timed repeat; warm: not
    int max_repeats = 50;
    int min_repeats = 5;
    double target_spread = 0.005;
    bool verify = true;
    bool counters = true;  // false: time only; CUPTI and its permission are then not needed
    int device = 0;
    // Called with short progress texts ("timing", "counters 2/4"); may be empty.
    std::function<void(const std::string&)> progress;
    // Polled between passes and repeats: true ends collection early and keeps what there is.
    std::function<bool()> cancelled;
};

// A session on one request: begin() gives time, launch facts, verification; collect() adds the raw counters
// asked for, in as many calls as stages are needed.
class CounterSource {
  public:
    virtual ~CounterSource() = default;
    virtual const char* kind() const = 0;  // "live" | "recording" | "model"
    // A profile without counters. Throws Error(environment) when this source cannot serve at all (no GPU, no
    // recording for the request; the text names what there is).
    virtual KernelProfile begin(const KernelRequest& request, const CollectOptions& options) = 0;
    // Adds `counters` that p.counters does not have yet; each gets a status (unsupported with a reason,
    // failed, ok). `stage` is a name for provenance. A source that has no more to give marks them
    // not_collected.
    virtual void collect(KernelProfile& p, const std::set<std::string>& counters, const std::string& stage,
                         const CollectOptions& options) = 0;
};

std::unique_ptr<CounterSource> make_recording_source(const ConfigStore& store);
// Analytic FLOPs, bytes and occupancy on `machine_id` (default the first what-if GPU): no time, no counters.
std::unique_ptr<CounterSource> make_model_source(const ConfigStore& store, Planner planner,
                                                 const std::string& machine_id);

struct RecordingKey {
    std::string path, family, variant, dtype, shape, gpu, date;
};
// What configs/recordings holds, from the file names:
// recordings/<gpu>/<family>-<variant>-<dtype>-<shape>.json, with _ for a - within a name.
std::vector<RecordingKey> list_recordings(const ConfigStore& store);

}  // namespace kprof
