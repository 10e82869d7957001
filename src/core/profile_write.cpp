// KernelProfile -> JSON. Fields that are not known are left out; text is made safe first, for names come from
// other programs and need not be UTF-8.
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/profile_json.hpp"
#include "core/strings.hpp"
#include "core/version.hpp"

namespace kprof {
namespace {

class ObjectWriter {
  public:
    void text(const char* key, const std::string& value) {
        if (!value.empty()) json_[key] = printable(value);
    }
    void finite(const char* key, double value) {
        if (std::isfinite(value)) json_[key] = value;
    }
    void positive(const char* key, double value) {
        if (std::isfinite(value) && value > 0) json_[key] = value;
    }
    void integer(const char* key, std::int64_t value) { json_[key] = value; }
    // 0 stands for "not known" in these fields.
    void known(const char* key, std::int64_t value) {
        if (value != 0) json_[key] = value;
    }
    void optional(const char* key, const std::optional<double>& value) {
        if (value) finite(key, *value);
    }
    template <typename Integer>
    void optional(const char* key, const std::optional<Integer>& value) {
        if (value) json_[key] = *value;
    }
    void texts(const char* key, const std::vector<std::string>& values) {
        Json list = Json::array();
        for (const std::string& value : values) list.push_back(printable(value));
        if (!list.empty()) json_[key] = std::move(list);
    }
    void object(const char* key, Json value) {
        if (!value.empty()) json_[key] = std::move(value);
    }
    Json& json() { return json_; }
    Json take() { return std::move(json_); }

