// --gpu: the same work on other GPUs, from its FLOPs and least bytes.
#include "core/format.hpp"
#include "report/sections.hpp"

namespace kprof {

Lines what_if_section(const Analysed& a, const Pen& pen) {
    std::vector<std::vector<std::string>> rows;
    bool flops = false;
    for (const RooflinePoint& p : a.placement.points) flops = flops || (p.what_if && p.attainable > 0);
    for (const RooflinePoint& p : a.placement.points) {
        if (!p.what_if) continue;
        // A kernel without FLOPs has a bandwidth to reach, not a rate of arithmetic.
        const std::string attainable =
            p.attainable > 0 ? format_flops(p.attainable) : format_bandwidth(p.bandwidth_roof);
        rows.push_back({pen.text(p.machine), pen.text(binding_roof(p)), pen.text(attainable),
                        p.time_ns > 0 ? pen.text(format_time_ns(p.time_ns)) : pen.dash()});
    }
    if (rows.empty()) return {};
    Lines lines{pen.bold("on other GPUs, at best")};
    append(lines, table(pen, "    ",
                        {{"GPU", false, true},
                         {"bound by"},
                         {flops ? "attainable" : "bandwidth", true},
                         {"least time", true}},
                        rows));
    return lines;
}

}  // namespace kprof
