// JSON -> KernelProfile. Fields that this version does not know are ignored (a newer kprof wrote them); what
// it knows must have the right type and a possible value, or the error names file, line and field.
#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/profile_json.hpp"
#include "core/strings.hpp"
#include "core/version.hpp"

namespace kprof {
namespace {

std::string text_or(const JsonCursor& c, const std::string& key, const std::string& fallback = {}) {
    return c.has(key) ? printable(c.at(key).string()) : fallback;
}

std::string one_of(const JsonCursor& c, const std::string& key, const std::string& fallback,
                   const std::vector<std::string>& allowed) {
    if (!c.has(key)) return fallback;
    const std::string value = c.at(key).string();
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
        c.at(key).fail("'" + printable(value) + "' is none of " + join(allowed, ", ") +
                       did_you_mean(value, allowed));
    }
    return value;
}

double not_negative(const JsonCursor& c) {
    const double value = c.number();
    if (value < 0) c.fail("must not be negative, is " + c.raw().dump());
    return value;
}

double not_negative_or(const JsonCursor& c, const std::string& key, double fallback) {
    return c.has(key) ? not_negative(c.at(key)) : fallback;
}

std::optional<double> optional_number(const JsonCursor& c, const std::string& key) {
    if (!c.has(key)) return std::nullopt;
    return c.at(key).number();
}

// A whole number from `least` to `most`, at the most the largest of its type.
template <typename Integer>
Integer whole(const JsonCursor& c, std::int64_t least = 0,
              std::int64_t most = std::int64_t{std::numeric_limits<Integer>::max()}) {
    const std::int64_t value = c.integer();
    if (value < least || value > most) {
        c.fail("must be from " + std::to_string(least) + " to " + std::to_string(most) + ", is " +
               std::to_string(value));
    }
    return static_cast<Integer>(value);
}

template <typename Integer>
void read_whole(const JsonCursor& c, const std::string& key, Integer& into, std::int64_t least = 0,
                std::int64_t most = std::int64_t{std::numeric_limits<Integer>::max()}) {
    if (c.has(key)) into = whole<Integer>(c.at(key), least, most);
}

template <typename Integer>
void read_whole(const JsonCursor& c, const std::string& key, std::optional<Integer>& into,
                std::int64_t most = std::int64_t{std::numeric_limits<Integer>::max()}) {
    if (c.has(key)) into = whole<Integer>(c.at(key), 0, most);
}

// What no GPU can launch, whatever its vendor: more is an error in the file and would only give confident
// nonsense. CUDA programming guide, technical specifications per compute capability (grid 2^31-1 x 65535 x
// 65535, block 1024 threads, 255 registers, clusters of 16 blocks); HIP allows 65536 for the grid's y and z;
// the LLVM AMDGPU guide counts 512 vector registers (VGPRs and AccVGPRs). Shared memory is 228 KiB at most
// today: the bound leaves room for GPUs to come. What one GPU cannot hold is told by occupancy().
namespace launch_limit {
constexpr std::int64_t grid_x = 2147483647, grid_yz = 65536, block_threads = 1024, registers = 512,
                       cluster_blocks = 64, smem = 4 << 20, local = 1 << 30, blocks_per_sm = 1024,
                       warp = 1024;
}  // namespace launch_limit

Shape read_shape(const JsonCursor& kernel) {
    Shape shape;
    if (!kernel.has("shape")) return shape;
    const JsonCursor c = kernel.at("shape");
    std::vector<std::string> names = c.keys();
    if (kernel.has("extents")) {
        const JsonCursor extents = kernel.at("extents");
        std::vector<std::string> order = extents.strings();
        std::vector<std::string> sorted = order;
        std::sort(sorted.begin(), sorted.end());
        if (sorted != names) extents.fail("must name each extent of 'shape' once");
        names = std::move(order);
    } else if (names == std::vector<std::string>{"k", "m", "n"}) {
        names = {"m", "n", "k"};
    }
    for (const std::string& name : names) {
        shape.extents.emplace_back(printable(name), whole<std::int64_t>(c.at(name), 1));
    }
    return shape;
}

KernelId read_kernel(const JsonCursor& c) {
    KernelId id;
    id.name = printable(c.at("name").string());
    if (id.name.empty()) c.at("name").fail("must not be empty");
    id.mangled = text_or(c, "mangled");
    id.short_name = text_or(c, "short", id.name);
    id.family = text_or(c, "family");
    id.variant = text_or(c, "variant");
    id.dtype = text_or(c, "dtype");
    id.shape = read_shape(c);
    return id;
}

void read_three(const JsonCursor& c, const std::string& key, std::array<std::uint32_t, 3>& into,
                const std::array<std::int64_t, 3>& most) {
    if (!c.has(key)) return;
    const JsonCursor list = c.at(key);
    if (list.items().size() != 3) list.fail("must have three elements: x, y, z");
    for (std::size_t i = 0; i < 3; ++i) into[i] = whole<std::uint32_t>(list.at(i), 1, most[i]);
}

// Three extents whose product has a bound, and each of them with it.
void read_bounded(const JsonCursor& c, const std::string& key, std::array<std::uint32_t, 3>& into,
                  std::int64_t most, const char* unit) {
    read_three(c, key, into, {most, most, most});
    const std::int64_t product = std::int64_t{1} * into[0] * into[1] * into[2];
    if (product > most) {
        c.at(key).fail("has " + std::to_string(product) + " " + unit + ", no GPU launches more than " +
                       std::to_string(most));
    }
}

void read_launch(const JsonCursor& c, KernelProfile& p) {
    using namespace launch_limit;
    read_three(c, "grid", p.launch.grid, {grid_x, grid_yz, grid_yz});
    read_bounded(c, "block", p.launch.block, block_threads, "threads");
    read_bounded(c, "cluster", p.launch.cluster, cluster_blocks, "blocks");
    read_whole(c, "registers", p.launch.registers, launch_limit::registers);
    read_whole(c, "smem_static", p.launch.smem_static, smem);
    read_whole(c, "smem_dynamic", p.launch.smem_dynamic, smem);
    read_whole(c, "local_bytes", p.launch.local_bytes, local);
    read_whole(c, "driver_blocks_per_sm", p.launch.driver_blocks_per_sm, blocks_per_sm);
    read_whole(c, "launches", p.launches, 1);
}

DeviceFacts read_device(const JsonCursor& c) {
    constexpr std::int64_t most_smem = std::int64_t{1} << 40;  // keeps sums of bytes inside their type
    DeviceFacts d;
    d.name = text_or(c, "name");
    d.chip = text_or(c, "chip");
    d.vendor = text_or(c, "vendor", d.vendor);
    d.clock_max_mhz = not_negative_or(c, "clock_max_mhz", 0);
    d.memory_clock_mhz = not_negative_or(c, "memory_clock_mhz", 0);
    read_whole(c, "cc_major", d.cc_major);
    read_whole(c, "cc_minor", d.cc_minor);
    read_whole(c, "sm_count", d.sm_count);
    read_whole(c, "memory_bus_bits", d.memory_bus_bits);
    read_whole(c, "memory_bytes", d.memory_bytes);
    read_whole(c, "l2_bytes", d.l2_bytes);
    read_whole(c, "smem_per_sm", d.smem_per_sm, 0, most_smem);
    read_whole(c, "smem_per_block_optin", d.smem_per_block_optin, 0, most_smem);
    read_whole(c, "smem_reserved_per_block", d.smem_reserved_per_block, 0, most_smem);
    read_whole(c, "registers_per_sm", d.registers_per_sm);
    read_whole(c, "threads_per_sm", d.threads_per_sm);
    read_whole(c, "blocks_per_sm", d.blocks_per_sm);
    read_whole(c, "warp_size", d.warp_size, 1, launch_limit::warp);
    return d;
}

Provenance read_provenance(const JsonCursor& c) {
    Provenance p;
    p.kind = one_of(c, "kind", "", {"live", "recording", "imported", "model"});
    p.date = text_or(c, "date");
    p.driver = text_or(c, "driver");
    p.cuda = text_or(c, "cuda");
    p.cupti = text_or(c, "cupti");
    p.kprof = text_or(c, "kprof");
    p.cache = text_or(c, "cache");
    p.throttle = text_or(c, "throttle");
    read_whole(c, "passes", p.passes);
    read_whole(c, "repeats", p.repeats);
    p.clock_sm_mhz = optional_number(c, "clock_sm_mhz");
    p.clock_before_mhz = optional_number(c, "clock_before_mhz");
    p.clock_after_mhz = optional_number(c, "clock_after_mhz");
    p.power_w = optional_number(c, "power_w");
    p.temperature_c = optional_number(c, "temperature_c");
    for (const std::string& stage : c.strings_or_empty("stages")) p.stages.push_back(printable(stage));
    if (c.has("device")) p.device = read_device(c.at("device"));
    if (p.device.name.empty()) p.device.name = text_or(c, "gpu");
    return p;
}

Status read_status(const JsonCursor& c, Status fallback) {
    std::vector<std::string> names;
    for (const Status s : {Status::ok, Status::unsupported, Status::failed, Status::not_collected}) {
        names.emplace_back(to_string(s));
    }
    return status_from(one_of(c, "status", to_string(fallback), names));
}

Origin read_origin(const JsonCursor& c, Origin fallback) {
    std::vector<std::string> names;
    for (const Origin o : {Origin::counter, Origin::timer, Origin::model, Origin::imported}) {
        names.emplace_back(to_string(o));
    }
    return origin_from(one_of(c, "origin", to_string(fallback), names));
}

Measurement read_time(const JsonCursor& c) {
    Measurement m = Measurement::missing("time", "ns", Status::ok, text_or(c, "reason"));
    if (text_or(c, "unit", "ns") != "ns") c.at("unit").fail("must be 'ns'");
    m.status = read_status(c, Status::ok);
    m.origin = read_origin(c, Origin::timer);
    if (c.has("spread")) m.spread = not_negative(c.at("spread"));
    if (!m.ok()) return m;
    m.value = not_negative(c.at("value"));
    // A clock cycle of the fastest GPU takes 0.3 ns. What a model computes may be any number.
    constexpr double shortest_ns = 0.1;
    if (m.value == 0 || (m.origin != Origin::model && m.value < shortest_ns)) {
        m.status = Status::failed;
        m.reason = c.at("value").raw().dump() + " ns: below the resolution of the timer";
        m.value = 0;
    }
    return m;
}

// A plain number is a value; anything else says why there is none.
Measurement read_counter(const JsonCursor& c, const std::string& name, Origin origin) {
    if (c.raw().is_number()) return Measurement::of(name, c.number(), "", origin);
    Measurement m = Measurement::missing(name, text_or(c, "unit"), Status::ok, text_or(c, "reason"));
    m.origin = read_origin(c, origin);
    m.status = read_status(c, Status::ok);
    if (m.ok()) m.value = c.at("value").number();
    return m;
}

MetricSet read_counters(const JsonCursor& c, const std::string& kind) {
    const Origin origin = kind == "imported" ? Origin::imported
                          : kind == "model"  ? Origin::model
                                             : Origin::counter;
    MetricSet counters;
    for (const std::string& key : c.keys()) {
        const std::string name = printable(key);
        counters.insert_or_assign(name, read_counter(c.at(key), name, origin));
    }
    return counters;
}

Work read_work(const JsonCursor& c) {
    Work w;
    w.flops = not_negative_or(c, "flops", 0);
    w.min_bytes = not_negative_or(c, "min_bytes", 0);
    w.precision = text_or(c, "precision");
    w.matrix_product = c.boolean_or("matrix_product", false);
    w.origin = one_of(c, "origin", w.origin, {"model", "annotation", "bound"});
    return w;
}

Verification read_verification(const JsonCursor& c) {
    Verification v;
    v.status = one_of(c, "status", v.status, {"ok", "wrong", "skipped"});
    v.error = optional_number(c, "error");
    v.tolerance = optional_number(c, "tolerance");
    v.detail = text_or(c, "detail");
    return v;
}

void check_schema_version(const JsonCursor& root) {
    if (!root.has("schema_version")) {
        root.fail("this is not a kprof profile: there is no 'schema_version'",
                  "kprof writes such files with --profile FILE or --json FILE");
    }
    const JsonCursor c = root.at("schema_version");
    const std::string text = c.string();
    int major = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), major);
    if (error != std::errc() || (stop != text.data() + text.size() && *stop != '.')) {
        c.fail("'" + printable(text) + "' is not a version like " + profile_schema_version);
    }
    if (major == 1) return;
    std::string writer;
    if (root.has("kprof") && root.raw().at("kprof").is_object())
        writer = text_or(root.at("kprof"), "version");
    c.fail("schema " + printable(text) + " is not known to kprof " + version() + ", which reads " +
               profile_schema_version,
           writer.empty() || writer == version()
               ? "read it with a kprof that knows schema " + printable(text)
               : "kprof " + printable(writer) + " wrote it: read it with that version or a newer one");
}

}  // namespace

KernelProfile profile_from_json(const JsonCursor& c) {
    KernelProfile p;
    p.kernel = read_kernel(c.at("kernel"));
    if (c.has("launch")) read_launch(c.at("launch"), p);
    if (c.has("provenance")) p.provenance = read_provenance(c.at("provenance"));
    if (c.has("time")) p.time = read_time(c.at("time"));
    if (c.has("counters")) p.counters = read_counters(c.at("counters"), p.provenance.kind);
    if (c.has("work")) p.work = read_work(c.at("work"));
    if (c.has("verification")) p.verification = read_verification(c.at("verification"));
    for (const std::string& warning : c.strings_or_empty("warnings"))
        p.warnings.push_back(printable(warning));
    p.failure = text_or(c, "failure");
    return p;
}

std::vector<KernelProfile> read_profiles(const std::string& text, const std::string& origin) {
    const JsonDocument document(text, origin);
    const JsonCursor root = document.root();
    check_schema_version(root);
    std::vector<KernelProfile> profiles;
    for (const JsonCursor& c : root.at("profiles").items()) profiles.push_back(profile_from_json(c));
    return profiles;
}

}  // namespace kprof
