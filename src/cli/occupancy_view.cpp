#include "cli/occupancy_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/terminal.hpp"
#include "core/format.hpp"
#include "core/strings.hpp"

namespace kprof::cli {

namespace {

// The vendor's words for the same things.
struct Words {
    bool amd;
    std::string block() const { return amd ? "workgroup" : "block"; }
    std::string warps() const { return amd ? "waves" : "warps"; }
    std::string sm() const { return amd ? "CU" : "SM"; }
    std::string a_sm() const { return amd ? "a CU" : "an SM"; }
    std::string resource(const std::string& name) const {
        if (!amd) return name;
        if (name == "warps") return "waves";
        if (name == "blocks") return "workgroups";
        if (name == "registers") return "VGPRs";
        return name == "shared memory" ? "LDS" : name == "scalar registers" ? "SGPRs" : name;
    }
    std::string resources(const std::vector<std::string>& names) const {
        std::vector<std::string> said;
        said.reserve(names.size());
        for (const std::string& name : names) said.push_back(resource(name));
        return join(said, " and ");
    }
};

Words words_of(const Machine& m) {
    return {m.vendor == "amd"};
}

std::string count(std::int64_t n) {
    return format_count(static_cast<double>(n));
}

std::string percent(const Occupancy& o) {
    return fmt::format("{:.4g} %", 100 * o.fraction);
}

std::string state(const Occupancy& o, const Words& w) {
    return fmt::format("{} ({} {}{}, {} {})", percent(o), o.blocks_per_sm, w.block(),
                       o.blocks_per_sm == 1 ? "" : "s", o.warps_per_sm, w.warps());
}

std::string amount(const std::string& resource, std::int64_t n, const Words& w) {
    if (resource == "shared memory") return count(n) + " B of " + w.resource(resource) + " a " + w.block();
    return count(n) + " " + w.resource(resource) +
           (resource == "scalar registers" ? " a wave"
            : w.amd                        ? " a work-item"
                                           : " a thread");
}

// "32,768 B + 1,024 reserved: 33,792 of 233,472"
std::string taken(const ResourceUse& u, const Machine& m, const Words& w) {
    const std::string of = count(u.allocated) + " of " + count(u.available);
    if (u.resource == "warps") return count(u.asked) + (w.amd ? " work-items: " : " threads: ") + of;
    if (u.resource == "registers" && !w.amd)
        return fmt::format("{} a thread: {} a warp of {} × {}", u.asked, count(u.allocated), m.sm.schedulers,
                           count(u.available));
    if (u.resource == "registers")
        return fmt::format("{} a work-item: {} of {} in a SIMD lane", u.asked, u.allocated, u.available);
    if (u.resource == "scalar registers") return of + " in a SIMD";
    if (u.resource == "shared memory") {
        const std::string reserved =
            m.sm.smem_reserved > 0 ? " + " + count(m.sm.smem_reserved) + " reserved" : "";
        return count(u.asked) + " B" + reserved + ": " + of;
    }
    return of;
}

std::string limits_text(const BlockNeeds& needs, const Machine& m) {
    const Words w = words_of(m);
    std::string out = "  " + pad_right("limit", 15) + pad_right("a " + w.block() + " takes", 48) +
                      pad_left(w.block() + "s", 10) + "\n";
    for (const ResourceUse& u : resource_uses(needs, m))
        out += std::string(u.limits ? "✗ " : "  ") + pad_right(w.resource(u.resource), 15) +
               pad_right(taken(u, m, w), 48) + pad_left(u.blocks ? count(*u.blocks) : "–", 10) + "\n";
    return out;
}

std::string bounds_text(const OccupancyStep& step, const Words& w) {
    std::vector<std::string> parts;
    for (const ResourceBound& b : step.bounds)
        parts.push_back("at most " + amount(b.resource, b.at_most, w) + ", " + count(b.now - b.at_most) +
                        " less");
    return join(parts, ", and ");
}

// The steps, one a line: what is reached, and by what.
std::vector<std::pair<std::string, std::string>> steps(const BlockNeeds& needs, const Machine& m) {
    const Words w = words_of(m);
    std::vector<std::pair<std::string, std::string>> lines;
    const Occupancy now = occupancy_of(needs, m);
    const auto up = step_up(needs, m);
    if (up) lines.emplace_back("step up", state(up->reached, w) + ": " + bounds_text(*up, w));
    if (const auto other = nearest_better_block(needs, m))
        lines.emplace_back(up ? "or" : "step up",
                           fmt::format("{}: {} threads a {}, all else the same", state(other->reached, w),
                                       other->threads, w.block()));
    if (lines.empty())
        lines.emplace_back("step up", now.fraction >= 1 ? "none: the " + w.sm() + " is full"
                                                        : "none with any size of " + w.block());
    for (const OccupancyMargin& d : step_down(needs, m)) {
        const std::string beyond = d.beyond.blocks_per_sm > 0 ? state(d.beyond, w) : "it no longer fits";
        const std::string more =
            d.up_to > d.now ? count(d.up_to - d.now) + " more than now" : "what it has now";
        lines.emplace_back("step down", beyond + ": above " + amount(d.resource, d.up_to, w) + ", " + more);
    }
    return lines;
}

std::string needs_text(const BlockNeeds& n, const Words& w) {
    std::string out = fmt::format("{} threads", n.threads);
    out += n.registers ? ", " + amount("registers", *n.registers, w) : ", registers not given";
    if (n.sgprs) out += ", " + amount("scalar registers", *n.sgprs, w);
    return out + ", " + amount("shared memory", n.smem, w);
}

nlohmann::json state_json(const Occupancy& o) {
    return {{"blocks_per_sm", o.blocks_per_sm},
            {"warps_per_sm", o.warps_per_sm},
            {"occupancy", 100 * o.fraction}};
}

}  // namespace

std::string occupancy_text(const OccupancyQuestion& q, const Machine& m) {
    const Words w = words_of(m);
    const Occupancy o = occupancy_of(q.needs, m);
    const auto width = static_cast<std::size_t>(terminal_width());
    std::string out;
    const auto paragraph = [&](const std::string& label, const std::string& text) {
        std::string left = pad_right(label, 11);
        for (const std::string& line : wrap(text, width - 11)) {
            out += left + line + "\n";
            left = std::string(11, ' ');
        }
    };
    if (!q.kernel.empty()) paragraph("kernel", q.kernel);
    paragraph("on", m.name);
    paragraph("needs", needs_text(q.needs, w));
    paragraph("occupancy", o.blocks_per_sm > 0
                               ? fmt::format("{}: {} {}s a {}, {} of {} {}; limited by {}", percent(o),
                                             o.blocks_per_sm, w.block(), w.sm(), o.warps_per_sm,
                                             std::min(m.sm.max_warps, m.sm.max_threads / m.sm.warp_size),
                                             w.warps(), w.resources(o.limiters))
                               : "does not fit: " + o.problem);
    out += "\n" + limits_text(q.needs, m) + "\n";
    for (const auto& [label, text] : steps(q.needs, m)) paragraph(label, text);
    for (const std::string& note : q.notes) paragraph("note", note);
    return out;
}

nlohmann::json occupancy_json(const OccupancyQuestion& q, const Machine& m) {
    const Occupancy o = occupancy_of(q.needs, m);
    const auto known = [](const auto& value) {
        return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
    };
    nlohmann::json j = state_json(o);
    if (!q.kernel.empty()) j["kernel"] = q.kernel;
    j["needs"] = {{"threads", q.needs.threads},
                  {"registers", known(q.needs.registers)},
                  {"scalar_registers", known(q.needs.sgprs)},
                  {"smem", q.needs.smem}};
    j["limiters"] = o.limiters;
    j["problem"] = o.problem.empty() ? nlohmann::json(nullptr) : nlohmann::json(o.problem);
    j["notes"] = q.notes;
    j["limits"] = nlohmann::json::array();
    for (const ResourceUse& u : resource_uses(q.needs, m))
        j["limits"].push_back({{"resource", u.resource},
                               {"blocks", known(u.blocks)},
                               {"limits", u.limits},
                               {"asked", u.asked},
                               {"allocated", u.allocated},
                               {"available", u.available},
                               {"unit", u.unit}});
    j["step_up"] = nullptr;
    if (const auto up = step_up(q.needs, m)) {
        j["step_up"] = state_json(up->reached);
        for (const ResourceBound& b : up->bounds)
            j["step_up"]["bounds"].push_back(
                {{"resource", b.resource}, {"now", b.now}, {"at_most", b.at_most}});
    }
    j["better_block"] = nullptr;
    if (const auto other = nearest_better_block(q.needs, m)) {
        j["better_block"] = state_json(other->reached);
        j["better_block"]["threads"] = other->threads;
    }
    j["step_down"] = nlohmann::json::array();
    for (const OccupancyMargin& d : step_down(q.needs, m)) {
        j["step_down"].push_back(state_json(d.beyond));
        j["step_down"].back().update({{"resource", d.resource}, {"now", d.now}, {"up_to", d.up_to}});
    }
    return j;
}

Listing occupancy_sweep(const BlockNeeds& needs, const Machine& m) {
    const Words w = words_of(m);
    Listing l{{"threads", w.block() + "s", w.warps(), "occupancy", "limited by"}, {}, ""};
    for (int threads = m.sm.warp_size; threads <= m.sm.max_threads_per_block; threads += m.sm.warp_size) {
        BlockNeeds at = needs;
        at.threads = threads;
        const Occupancy o = occupancy_of(at, m);
        l.rows.push_back({std::to_string(threads), std::to_string(o.blocks_per_sm),
                          std::to_string(o.warps_per_sm), percent(o),
                          o.problem.empty() ? w.resources(o.limiters) : o.problem});
    }
    return l;
}

Listing occupancy_of_kernels(const std::vector<OccupancyQuestion>& questions, const Machine& m) {
    const Words w = words_of(m);
    Listing l{{"threads", w.resource("registers"), w.resource("scalar registers"),
               w.resource("shared memory"), w.warps(), "occupancy", "limited by", "kernel"},
              {},
              ""};
    for (const OccupancyQuestion& q : questions) {
        const Occupancy o = occupancy_of(q.needs, m);
        l.rows.push_back({std::to_string(q.needs.threads),
                          q.needs.registers ? std::to_string(*q.needs.registers) : "-",
                          q.needs.sgprs ? std::to_string(*q.needs.sgprs) : "-", count(q.needs.smem) + " B",
                          std::to_string(o.warps_per_sm), percent(o),
                          o.problem.empty() ? w.resources(o.limiters) : "does not fit", q.kernel});
    }
    return l;
}

}  // namespace kprof::cli
