#include "cli/measure.hpp"

#include "cli/interrupt.hpp"
#include "collect/live.hpp"
#include "collect/session.hpp"
#include "core/error.hpp"
#include "core/strings.hpp"
#include "kernels/registry.hpp"

namespace kprof::cli {

Source choose_source(const RunOptions& o, const ConfigStore& store) {
    if (o.source == "model")
        return {make_model_source(store, plan_kernel, o.model_gpu.empty() ? "h200" : lower(o.model_gpu)),
                "model", ""};
    if (o.source == "recording")
        return {make_recording_source(store), "recording", "asked for by --source recording"};
    const GpuLook look = look_for_gpu(o.device);
    if (o.source == "gpu" && !look.usable)
        throw environment_error(look.why_not,
                                look.remedy + "\nkprof doctor   looks at everything that profiling needs");
    if (o.source == "gpu") return {make_live_source(plan_kernel), "live", ""};
    if (look.usable) return {make_live_source(plan_kernel), "live", ""};
    return {make_recording_source(store), "recording", look.why_not};
}

Analysed measure(CounterSource& source, const KernelRequest& request, const RunOptions& o, Analyser& analyser,
                 const std::function<void(const std::string&)>& progress) {
    CollectOptions options;
    options.cache = o.cache;
    options.device = o.device;
    options.verify = !o.no_verify;
    options.progress = progress;
    options.cancelled = interrupted;
    if (o.repeats > 0) options.min_repeats = options.max_repeats = o.repeats;

    const StagePlan plan = load_stages(analyser.store(), o.metrics);
    const KernelProfile profile = collect_staged(
        source, request, plan, options,
        [&](const KernelProfile& so_far) {
            const std::vector<std::string> wanted = analyser.analyse(so_far).diagnosis.wanted;
            return std::set<std::string>(wanted.begin(), wanted.end());
        },
        [&](const KernelProfile& so_far, const std::set<std::string>& metrics) {
            const DeviceFacts& device = so_far.provenance.device;
            const Catalogue& catalogue = analyser.catalogue(device.vendor, device.chip);
            // Rules also read facts, and metrics that this chip's catalogue may lack.
            std::set<std::string> known;
            for (const std::string& id : metrics)
                if (catalogue.find(id)) known.insert(id);
            // `full` is what recordings are made of: a later kprof may want any of the alternatives.
            if (o.metrics == "full" && !so_far.counters.empty()) return catalogue.all_counters_for(known);
            return catalogue.next_counters(known, so_far, analyser.analyse(so_far).metrics);
        });
    return analyser.analyse(profile);
}

}  // namespace kprof::cli
