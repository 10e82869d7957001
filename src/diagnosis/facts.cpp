#include "diagnosis/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/strings.hpp"
#include "diagnosis/kernel_names.hpp"
#include "roofline/point.hpp"

namespace kprof {

namespace {

const FactInfo& listed(const std::string& name) {
    const FactInfo* info = find_fact(name);
    if (info == nullptr) {
        throw Error(ExitCode::internal, "fact '" + name + "' is not in the list of facts",
                    "add it to src/diagnosis/fact_list.cpp");
    }
    return *info;
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

void put_flag(Values& v, const std::string& name, bool on) {
    put_fact(v, name, on ? 1.0 : 0.0);
}

// Bytes of one element as it lies in memory; TF32 is stored as FP32.
std::optional<double> element_bytes(const std::string& type) {
    static const std::pair<const char*, double> sizes[] = {{"fp64", 8},  {"fp32", 4}, {"tf32", 4},
                                                           {"int32", 4}, {"bf16", 2}, {"fp16", 2},
                                                           {"fp8", 1},   {"int8", 1}};
    for (const auto& [name, size] : sizes) {
        if (type == name) return size;
    }
    return std::nullopt;
}

// Of row-major A (m x k), B (k x n) and C (m x n) the rows are k and n long; m is only how many there are.
void put_rows(Values& v, double bytes) {
    const std::optional<double> n = v.number("n");
    const std::optional<double> k = v.number("k");
    if (!n || !k || !v.number("m")) return;
    const auto whole = [bytes](double length) { return std::fmod(length * bytes, 16) == 0; };
    put_flag(v, "aligned_rows", whole(*n) && whole(*k));
}

void put_element(Values& v, const KernelProfile& p) {
    std::optional<double> bytes = element_bytes(p.kernel.dtype);
    if (!bytes && p.work) bytes = element_bytes(p.work->precision);
    if (!bytes) return;
    put_fact(v, "element_bytes", *bytes);
    put_rows(v, *bytes);
}

void put_shape(Values& v, const KernelId& id) {
    if (id.shape.extents.empty()) return;
    bool aligned_16 = true;
    bool aligned_64 = true;
    bool product = true;
    for (const char* name : {"m", "n", "k"}) {
        const auto found = std::find_if(id.shape.extents.begin(), id.shape.extents.end(),
                                        [name](const auto& e) { return e.first == name; });
        if (found == id.shape.extents.end()) {
            product = false;
            continue;
        }
        put_fact(v, name, static_cast<double>(found->second));
        aligned_16 = aligned_16 && found->second % 16 == 0;
        aligned_64 = aligned_64 && found->second % 64 == 0;
    }
    if (product) {
        put_flag(v, "aligned_16", aligned_16);
        put_flag(v, "aligned_64", aligned_64);
    }
    const std::int64_t first = id.shape.extents.front().second;
    const bool equal = std::all_of(id.shape.extents.begin(), id.shape.extents.end(),
                                   [first](const auto& e) { return e.second == first; });
    put_fact(v, "shape", equal ? std::to_string(first) : to_string(id.shape));
}

// The command that runs the very kernel at hand: no advice is to name it.
void put_own_command(Values& v, const KernelId& id) {
    const std::string* shape = v.text("shape");
    if (id.family.empty() || shape == nullptr) return;
    put_fact(v, "own_command",
             "kprof run " + id.family + " --variant " + id.variant + " --dtype " + id.dtype + " --shape " +
                 *shape);
}

void put_launch(Values& v, const Launch& launch) {
    if (!launch.known()) return;
    put_fact(v, "blocks", static_cast<double>(launch.blocks()));
    put_fact(v, "threads_per_block", static_cast<double>(launch.threads_per_block()));
    if (launch.registers) put_fact(v, "registers", *launch.registers);
    if (launch.smem_static && launch.smem_dynamic) {
        put_fact(v, "smem_per_block", static_cast<double>(*launch.smem_static + *launch.smem_dynamic));
    }
}

void put_occupancy(Values& v, const Occupancy& o) {
    put_fact(v, "theoretical_occupancy", 100 * o.fraction);
    put_fact(v, "blocks_per_sm", o.blocks_per_sm);
    put_fact(v, "waves", o.waves);
    put_fact(v, "limiter", join(o.limiters, " and "));
    const auto limits = [&o](const char* what) {
        return std::find(o.limiters.begin(), o.limiters.end(), what) != o.limiters.end();
    };
    put_flag(v, "limits_registers", limits("registers"));
    put_flag(v, "limits_smem", limits("shared memory"));
    put_flag(v, "limits_blocks", limits("blocks"));
}

// The kernel's own roof: that of its precision on the pipe where its arithmetic runs, as place() has it.
void put_own_roof(Values& v, const Machine& machine, const std::string& precision, bool product) {
    if (precision.empty()) return;
    const Ceiling* own = roof_for(machine, precision, product).ceiling;
    if (own == nullptr) return;
    v.set("roof.kernel", own->value, own->unit);
    const Ceiling* reached = machine.measured_compute(own->name, own->pipe);
    if (reached != nullptr) v.set("measured.kernel", reached->value, reached->unit);
    if (own->clock_mhz > 0) put_fact(v, "roof_clock_mhz", own->clock_mhz);
    put_flag(v, "is_tensor_dtype", own->pipe == "tensor" && precision != "fp64");
}

void put_machine(Values& v, const Machine& machine) {
    put_fact(v, "machine", machine.name);
    put_fact(v, "sm_count", machine.sm_count);
    if (machine.l2_bytes > 0) put_fact(v, "l2_size", static_cast<double>(machine.l2_bytes));
    if (machine.sm.schedulers > 0) {
        put_fact(v, "warps_per_scheduler", static_cast<double>(machine.sm.max_warps) / machine.sm.schedulers);
    }
    if (machine.clock_mhz > 0) put_fact(v, "clock_max_hz", machine.clock_mhz * 1e6);
    for (const Ceiling& c : machine.ceilings) {
        // The roof of a precision is its tensor roof where there is one (Machine::compute).
        const Ceiling* roof = c.kind == "bandwidth" ? &c : machine.compute(c.name);
        if (roof != nullptr) v.set("roof." + c.name, roof->value, roof->unit);
    }
    for (const Ceiling& c : machine.measured) {
        const Ceiling* roof = c.kind == "bandwidth"
                                  ? machine.measured_bandwidth(c.name)
                                  : machine.measured_compute(c.name, c.pipe == "xu" ? c.pipe : "");
        if (roof != nullptr) v.set("measured." + c.name, roof->value, roof->unit);
    }
}

void put_clock(Values& v, const KernelProfile& p) {
    std::optional<double> held = v.number("sm_clock_hz");
    if (!held && p.provenance.clock_sm_mhz) held = *p.provenance.clock_sm_mhz * 1e6;
    if (!held || !(*held > 0)) return;
    put_fact(v, "clock_held_hz", *held);
    if (const std::optional<double> boost = v.number("clock_max_hz")) {
        put_fact(v, "clock_share", *held / *boost);
    }
}

void put_above_roof(Values& v, const Placement& placement) {
    const RooflinePoint* worst = nullptr;
    for (const RooflinePoint& point : placement.points) {
        if (!point.above_roof || point.what_if) continue;
        if (worst == nullptr || point.fraction > worst->fraction) worst = &point;
    }
    if (worst == nullptr) return;
    put_fact(v, "above_roof", 100 * (worst->fraction - 1));
    put_fact(v, "roof_level",
             worst->bound == "compute" ? upper(worst->precision) + " " + worst->pipe : upper(worst->level));
}

void put_precision(Values& v, const std::string& precision, const Model& model, bool plain) {
    if (precision.empty()) return;
    put_fact(v, "precision", upper(precision));
    if (!plain) return;
    for (const LibraryDef& entry : model.library) {
        if (std::find(entry.suggest_for.begin(), entry.suggest_for.end(), precision) ==
            entry.suggest_for.end()) {
            continue;
        }
        put_fact(v, "suggested", upper(entry.precision));
        put_fact(v, "suggested_dtype", entry.precision);
        put_flag(v, "has_library", true);
        // Its own precision is the best one to suggest: it is a tensor precision already.
        put_flag(v, "is_tensor_dtype", entry.precision == precision);
        return;
    }
}

}  // namespace

void put_fact(Values& v, const std::string& name, double value) {
    v.set(name, value, listed(name).unit);
}

void put_fact(Values& v, const std::string& name, const std::string& text) {
    listed(name);
    v.set_text(name, text);
}

void put_facts(Values& v, const DiagnosisInput& input, const Model& model) {
    const KernelProfile& p = input.profile;
    for (const auto& [name, constant] : model.constants) v.set(name, constant.value);
    if (!v.number("time") && p.time.ok()) put_fact(v, "time", p.time.value);

    // Nothing holds without the time; a reason why it failed is said, not passed over.
    for (const Measurement* m : {v.metric("time"), &p.time}) {
        if (m != nullptr && m->status == Status::failed)
            put_fact(v, "time_fault", m->reason.empty() ? "it failed" : m->reason);
    }
    put_flag(v, "has_work", p.work.has_value());
    put_flag(v, "work_bound", p.work && p.work->origin == "bound");
    put_flag(v, "has_min_bytes", p.work && p.work->min_bytes > 0);
    if (p.work && p.work->flops > 0) put_fact(v, "flops", p.work->flops);
    if (p.work && p.work->min_bytes > 0) put_fact(v, "min_bytes", p.work->min_bytes);
    const bool product = p.work ? p.work->matrix_product : is_matrix_product(p.kernel, model);
    put_flag(v, "matrix_product", product);
    const bool product_like = is_product_like(p.kernel, model);
    put_flag(v, "product_like", product_like);
    put_flag(v, "library_kernel", is_library_kernel(p.kernel, model));
    put_flag(v, "has_library", false);

    put_flag(v, "builtin", !p.kernel.family.empty());
    if (!p.kernel.family.empty()) {
        put_flag(v, "family." + p.kernel.family, true);
        put_fact(v, "family", p.kernel.family);
    }
    put_fact(v, "dtype", p.kernel.dtype);
    put_shape(v, p.kernel);
    put_element(v, p);
    put_own_command(v, p.kernel);
    put_flag(v, "cold", p.provenance.cache == "cold");
    put_launch(v, p.launch);

    std::string precision = p.work ? p.work->precision : std::string();
    if (precision.empty() && input.placement != nullptr && !input.placement->points.empty()) {
        precision = input.placement->points.front().precision;
    }
    if (input.machine != nullptr) {
        put_machine(v, *input.machine);
        put_own_roof(v, *input.machine, precision, product);
    }
    put_clock(v, p);
    if (input.occupancy != nullptr && input.occupancy->has_value()) put_occupancy(v, **input.occupancy);
    if (input.placement != nullptr) put_above_roof(v, *input.placement);
    put_precision(v, precision, model, !product_like);

    if (p.verification.error) {
        put_fact(v, "verification_error", *p.verification.error);
        put_fact(v, "verification_error_text", fmt::format("{:.2g}", *p.verification.error));
    }
    if (p.verification.tolerance) {
        put_fact(v, "verification_tolerance", *p.verification.tolerance);
        put_fact(v, "verification_tolerance_text", fmt::format("{:.2g}", *p.verification.tolerance));
    }
    put_fact(v, "failure", p.failure);
}

void put_library_times(Values& v, const Model& model) {
    const std::string* suggested = v.text("suggested_dtype");
    for (const LibraryDef& entry : model.library) {
        for (const Formula& f : entry.time) {
            const std::optional<double> time = v.evaluate(f);
            if (!time) continue;
            put_fact(v, "library." + entry.precision, *time);
            if (suggested != nullptr && *suggested == entry.precision) {
                put_fact(v, "library.suggested", *time);
            }
            break;
        }
    }
}

}  // namespace kprof
