#include "import/code_object_metadata.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "core/demangle.hpp"
#include "core/strings.hpp"

namespace kprof {
namespace {

using nlohmann::json;

// The library's own builder, that stops before damaged data makes it recurse without end.
class ShallowBuilder : public nlohmann::detail::json_sax_dom_parser<json> {
  public:
    explicit ShallowBuilder(json& to) : json_sax_dom_parser(to, false) {}
    bool start_object(std::size_t size) { return ++depth_ < most && json_sax_dom_parser::start_object(size); }
    bool start_array(std::size_t size) { return ++depth_ < most && json_sax_dom_parser::start_array(size); }
    bool end_object() {
        --depth_;
        return json_sax_dom_parser::end_object();
    }
    bool end_array() {
        --depth_;
        return json_sax_dom_parser::end_array();
    }

  private:
    static constexpr int most = 32;
    int depth_ = 0;
};

json parsed(const Bytes& note) {
    json metadata;
    ShallowBuilder builder(metadata);
    bool whole = false;
    try {
        whole = json::sax_parse(note.text(), &builder, json::input_format_t::msgpack);
    } catch (const json::exception&) {
        whole = false;  // a length beyond any memory
    }
    if (!whole || !metadata.is_object())
        note.fail("its AMDGPU metadata is no valid MessagePack",
                  "the file is truncated or damaged: copy or build it again");
    return metadata;
}

// A kernel's field as a whole number; absent: `fallback`, or an error without one.
int whole(const Bytes& note, const json& kernel, const char* key, std::optional<int> fallback = {}) {
    const auto found = kernel.find(key);
    if (found == kernel.end() && fallback) return *fallback;
    if (found == kernel.end()) note.fail(std::string("a kernel of its AMDGPU metadata has no ") + key);
    if (!found->is_number_unsigned() ||
        found->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
        note.fail(std::string("a kernel of its AMDGPU metadata has a ") + key + " that is no such number");
    return found->get<int>();
}

std::optional<std::array<int, 3>> required(const Bytes& note, const json& kernel) {
    const auto found = kernel.find(".reqd_workgroup_size");
    if (found == kernel.end()) return std::nullopt;
    std::array<int, 3> size{};
    if (!found->is_array() || found->size() != size.size())
        note.fail("a kernel of its AMDGPU metadata has a .reqd_workgroup_size that is not of three numbers");
    for (std::size_t i = 0; i < size.size(); ++i) size[i] = whole(note, {{"n", (*found)[i]}}, "n");
    return size;
}

AmdKernel read_kernel(const Bytes& note, const json& entry) {
    if (!entry.is_object() || !entry.contains(".name") || !entry.at(".name").is_string())
        note.fail("a kernel of its AMDGPU metadata has no .name");
    AmdKernel k;
    k.name = printable(demangled(entry.at(".name").get<std::string>()));
    k.vgprs = whole(note, entry, ".vgpr_count");
    k.agprs = whole(note, entry, ".agpr_count", 0);
    k.sgprs = whole(note, entry, ".sgpr_count");
    k.vgpr_spills = whole(note, entry, ".vgpr_spill_count", 0);
    k.sgpr_spills = whole(note, entry, ".sgpr_spill_count", 0);
    k.lds = whole(note, entry, ".group_segment_fixed_size");
    k.scratch = whole(note, entry, ".private_segment_fixed_size");
    k.max_threads = whole(note, entry, ".max_flat_workgroup_size");
    k.wavefront = whole(note, entry, ".wavefront_size");
    k.required_threads = required(note, entry);
    return k;
}

}  // namespace

AmdCodeObject read_code_object_metadata(const Bytes& note) {
    const json metadata = parsed(note);
    const auto target = metadata.find("amdhsa.target");
    if (target == metadata.end() || !target->is_string())
        note.fail("its metadata names no amdhsa.target",
                  "it is of code object version 3 or older: compile with -mcode-object-version=4 or later");
    // "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-"
    const std::string whole_target = printable(target->get<std::string>());
    const std::string id = whole_target.substr(
        whole_target.rfind("--") == std::string::npos ? whole_target.size() : whole_target.rfind("--") + 2);
    AmdCodeObject object;
    object.chip = id.substr(0, id.find(':'));
    if (id.find(':') != std::string::npos) object.features = id.substr(id.find(':') + 1);
    if (object.chip.empty()) note.fail("its amdhsa.target '" + whole_target + "' names no chip");
    const auto kernels = metadata.find("amdhsa.kernels");
    if (kernels == metadata.end()) return object;
    if (!kernels->is_array()) note.fail("its amdhsa.kernels are no list");
    for (const json& entry : *kernels) object.kernels.push_back(read_kernel(note, entry));
    return object;
}

}  // namespace kprof
