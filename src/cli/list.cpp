// kprof list: what there is.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/app.hpp"
#include "cli/listing.hpp"
#include "cli/terminal.hpp"
#include "collect/counter_source.hpp"
#include "core/error.hpp"
#include "core/format.hpp"
#include "core/strings.hpp"
#include "diagnosis/diagnose.hpp"
#include "kernels/registry.hpp"
#include "metrics/catalogue.hpp"
#include "roofline/machine.hpp"

namespace kprof::cli {

namespace {

std::string dtypes_of(const KernelDef& d) {
    std::vector<std::string> names;
    for (const DType t : d.dtypes) names.emplace_back(to_string(t));
    return join(names, " ");
}

Listing kernels(App&) {
    Listing l{{"kernel", "default", "shape", "variants"},
              {},
              "kprof run KERNEL --variant V --dtype T; --variant all runs the ladder; kprof list variants   "
              "shows each; "
              "kprof run llm   runs the kernels of a model's layer"};
    for (const std::string& family : kernel_families()) {
        const KernelDef& chosen = find_kernel(family, "");
        std::vector<std::string> names;
        for (const KernelDef* d : variants_of(family)) names.push_back(d->variant);
        l.rows.push_back({family, chosen.variant, to_string(chosen.default_shape), join(names, " ")});
    }
    return l;
}

Listing variants(App&) {
    Listing l{{"kernel", "variant", "dtypes", "shape", "planted", "mended by", "title"}, {}, ""};
    for (const KernelDef* d : all_kernels()) {
        std::string title = d->title;
        if (d->needs.cc_major > 0)
            title += " (needs compute capability " + std::to_string(d->needs.cc_major) + "." +
                     std::to_string(d->needs.cc_minor) + ")";
        l.rows.push_back({d->family, d->variant, dtypes_of(*d), to_string(d->default_shape), d->expected,
                          d->twin.empty() ? "-" : d->twin, title});
    }
    return l;
}

// `list kernels --json`: what a script that runs the suite needs to know of each variant.
Json kernels_json() {
    Json out = Json::array();
    for (const KernelDef* d : all_kernels()) {
        Json dtypes = Json::array(), shape = Json::object();
        for (const DType t : d->dtypes) dtypes.push_back(to_string(t));
        for (const auto& [name, extent] : d->default_shape.extents) shape[name] = extent;
        Json needs = nullptr;
        if (d->needs.cc_major > 0)
            needs = {{"compute_capability",
                      std::to_string(d->needs.cc_major) + "." + std::to_string(d->needs.cc_minor)},
                     {"why", d->needs.what}};
        out.push_back({{"family", d->family},
                       {"variant", d->variant},
                       {"default", d->is_default},
                       {"title", d->title},
                       {"dtypes", std::move(dtypes)},
                       {"extents", d->extents},
                       {"shape", std::move(shape)},
                       {"expected", d->expected},
                       {"twin", d->twin.empty() ? Json(nullptr) : Json(d->twin)},
                       {"needs", std::move(needs)}});
    }
    return out;
}

std::string roof(const Machine& m, const std::string& precision) {
    const Ceiling* c = m.compute(precision);
    return c ? format_flops(c->value) : "-";
}

Listing gpus(App& app) {
    Listing l{{"gpu", "name", "SMs", "DRAM", "fp32", "bf16", "fp8"},
              {},
              "kprof explain h100   shows every number with its source"};
    for (const Machine& m : load_machines(app.store())) {
        const Ceiling* dram = m.bandwidth("dram");
        const Ceiling* fp32 = m.compute("fp32", "vector");
        l.rows.push_back({m.id, m.name, std::to_string(m.sm_count),
                          dram ? format_bandwidth(dram->value) : "-", fp32 ? format_flops(fp32->value) : "-",
                          roof(m, "bf16"), roof(m, "fp8")});
    }
    return l;
}

Listing metrics(App& app) {
    Listing l{{"metric", "unit", "group", "title"},
              {},
              "kprof explain METRIC   shows the formula and its counters"};
    const Catalogue catalogue = Catalogue::load(app.store(), "nvidia", "GH100");
    for (const std::string& id : catalogue.ids()) {
        const MetricDef& d = *catalogue.find(id);
        l.rows.push_back({id, d.unit, d.group, d.title});
    }
    return l;
}

Listing rules(App& app) {
    Listing l{
        {"rule", "step", "threshold", "title"}, {}, "kprof explain RULE   shows when it applies and why"};
    const RuleSet set = RuleSet::load(app.store());
    for (const std::string& id : set.ids()) {
        const RuleText t = describe(set, id);
        l.rows.push_back({id, t.step > 0 ? std::to_string(t.step) : "-",
                          t.threshold ? format_value(*t.threshold, t.unit) : "-", t.title});
    }
    return l;
}

Listing recordings(App& app) {
    Listing l{{"gpu", "kernel", "variant", "dtype", "shape", "date"}, {}, ""};
    for (const RecordingKey& r : list_recordings(app.store()))
        l.rows.push_back({r.gpu, r.family, r.variant, r.dtype, r.shape, r.date});
    return l;
}

const std::map<std::string, Listing (*)(App&)>& lists() {
    static const std::map<std::string, Listing (*)(App&)> all = {
        {"kernels", kernels}, {"variants", variants}, {"gpus", gpus},
        {"metrics", metrics}, {"rules", rules},       {"recordings", recordings}};
    return all;
}

std::vector<std::string> list_names() {
    std::vector<std::string> names;
    for (const auto& [name, make] : lists()) names.push_back(name);
    return names;
}

}  // namespace

void add_list(App& app) {
    Command& c =
        app.root.subcommand("list", "what there is: kernels, variants, gpus, metrics, rules, recordings");
    auto what = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    c.positional("WHAT", *what, true, join(list_names(), ", "), list_names);
    c.flag("--json", *json, "as JSON");
    c.examples({"kprof list kernels", "kprof list kernels --json", "kprof list gpus --json"});
    c.action([what, json, &app]() -> int {
        const auto found = lists().find(*what);
        if (found == lists().end())
            throw usage_error("nothing is called '" + *what + "'" + did_you_mean(*what, list_names()),
                              "kprof list " + join(list_names(), "|"));
        if (*json && *what == "kernels") {
            fputs((kernels_json().dump(2) + "\n").c_str(), stdout);
            return 0;
        }
        const Listing listing = found->second(app);
        // Into a pipe or a file goes everything.
        fputs(*json ? (listing.json().dump(2) + "\n").c_str()
                    : listing.text(stdout_is_terminal() ? std::max(terminal_width(), 100) : 10'000).c_str(),
              stdout);
        return 0;
    });
}

}  // namespace kprof::cli