  private:
    Json json_ = Json::object();
};

// A JSON object keeps no order. Readers know m, n, k; any other order is written out.
bool order_is_known(const Shape& shape) {
    const auto& e = shape.extents;
    return e.size() < 2 || (e.size() == 3 && e[0].first == "m" && e[1].first == "n" && e[2].first == "k");
}

Json kernel_json(const KernelId& id) {
    ObjectWriter w;
    w.json()["name"] = printable(id.name);
    w.text("mangled", id.mangled);
    w.text("short", id.short_name);
    w.text("family", id.family);
    w.text("variant", id.variant);
    w.text("dtype", id.dtype);
    Json shape = Json::object();
    std::vector<std::string> order;
    for (const auto& [name, value] : id.shape.extents) {
        shape[printable(name)] = value;
        order.push_back(name);
    }
    w.object("shape", std::move(shape));
    if (!order_is_known(id.shape)) w.texts("extents", order);
    return w.take();
}

Json launch_json(const KernelProfile& p) {
    ObjectWriter w;
    if (p.launch.known()) {
        w.json()["grid"] = p.launch.grid;
        w.json()["block"] = p.launch.block;
        w.json()["cluster"] = p.launch.cluster;
    }
    w.optional("registers", p.launch.registers);
    w.optional("smem_static", p.launch.smem_static);
    w.optional("smem_dynamic", p.launch.smem_dynamic);
    w.optional("local_bytes", p.launch.local_bytes);
    w.optional("driver_blocks_per_sm", p.launch.driver_blocks_per_sm);
    w.integer("launches", p.launches);
    return w.take();
}

Json device_json(const DeviceFacts& d) {
    if (d == DeviceFacts{}) return Json::object();
    ObjectWriter w;
    w.text("name", d.name);
    w.text("chip", d.chip);
    w.text("vendor", d.vendor);
    w.known("cc_major", d.cc_major);
    if (d.cc_major != 0) w.integer("cc_minor", d.cc_minor);
    w.known("sm_count", d.sm_count);
    w.positive("clock_max_mhz", d.clock_max_mhz);
    w.positive("memory_clock_mhz", d.memory_clock_mhz);
    w.known("memory_bus_bits", d.memory_bus_bits);
    w.known("memory_bytes", d.memory_bytes);
    w.known("l2_bytes", d.l2_bytes);
    w.known("smem_per_sm", d.smem_per_sm);
    w.known("smem_per_block_optin", d.smem_per_block_optin);
    w.known("smem_reserved_per_block", d.smem_reserved_per_block);
    w.known("registers_per_sm", d.registers_per_sm);
    w.known("threads_per_sm", d.threads_per_sm);
    w.known("blocks_per_sm", d.blocks_per_sm);
    w.known("warp_size", d.warp_size);
    return w.take();
}

Json provenance_json(const Provenance& p) {
    ObjectWriter w;
    w.text("kind", p.kind);
    w.text("gpu", p.device.name);
    w.text("date", p.date);
    w.text("driver", p.driver);
    w.text("cuda", p.cuda);
    w.text("cupti", p.cupti);
    w.text("kprof", p.kprof);
    w.integer("passes", p.passes);
    w.integer("repeats", p.repeats);
    w.text("cache", p.cache);
    w.optional("clock_sm_mhz", p.clock_sm_mhz);
    w.optional("clock_before_mhz", p.clock_before_mhz);
    w.optional("clock_after_mhz", p.clock_after_mhz);
    w.optional("power_w", p.power_w);
    w.optional("temperature_c", p.temperature_c);
    w.text("throttle", p.throttle);
    w.texts("stages", p.stages);
    w.object("device", device_json(p.device));
    return w.take();
}

// What an `ok` that is no number says: the rule "never NaN out" holds for whoever filled the profile.
Measurement checked(const Measurement& m) {
    if (!m.ok() || std::isfinite(m.value)) return m;
    return Measurement::missing(m.id, m.unit, Status::failed, "not a finite number");
}

Json time_json(const Measurement& unchecked) {
    const Measurement m = checked(unchecked);
    ObjectWriter w;
    if (m.ok()) w.finite("value", m.value);
    w.text("unit", m.unit);
    w.text("status", to_string(m.status));
    w.text("origin", to_string(m.origin));
    w.optional("spread", m.spread);
    w.text("reason", m.reason);
    return w.take();
}

Json counters_json(const MetricSet& counters) {
    Json out = Json::object();
    for (const auto& [name, unchecked] : counters) {
        const Measurement m = checked(unchecked);
        if (m.ok()) {
            out[printable(name)] = m.value;
            continue;
        }
        ObjectWriter w;
        w.text("status", to_string(m.status));
        w.text("reason", m.reason);
        out[printable(name)] = w.take();
    }
    return out;
}

Json work_json(const Work& work) {
    ObjectWriter w;
    w.finite("flops", work.flops);
    w.finite("min_bytes", work.min_bytes);
    w.text("precision", work.precision);
    w.json()["matrix_product"] = work.matrix_product;
    w.text("origin", work.origin);
    return w.take();
}

Json verification_json(const Verification& v) {
    ObjectWriter w;
    w.text("status", v.status);
    w.optional("error", v.error);
    w.optional("tolerance", v.tolerance);
    w.text("detail", v.detail);
    return w.take();
}

}  // namespace

nlohmann::json to_json(const KernelProfile& p) {
    ObjectWriter w;
    w.object("kernel", kernel_json(p.kernel));
    w.object("launch", launch_json(p));
    w.object("provenance", provenance_json(p.provenance));
    w.object("time", time_json(p.time));
    w.json()["counters"] = counters_json(p.counters);
    if (p.work) w.object("work", work_json(*p.work));
    w.object("verification", verification_json(p.verification));
    w.texts("warnings", p.warnings);
    w.text("failure", p.failure);
    return w.take();
}

std::string write_profiles(const std::vector<KernelProfile>& profiles) {
    Json file = Json::object();
    file["schema_version"] = profile_schema_version;
    file["kprof"]["version"] = version();
    Json list = Json::array();
    for (const KernelProfile& p : profiles) list.push_back(to_json(p));
    file["profiles"] = std::move(list);
    return file.dump(2) + "\n";
}

}  // namespace kprof
