// Code objects made in memory, so that the tests need no AMD compiler.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kprof::test {

inline void put(std::string& to, std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i) to += static_cast<char>(value >> (8 * i) & 0xFF);
}

inline void pad(std::string& to, std::size_t granule) {
    while (to.size() % granule != 0) to += '\0';
}

struct Section {
    std::string name;
    std::uint32_t type;
    std::string data;
};

// A 64-bit little-endian ELF file with these sections.
inline std::string elf_file(int machine, std::vector<Section> sections) {
    sections.insert(sections.begin(), {"", 0, ""});
    sections.push_back({".shstrtab", 3, ""});
    std::string names, body, headers;
    std::vector<std::size_t> name_at;
    for (const Section& s : sections) {
        name_at.push_back(names.size());
        names += s.name + '\0';
    }
    sections.back().data = names;
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const Section& s = sections[i];
        put(headers, name_at[i], 4);
        put(headers, s.type, 4);
        put(headers, 0, 8);
        put(headers, 0, 8);
        put(headers, 64 + body.size(), 8);
        put(headers, s.data.size(), 8);
        put(headers, 0, 8);
        put(headers, 4, 8);
        put(headers, 0, 8);
        body += s.data;
        pad(body, 8);
    }
    std::string file =
        "\x7f"
        "ELF";
    put(file, 2, 1);  // 64 bit
    put(file, 1, 1);  // little-endian
    put(file, 1, 1);
    file.append(9, '\0');
    put(file, 3, 2);
    put(file, static_cast<std::uint64_t>(machine), 2);
    put(file, 1, 4);
    file.append(16, '\0');           // entry, program headers
    put(file, 64 + body.size(), 8);  // section headers
    put(file, 0, 4);
    put(file, 64, 2);
    put(file, 0, 4);  // program header entries
    put(file, 64, 2);
    put(file, sections.size(), 2);
    put(file, sections.size() - 1, 2);
    return file + body + headers;
}

inline std::string note(const std::string& owner, std::uint32_t type, const std::string& description) {
    std::string n;
    put(n, owner.size() + 1, 4);
    put(n, description.size(), 4);
    put(n, type, 4);
    n += owner + '\0';
    pad(n, 4);
    n += description;
    pad(n, 4);
    return n;
}

inline nlohmann::json kernel(const std::string& name) {
    return {{".name", name},
            {".symbol", name + ".kd"},
            {".vgpr_count", 84},
            {".agpr_count", 16},
            {".sgpr_count", 30},
            {".vgpr_spill_count", 3},
            {".sgpr_spill_count", 0},
            {".group_segment_fixed_size", 8448},
            {".private_segment_fixed_size", 16},
            {".max_flat_workgroup_size", 256},
            {".wavefront_size", 64}};
}

inline nlohmann::json metadata(const std::string& target, const std::vector<nlohmann::json>& kernels) {
    return {{"amdhsa.version", {1, 2}},
            {"amdhsa.target", "amdgcn-amd-amdhsa--" + target},
            {"amdhsa.kernels", kernels}};
}

inline std::string code_object(const nlohmann::json& metadata) {
    const std::vector<std::uint8_t> packed = nlohmann::json::to_msgpack(metadata);
    return elf_file(
        224, {{".note", 7, note("GNU", 3, "build id") + note("AMDGPU", 32, {packed.begin(), packed.end()})},
              {".bss", 8, ""}});
}

inline std::string bundle(const std::vector<std::pair<std::string, std::string>>& entries) {
    std::size_t head = 32;
    for (const auto& [id, code] : entries) head += 24 + id.size();
    std::string file = "__CLANG_OFFLOAD_BUNDLE__", body;
    put(file, entries.size(), 8);
    for (const auto& [id, code] : entries) {
        put(file, head + body.size(), 8);
        put(file, code.size(), 8);
        put(file, id.size(), 8);
        file += id;
        body += code;
    }
    return file + body;
}

}  // namespace kprof::test
