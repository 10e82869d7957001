#include "import/elf.hpp"

namespace kprof {
namespace {

constexpr std::uint64_t no_bits = 8;  // SHT_NOBITS: a section without bytes in the file

}  // namespace

const ElfSection* Elf::find(const std::string& name) const {
    for (const ElfSection& s : sections)
        if (s.name == name) return &s;
    return nullptr;
}

bool is_elf(const Bytes& file) {
    return file.starts_with(
        "\x7f"
        "ELF");
}

Elf read_elf(const Bytes& file) {
    const char* const head = "the ELF header";
    if (file.number(4, 1, head) != 2 || file.number(5, 1, head) != 1)
        file.fail("is no 64-bit little-endian ELF file");
    Elf elf;
    elf.machine = file.number(18, 2, head);
    const std::uint64_t table = file.number(40, 8, head);
    const std::uint64_t entry = file.number(58, 2, head), count = file.number(60, 2, head);
    const std::uint64_t names_index = file.number(62, 2, head);
    if (count == 0) return elf;
    if (entry < 64) file.fail("has section headers of " + std::to_string(entry) + " bytes; they have 64");
    const Bytes headers = file.part(table, entry * count, "the section headers");
    if (names_index >= count) file.fail("has no section of names");
    const auto field = [&](std::uint64_t index, std::uint64_t at, unsigned width) {
        return headers.number(index * entry + at, width, "a section header");
    };
    const auto data = [&](std::uint64_t index) {
        const bool empty = field(index, 4, 4) == no_bits;
        return file.part(empty ? 0 : field(index, 24, 8), empty ? 0 : field(index, 32, 8), "a section");
    };
    const Bytes names = data(names_index);
    for (std::uint64_t i = 1; i < count; ++i)  // 0 is empty by definition
        elf.sections.push_back({names.name(field(i, 0, 4), "the section names"), field(i, 4, 4), data(i)});
    return elf;
}

}  // namespace kprof
