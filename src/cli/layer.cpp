#include "cli/layer.hpp"

#include <cmath>
#include <map>
#include <optional>

#include "collect/live.hpp"
#include "core/error.hpp"
#include "core/strings.hpp"
#include "kernels/registry.hpp"
#include "metrics/formula.hpp"

namespace kprof::cli {

namespace {

constexpr const char* path = "models/llama-3-70b.json";

using Values = std::map<std::string, double>;

double evaluate(const JsonCursor& field, const Values& values) {
    const Formula formula(field.string(), field.origin() + ": " + field.path());
    const Formula::Result result = formula.evaluate([&](const std::string& name) -> std::optional<double> {
        const auto found = values.find(name);
        if (found == values.end()) return std::nullopt;
        return found->second;
    });
    if (!result.missing.empty())
        field.fail("there is no value of " + join(result.missing, ", "),
                   "values: the model's parameters, batch, tokens and tp");
    if (!result.value) field.fail("is not a finite number");
    return *result.value;
}

std::int64_t extent(const JsonCursor& field, const Values& values, int tp) {
    const double value = evaluate(field, values);
    if (value >= 1 && value == std::floor(value)) return static_cast<std::int64_t>(value);
    throw usage_error("--tp " + std::to_string(tp) + " does not divide this model: " + field.string() +
                          " is not a whole number",
                      "--tp 1, 2, 4 or 8");
}

// The variant, or its fallback where the GPU of this machine lacks what the variant needs.
const KernelDef& chosen(const JsonCursor& c, const std::optional<DeviceFacts>& device) {
    const std::string family = c.at("kernel").string();
    const KernelDef& def = find_kernel(family, c.at("variant").string());
    if (!device || !c.has("fallback") || missing_on(def.needs, def.variant, *device).empty()) return def;
    return find_kernel(family, c.at("fallback").string());
}

struct Part {
    SeriesRow row;
    KernelRequest request;
};

Part part_of(const JsonCursor& c, const Values& values, int tp, const std::optional<DeviceFacts>& device) {
    c.only({"name", "kernel", "variant", "fallback", "dtype", "shape", "count", "when"});
    Part part;
    part.row.label = c.at("name").string();
    part.row.count = c.number_or("count", 1);
    const KernelDef& def = chosen(c, device);
    part.request.family = def.family;
    part.request.variant = def.variant;
    part.request.dtype = to_string(dtype_for(def, c.at("dtype").string()));
    const JsonCursor shape = c.at("shape");
    shape.only(def.extents);
    for (const std::string& name : def.extents)
        part.request.shape.extents.emplace_back(name, extent(shape.at(name), values, tp));
    return part;
}

}  // namespace

Jobs layer_jobs(const RunOptions& o, const ConfigStore& store) {
    if (!o.variant.empty() || !o.shape.empty() || !o.dtype.empty() || !o.sweep.empty())
        throw usage_error("llm runs the kernels of a layer; it takes no variant, shape, dtype or sweep",
                          "kprof run llm --phase decode --tp 8 --batch 4 --tokens 8192");
    const JsonDocument document = store.load(path);
    const JsonCursor root = document.root();
    root.only({"id", "name", "source", "parameters", "launch_us", "phases", "notes"});
    const JsonCursor phases = root.at("phases");
    if (!phases.has(o.phase))
        throw usage_error(
            "llm has no phase '" + printable(o.phase) + "'" + did_you_mean(o.phase, phases.keys()),
            "--phase " + join(phases.keys(), "|"));
    const JsonCursor phase = phases.at(o.phase);
    phase.only({"batch", "tokens", "parts"});

    Values values;
    for (const std::string& name : root.at("parameters").keys())
        values[name] = root.at("parameters").at(name).number();
    values["tp"] = o.tp;
    values["batch"] = o.batch > 0 ? o.batch : phase.at("batch").number();
    values["tokens"] = o.tokens > 0 ? o.tokens : phase.at("tokens").number();

    const bool live = o.source == "auto" || o.source == "gpu";
    const std::optional<DeviceFacts> device = live ? look_for_gpu(o.device).device : std::nullopt;

    Jobs jobs;
    Series series;
    series.kind = "layer";
    series.title = "one layer of " + root.at("name").string() + " · " + o.phase + ", batch " +
                   std::to_string(static_cast<int>(values["batch"])) + ", " +
                   std::to_string(static_cast<int>(values["tokens"])) + " tokens · 1 of " +
                   std::to_string(o.tp) + (o.tp == 1 ? " GPU" : " GPUs");
    series.launch_ns = root.at("launch_us").number() * 1e3;
    series.notes = root.at("notes").strings();
    for (const JsonCursor& c : phase.at("parts").items()) {
        if (c.has("when") && evaluate(c.at("when"), values) == 0) continue;
        Part part = part_of(c, values, o.tp, device);
        series.rows.push_back(std::move(part.row));
        jobs.requests.push_back(std::move(part.request));
    }
    jobs.series = std::move(series);
    return jobs;
}

}  // namespace kprof::cli
