// The findings in order of expected gain: what it is, what it brings, what to change, and the evidence.
#include <fmt/format.h>

#include <algorithm>

#include "core/format.hpp"
#include "core/strings.hpp"
#include "report/sections.hpp"

namespace kprof {
namespace {

std::string gain_text(const Finding& f, const Pen& pen) {
    return f.gain ? pen.text(format_factor(*f.gain)) : pen.dash();
}

std::string evidence_text(const Finding& f) {
    std::vector<std::string> parts;
    for (const Evidence& e : f.evidence) {
        std::string part = e.metric + " " + (e.value ? format_value(*e.value, e.unit) : "–");
        if (e.threshold) part += " (" + e.op + " " + format_value(*e.threshold, e.unit) + ")";
        parts.push_back(std::move(part));
    }
    return join(parts, ", ");
}

Lines finding_lines(const Finding& f, const std::string& first, const Pen& pen) {
    // Room for sentences and for commands that stay whole: everything under the first line is indented a
    // little only.
    const std::string indent(4, ' ');
    const std::string advice = pen.text(f.advice.empty() ? f.title : f.advice);
    const std::string head = wrap(advice, pen.width() - display_width(first)).front();
    Lines lines = pen.paragraph(first, head);
    const std::string rest = trim(advice.substr(head.size()));
    if (!rest.empty()) append(lines, pen.paragraph(indent, rest));
    std::string because = evidence_text(f);
    if (f.gain && !f.gain_assumes.empty()) {
        because += (because.empty() ? "" : "; ") + format_factor(*f.gain) + " assumes " + f.gain_assumes;
    }
    if (!because.empty()) {
        for (const std::string& line : pen.paragraph(indent, pen.text(because))) {
            lines.push_back(pen.dim(line));
        }
    }
    if (!f.try_command.empty()) append(lines, pen.command(indent, pen.text(f.try_command)));
    return lines;
}

}  // namespace

Lines findings_section(const Analysed& a, const TextView& view, const Pen& pen) {
    const std::vector<Finding>& findings = a.diagnosis.findings;
    if (findings.empty()) return {};
    const std::size_t shown =
        pen.verbose() ? findings.size() : std::min(findings.size(), view.findings_shown);
    std::size_t rule_width = 0, gain_width = 0;
    for (std::size_t i = 0; i < shown; ++i) {
        rule_width = std::max(rule_width, display_width(pen.text(findings[i].rule)));
        gain_width = std::max(gain_width, display_width(gain_text(findings[i], pen)));
    }
    Lines lines{pen.bold("findings, by expected gain")};
    for (std::size_t i = 0; i < shown; ++i) {
        const Finding& f = findings[i];
        append(lines,
               finding_lines(f,
                             fmt::format("{:>2}  {}  {}  ", i + 1, pad_right(pen.text(f.rule), rule_width),
                                         pad_right(gain_text(f, pen), gain_width)),
                             pen));
    }
    if (shown < findings.size()) {
        lines.push_back(pen.dim(fmt::format("    {} more with -v", findings.size() - shown)));
    }
    return lines;
}

}  // namespace kprof
