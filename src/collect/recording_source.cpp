#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "collect/counter_source.hpp"
#include "core/profile_json.hpp"
#include "core/strings.hpp"

namespace kprof {
namespace {

// A '-' of a kernel's own name is a '_' in the file's.
std::string name_of_part(std::string part) {
    std::replace(part.begin(), part.end(), '_', '-');
    return part;
}

// "recordings/h200/gemm-naive_strided-fp32-4096x4096x4096.json"
bool parse_path(const std::string& path, RecordingKey& key) {
    const std::vector<std::string> folders = split(path, '/');
    if (folders.size() != 3) return false;
    const std::string stem = folders[2].substr(0, folders[2].rfind('.'));
    std::vector<std::string> parts = split(stem, '-');
    if (parts.size() < 4) return false;
    key.path = path;
    key.gpu = folders[1];
    key.family = name_of_part(parts.front());
    key.shape = parts.back();
    key.dtype = parts[parts.size() - 2];
    key.variant = name_of_part(join({parts.begin() + 1, parts.end() - 2}, "-"));
    return true;
}

std::vector<RecordingKey> keys_of(const ConfigStore& store) {
    std::vector<RecordingKey> keys;
    for (const std::string& path : store.list("recordings")) {
        RecordingKey key;
        if (parse_path(path, key)) keys.push_back(std::move(key));
    }
    return keys;
}

std::vector<std::string> unique_values(const std::vector<RecordingKey>& keys,
                                       std::string (*text)(const RecordingKey&)) {
    std::vector<std::string> values;
    for (const RecordingKey& key : keys) {
        const std::string value = text(key);
        if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    }
    return values;
}

std::vector<RecordingKey> of_family(std::vector<RecordingKey> keys, const KernelRequest& r) {
    std::erase_if(keys, [&](const RecordingKey& k) { return k.family != r.family; });
    return keys;
}

// What is recorded, from the nearest to the request outwards.
std::string alternatives(const std::vector<RecordingKey>& all, const KernelRequest& r) {
    const std::vector<RecordingKey> family = of_family(all, r);
    std::vector<RecordingKey> same = family;
    std::erase_if(same, [&](const RecordingKey& k) { return k.variant != r.variant || k.dtype != r.dtype; });
    if (!same.empty()) {
        const auto shapes =
            unique_values(same, [](const RecordingKey& k) { return k.shape + " (" + k.gpu + ")"; });
        return fmt::format("recorded shapes of {} / {} {}: {}", r.family, r.variant, r.dtype,
                           join(shapes, ", "));
    }
    if (!family.empty()) {
        const auto kinds = unique_values(
            family, [](const RecordingKey& k) { return k.variant + " " + k.dtype + " " + k.shape; });
        return fmt::format("recorded of {}: {}", r.family, join(kinds, ", "));
    }
    const auto families = unique_values(all, [](const RecordingKey& k) { return k.family; });
    return families.empty() ? std::string("there are no recordings")
                            : "recorded kernels: " + join(families, ", ");
}

std::string or_default(const std::string& text) {
    return text.empty() ? std::string("(default)") : text;
}

class RecordingSource : public CounterSource {
  public:
    explicit RecordingSource(const ConfigStore& store) : store_(store) {}

    const char* kind() const override { return "recording"; }

    KernelProfile begin(const KernelRequest& request, const CollectOptions& options) override {
        const std::vector<RecordingKey> all = keys_of(store_);
        const std::string shape = to_string(request.shape);
        const auto match = std::find_if(all.begin(), all.end(), [&](const RecordingKey& k) {
            return k.family == request.family && k.variant == request.variant && k.dtype == request.dtype &&
                   k.shape == shape;
        });
        if (match == all.end()) {
            throw environment_error(
                fmt::format("no recording of {} / {} {} at {}", request.family, or_default(request.variant),
                            or_default(request.dtype), shape.empty() ? "(no shape)" : shape),
                fmt::format("{}\nor without counters, from FLOPs and bytes alone: kprof run {} --variant {} "
                            "--dtype {} --shape {} --source model",
                            alternatives(all, request), request.family, request.variant, request.dtype,
                            shape));
        }
        if (options.progress) options.progress("recording " + match->path);
        std::vector<KernelProfile> profiles =
            read_profiles(store_.text(match->path), store_.origin_of(match->path));
        if (profiles.size() != 1) {
            throw usage_error(fmt::format("{}: a recording holds one profile, this file holds {}",
                                          store_.origin_of(match->path), profiles.size()),
                              "record it again with kprof run ... --source gpu");
        }
        KernelProfile p = std::move(profiles.front());
        recorded_ = std::move(p.counters);
        p.counters.clear();
        p.provenance.kind = kind();
        p.provenance.stages.clear();
        return p;
    }

    void collect(KernelProfile& p, const std::set<std::string>& counters, const std::string& stage,
                 const CollectOptions& /*options*/) override {
        for (const std::string& name : counters) {
            if (p.counters.count(name) != 0) continue;
            const auto found = recorded_.find(name);
            if (found != recorded_.end()) {
                p.counters.emplace(name, found->second);
            } else {
                p.counters.emplace(
                    name, Measurement::missing(name, "", Status::not_collected,
                                               "not in the recording of " + p.provenance.date.substr(0, 10)));
            }
        }
        p.provenance.stages.push_back(stage);
    }

  private:
    const ConfigStore& store_;
    MetricSet recorded_;
};

}  // namespace

std::unique_ptr<CounterSource> make_recording_source(const ConfigStore& store) {
    return std::make_unique<RecordingSource>(store);
}

std::vector<RecordingKey> list_recordings(const ConfigStore& store) {
    std::vector<RecordingKey> keys = keys_of(store);
    for (RecordingKey& key : keys) {
        try {
            const auto profiles = read_profiles(store.text(key.path), store.origin_of(key.path));
            if (!profiles.empty()) key.date = profiles.front().provenance.date;
        } catch (const Error&) {
            key.date = "unreadable: kprof diagnose " + store.origin_of(key.path) + " says why";
        }
    }
    return keys;
}

}  // namespace kprof
