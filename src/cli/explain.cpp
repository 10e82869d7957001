// kprof explain: the meaning, the threshold and the source of a rule, a metric, a GPU or a reference kernel.
#include <cstdio>
#include <memory>
#include <optional>

#include "cli/app.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "core/format.hpp"
#include "core/strings.hpp"
#include "kernels/registry.hpp"

namespace kprof::cli {

namespace {

std::string paragraph(const std::string& label, const std::string& text) {
    if (text.empty()) return {};
    std::string out;
    for (const std::string& line : wrap(text, static_cast<std::size_t>(terminal_width()) - 12))
        out += (out.empty() ? pad_right(label, 12) : std::string(12, ' ')) + line + "\n";
    return out;
}

// "{dram_bytes:1}" of a rule's sentence stands for a number that only a kernel has.
std::string with_placeholders(const std::string& pattern) {
    std::string out;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const std::size_t end = pattern[i] == '{' ? pattern.find('}', i) : std::string::npos;
        if (end == std::string::npos) {
            out += pattern[i];
            continue;
        }
        out += "<" + pattern.substr(i + 1, pattern.find_first_of(":}", i) - i - 1) + ">";
        i = end;
    }
    return out;
}

std::string explain_rule(const RuleSet& rules, const std::string& id) {
    const RuleText t = describe(rules, id);
    std::string out = id + ": " + t.title + "\n\n" + paragraph("meaning", t.explains) +
                      paragraph("applies if", t.applies) + paragraph("fails if", t.fails);
    if (t.threshold)
        out += paragraph("threshold",
                         format_value(*t.threshold, t.unit) + "   (kprof ... --threshold " + id + "=N)");
    const std::vector<std::string> advice = split(with_placeholders(t.advice), '\n');
    for (const std::string& text : advice) out += paragraph(&text == &advice.front() ? "advice" : "or", text);
    return out + paragraph("source", t.source);
}

std::string explain_metric(const MetricDef& d) {
    std::string out = d.id + ": " + d.title + (d.unit.empty() ? "" : " [" + d.unit + "]") + "\n\n" +
                      paragraph("meaning", d.description);
    for (const MetricAlternative& a : d.alternatives)
        out += paragraph(&a == &d.alternatives.front() ? "formula" : "or",
                         a.formula.text() + (a.because.empty() ? "" : "   (" + a.because + ")"));
    return out + paragraph("missing", d.unsupported_because) + paragraph("source", d.source);
}

std::string explain_gpu(const Machine& m) {
    std::string out = m.id + ": " + m.name + ", " + std::to_string(m.sm_count) + " SMs, " +
                      format_bytes(static_cast<double>(m.memory_bytes)) + "\n\n";
    for (const Ceiling& c : m.ceilings) {
        const std::string name = c.name + (c.pipe.empty() ? "" : " " + c.pipe);
        const std::string value = c.unit == "B/s" ? format_bandwidth(c.value) : format_flops(c.value);
        out += "  " + pad_right(name, 14) + pad_left(value, 13) + "  " + c.origin + " [" + c.mark + "]  " +
               c.source + "\n";
    }
    for (const std::string& note : m.notes) out += paragraph("note", note);
    return out + "\n[V] verified against a primary source, [S] secondary source only, [U] unverified\n";
}

std::string explain_kernel(const KernelDef& d) {
    std::vector<std::string> types;
    for (const DType t : d.dtypes) types.emplace_back(to_string(t));
    return d.family + " / " + d.variant + ": " + d.title + "\n\n" + paragraph("dtypes", join(types, ", ")) +
           paragraph("shape", join(d.extents, " x ") + ", default " + to_string(d.default_shape)) +
           paragraph("planted", d.expected) + paragraph("mended by", d.twin);
}

std::string explain(const std::string& word, App& app) {
    const RuleSet rules = RuleSet::load(app.store());
    if (rules.find(word)) return explain_rule(rules, word);
    const Catalogue catalogue = Catalogue::load(app.store(), "nvidia", "GH100");
    if (const MetricDef* d = catalogue.find(word)) return explain_metric(*d);
    std::vector<std::string> known = rules.ids();
    known.insert(known.end(), catalogue.ids().begin(), catalogue.ids().end());
    for (const std::string& id : gpu_ids(app)) {
        if (id == lower(word)) return explain_gpu(load_machine(app.store(), id));
        known.push_back(id);
    }
    for (const KernelDef* d : all_kernels()) {
        const std::string full = d->family + "/" + d->variant;
        if (full == word) return explain_kernel(*d);
        known.push_back(full);
    }
    std::string family;
    for (const KernelDef* d : all_kernels())
        if (d->family == word) family += (family.empty() ? "" : "\n") + explain_kernel(*d);
    if (!family.empty()) return family;
    throw usage_error("nothing is called '" + word + "'" + did_you_mean(word, known),
                      "kprof list rules, kprof list metrics, kprof list gpus and kprof list variants show "
                      "what can be explained");
}

}  // namespace

void add_explain(App& app) {
    Command& c = app.root.subcommand(
        "explain", "the meaning, the threshold and the source of a rule, metric, GPU or kernel");
    auto word = std::make_shared<std::string>();
    c.positional("NAME", *word, true, "a rule, metric, GPU or kernel", [&app] {
        std::vector<std::string> words = rule_ids(app);
        const Catalogue catalogue = Catalogue::load(app.store(), "nvidia", "GH100");
        words.insert(words.end(), catalogue.ids().begin(), catalogue.ids().end());
        for (const std::string& id : gpu_ids(app)) words.push_back(id);
        for (const KernelDef* d : all_kernels()) words.push_back(d->family + "/" + d->variant);
        return words;
    });
    c.examples({"kprof explain tensor_cores", "kprof explain sectors_per_request", "kprof explain mi300x",
                "kprof explain gemm/naive"});
    c.action([word, &app]() -> int {
        std::string text = explain(*word, app);
        fputs((locale_is_ascii() ? to_ascii(text) : text).c_str(), stdout);
        return 0;
    });
}

}  // namespace kprof::cli
