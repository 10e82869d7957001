#include "import/code_object.hpp"

#include <algorithm>

#include "import/code_object_metadata.hpp"
#include "import/elf.hpp"

namespace kprof {
namespace {

constexpr std::string_view bundle_magic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view compressed_magic = "CCOB";

using Objects = std::vector<AmdCodeObject>;

std::uint64_t aligned(std::uint64_t size) {
    return (size + 3) & ~std::uint64_t{3};
}

void read_code_object(const Bytes& file, const Elf& elf, Objects& to) {
    constexpr std::uint64_t metadata_note = 32;  // NT_AMDGPU_METADATA
    const char* const what = "a note";
    for (const ElfSection& section : elf.sections) {
        if (section.type != elf_section_note) continue;
        for (std::uint64_t at = 0; at < section.data.size();) {
            const std::uint64_t name_size = section.data.number(at, 4, what);
            const std::uint64_t size = section.data.number(at + 4, 4, what);
            const std::uint64_t type = section.data.number(at + 8, 4, what);
            const std::uint64_t body = at + 12 + aligned(name_size);
            if (type == metadata_note && section.data.name(at + 12, what) == "AMDGPU") {
                to.push_back(read_code_object_metadata(section.data.part(body, size, what)));
                return;
            }
            at = body + aligned(size);
        }
    }
    file.fail("is AMD code without the metadata note that names its kernels",
              "compile it for amdhsa, with code object version 4 or later");
}

// Reads one bundle; returns where it ends.
std::uint64_t read_bundle(const Bytes& bundle, Objects& to) {
    const char* const what = "an offload bundle";
    const std::uint64_t count = bundle.number(bundle_magic.size(), 8, what);
    std::uint64_t at = bundle_magic.size() + 8, end = at;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t offset = bundle.number(at, 8, what), size = bundle.number(at + 8, 8, what);
        const std::uint64_t id_size = bundle.number(at + 16, 8, what);
        const std::string_view id = bundle.part(at + 24, id_size, what).text();
        at += 24 + id_size;
        const Bytes code = bundle.part(offset, size, what);
        end = std::max({end, at, offset + size});
        if (size == 0 || id.find("amdgcn") == std::string_view::npos) continue;
        if (!is_elf(code)) code.fail("holds an entry of its bundle for AMD that is no code object");
        read_code_object(code, read_elf(code), to);
    }
    return end;
}

[[noreturn]] void fail_compressed(const Bytes& file) {
    file.fail("its AMD code is compressed",
              "compile with --no-offload-compress, or unpack it: clang-offload-bundler --type=o --unbundle "
              "--targets=hipv4-amdgcn-amd-amdhsa--gfx942 --input=FILE --output=FILE.co");
}

// One bundle after another, as the linker lays them, with zeros between.
void read_bundles(const Bytes& file, Objects& to) {
    std::uint64_t at = 0;
    for (;;) {
        const std::size_t next = file.text().find_first_not_of('\0', at);
        if (next == std::string_view::npos) return;
        const Bytes rest = file.part(next, file.size() - next, "an offload bundle");
        if (rest.starts_with(compressed_magic)) fail_compressed(file);
        if (!rest.starts_with(bundle_magic))
            file.fail("holds something else than offload bundles at byte " + std::to_string(next) +
                      " of its AMD code");
        at = next + read_bundle(rest, to);
    }
}

void read_file_of_any_kind(const Bytes& file, Objects& to) {
    const std::string wanted =
        "give a code object (.co, .hsaco), an offload bundle, or a program that a HIP compiler built";
    if (file.size() == 0) file.fail("is empty", wanted);
    if (file.starts_with(bundle_magic) || file.starts_with(compressed_magic)) return read_bundles(file, to);
    if (!is_elf(file)) file.fail("is neither an ELF file nor an offload bundle", wanted);
    const Elf elf = read_elf(file);
    if (elf.machine == elf_machine_amdgpu) return read_code_object(file, elf, to);
    if (const ElfSection* bundles = elf.find(".hip_fatbin")) return read_bundles(bundles->data, to);
    if (elf.machine == elf_machine_cuda || elf.find(".nv_fatbin"))
        file.fail("is NVIDIA code",
                  "cuobjdump --dump-resource-usage FILE prints registers and shared memory; give them with "
                  "--regs and --smem");
    file.fail("holds no AMD code (no .hip_fatbin section)", wanted);
}

}  // namespace

std::vector<AmdCodeObject> read_code_objects(const std::string& bytes, const std::string& path) {
    const Bytes file(bytes, path);
    Objects objects;
    read_file_of_any_kind(file, objects);
    if (objects.empty()) file.fail("holds no AMD code: its bundles are of the host only");
    return objects;
}

}  // namespace kprof
