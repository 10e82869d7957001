// The sections of a 64-bit little-endian ELF file: what code objects, programs and cubins are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "import/bytes.hpp"

namespace kprof {

constexpr std::uint64_t elf_machine_amdgpu = 224, elf_machine_cuda = 190;
constexpr std::uint64_t elf_section_note = 7;

struct ElfSection {
    std::string name;
    std::uint64_t type = 0;
    Bytes data;
};

struct Elf {
    std::uint64_t machine = 0;
    std::vector<ElfSection> sections;
    const ElfSection* find(const std::string& name) const;
};

bool is_elf(const Bytes& file);
// Throws Error(usage) that names the file and what is wrong with it.
Elf read_elf(const Bytes& file);

}  // namespace kprof
