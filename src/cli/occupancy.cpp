// kprof occupancy: how many blocks of a kernel fit on one SM (CU), why not more, and what would change it.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/app.hpp"
#include "cli/occupancy_view.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "collect/live.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/strings.hpp"
#include "import/code_object.hpp"

namespace kprof::cli {

namespace {

struct OccupancyOptions {
    std::string gpu, smem, code_object, kernel, json;
    int threads = 0, registers = 0, sgprs = 0;  // 0: not given
    bool table = false;
};

// Plain bytes, or with the suffix KB: units of 1,024, as shared memory is counted.
std::int64_t bytes_of(const std::string& text) {
    if (text.empty()) return 0;
    std::string number = lower(trim(text));
    std::int64_t unit = 1;
    for (const char* suffix : {"kib", "kb"}) {
        if (number.ends_with(suffix)) {
            number.resize(number.size() - std::string(suffix).size());
            unit = 1024;
            break;
        }
    }
    number = trim(number);
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), value);
    constexpr std::int64_t most = std::int64_t{1} << 32;
    if (problem != std::errc() || end != number.data() + number.size() || value < 0 || value > most / unit)
        throw usage_error("'" + printable(text) + "' is no value of --smem",
                          "give bytes (32768), or units of 1,024 bytes with KB (32KB)");
    return value * unit;
}

// The machine that is asked about: --gpu, else the GPU of this machine.
Machine chosen_machine(const OccupancyOptions& o, App& app) {
    if (!o.gpu.empty()) return load_machine(app.store(), lower(trim(o.gpu)));
    const GpuLook look = look_for_gpu();
    if (look.device)
        if (std::optional<Machine> machine = machine_for(app.store(), *look.device)) return *machine;
    throw usage_error("no --gpu given, and no usable GPU here (" + look.why_not + ")",
                      "--gpu can be " + join(gpu_ids(app), ", "));
}

OccupancyQuestion question_of(const AmdKernel& k, const OccupancyOptions& o, const Machine& m,
                              const std::string& path) {
    if (k.wavefront != m.sm.warp_size)
        throw usage_error(path + ": kernel " + k.name + " is compiled for waves of " +
                              std::to_string(k.wavefront) + ", " + m.name + " runs waves of " +
                              std::to_string(m.sm.warp_size),
                          "compile it without -mno-wavefrontsize64");
    OccupancyQuestion q;
    q.kernel = k.name;
    q.needs.registers = k.vgprs > 0 ? std::optional<int>(k.vgprs) : std::nullopt;
    q.needs.sgprs = k.sgprs > 0 ? std::optional<int>(k.sgprs) : std::nullopt;
    q.needs.smem = k.lds + bytes_of(o.smem);
    q.needs.threads = k.max_threads;
    if (k.required_threads)
        q.needs.threads = (*k.required_threads)[0] * (*k.required_threads)[1] * (*k.required_threads)[2];
    if (o.threads > 0) {
        q.needs.threads = o.threads;
        if (o.threads > k.max_threads)
            q.notes.push_back("compiled for at most " + std::to_string(k.max_threads) +
                              " threads: a launch of " + std::to_string(o.threads) + " fails");
    } else {
        q.notes.push_back("threads are the most that it is compiled for; --threads N gives the launch's");
    }
    if (k.agprs > 0) q.notes.push_back(std::to_string(k.agprs) + " of the VGPRs are accumulation VGPRs");
    if (k.vgpr_spills > 0 || k.scratch > 0)
        q.notes.push_back(std::to_string(k.scratch) + " B of scratch a work-item, " +
                          std::to_string(k.vgpr_spills) + " VGPRs spilled");
    return q;
}

std::vector<OccupancyQuestion> questions_of_file(const OccupancyOptions& o, const Machine& m) {
    std::string bytes;
    try {
        bytes = read_file(o.code_object);
    } catch (const Error& e) {
        throw usage_error(e.what(), "--code-object takes a .co, .hsaco, bundle, object file or program");
    }
    if (m.vendor != "amd")
        throw usage_error(m.name + " runs no AMD code objects",
                          "cuobjdump --dump-resource-usage FILE prints what NVIDIA's compiler chose; give it "
                          "with --regs and --smem");
    std::vector<OccupancyQuestion> questions;
    std::vector<std::string> chips, names;
    for (const AmdCodeObject& object : read_code_objects(bytes, o.code_object)) {
        if (std::find(chips.begin(), chips.end(), object.chip) == chips.end()) chips.push_back(object.chip);
        if (object.chip != m.chip) continue;
        for (const AmdKernel& k : object.kernels) {
            names.push_back(k.name);
            if (contains(k.name, o.kernel)) questions.push_back(question_of(k, o, m, o.code_object));
        }
    }
    const std::string file = printable(o.code_object);
    if (std::find(chips.begin(), chips.end(), m.chip) == chips.end())
        throw usage_error(
            file + " holds code for " + join(chips, ", ") + ", not for " + m.chip + " (" + m.name + ")",
            "compile with --offload-arch=" + m.chip + ", or choose the --gpu it was made for");
    if (names.empty()) throw usage_error(file + " holds no kernel for " + m.chip);
    if (questions.empty())
        throw usage_error("no kernel of " + file + " has '" + printable(o.kernel) + "' in its name" +
                              did_you_mean(o.kernel, names),
                          "it holds " + join(names, ", "));
    return questions;
}

OccupancyQuestion question_of_numbers(const OccupancyOptions& o) {
    OccupancyQuestion q;
    q.needs.threads = o.threads;
    q.needs.smem = bytes_of(o.smem);
    if (o.registers > 0) q.needs.registers = o.registers;
    if (o.sgprs > 0) q.needs.sgprs = o.sgprs;
    if (o.registers == 0)
        q.notes.emplace_back(
            "registers are not given, so they do not limit here; --regs N (nvcc -Xptxas -v "
            "prints them)");
    return q;
}

void check_options(const OccupancyOptions& o) {
    if (o.code_object.empty()) {
        if (o.threads == 0 && !o.table)
            throw usage_error("no --threads given", "kprof occupancy --gpu h100 --threads 256 --regs 32");
        if (!o.kernel.empty()) throw usage_error("--kernel is for --code-object", "kprof occupancy --help");
        if (o.table && o.threads > 0) throw usage_error("--table shows every size", "leave out --threads");
        return;
    }
    if (o.registers > 0 || o.sgprs > 0)
        throw usage_error("the registers are read from --code-object", "leave out --regs and --sgprs");
    if (o.table && o.threads > 0) throw usage_error("--table shows every size", "leave out --threads");
}

int answer(const OccupancyOptions& o, App& app) {
    check_options(o);
    const Machine machine = chosen_machine(o, app);
    if (o.sgprs > 0 && machine.sm.sgprs == 0)
        throw usage_error("--sgprs are AMD's; " + machine.name + " has none", "leave out --sgprs");
    std::optional<OutputFile> file;
    if (!o.json.empty()) file.emplace(o.json);
    const std::vector<OccupancyQuestion> questions =
        o.code_object.empty() ? std::vector<OccupancyQuestion>{question_of_numbers(o)}
                              : questions_of_file(o, machine);

    nlohmann::json all = {{"schema_version", "1.0"}, {"gpu", machine.id}, {"name", machine.name}};
    std::string text;
    all["answers"] = nlohmann::json::array();
    if (o.table) {
        for (const OccupancyQuestion& q : questions) {
            const Listing sweep = occupancy_sweep(q.needs, machine);
            text += (text.empty() ? "" : "\n") + (q.kernel.empty() ? machine.name : q.kernel) + "\n\n" +
                    sweep.text(terminal_width());
            BlockNeeds needs = q.needs;
            for (needs.threads = machine.sm.warp_size; needs.threads <= machine.sm.max_threads_per_block;
                 needs.threads += machine.sm.warp_size)
                all["answers"].push_back(occupancy_json({q.kernel, needs, q.notes}, machine));
        }
    } else {
        for (const OccupancyQuestion& q : questions) all["answers"].push_back(occupancy_json(q, machine));
        text = questions.size() == 1
                   ? occupancy_text(questions.front(), machine)
                   : machine.name + "\n\n" +
                         occupancy_of_kernels(questions, machine)
                             .text(stdout_is_terminal() ? std::max(terminal_width(), 100) : 10'000) +
                         "\n--kernel NAME shows one of them whole\n";
    }
    if (o.json != "-") fputs((locale_is_ascii() ? to_ascii(text) : text).c_str(), stdout);
    if (file) file->commit(all.dump(2) + "\n");
    return 0;
}

}  // namespace

void add_occupancy(App& app) {
    Command& c = app.root.subcommand(
        "occupancy", "how many blocks of a kernel fit on an SM, why not more, and what would change it");
    auto o = std::make_shared<OccupancyOptions>();
    c.option("--gpu", o->gpu, "GPU", "a GPU of configs/gpus (default: this machine's)",
             [&app] { return gpu_ids(app); });
    c.integer("--threads", o->threads, 1, 65536, "threads per block (work-items per workgroup)");
    c.integer("--regs", o->registers, 1, 512,
              "registers per thread; AMD: VGPRs, accumulation VGPRs included");
    c.integer("--sgprs", o->sgprs, 1, 112, "AMD: scalar registers per wave");
    c.option("--smem", o->smem, "BYTES",
             "shared memory (LDS) per block, static and dynamic: 32768 or 32KB (KB = 1,024)");
    c.option("--code-object", o->code_object, "FILE",
             "read registers, LDS and sizes from AMD code; --smem adds dynamic LDS");
    c.option("--kernel", o->kernel, "NAME", "only kernels of --code-object with this in their name");
    c.flag("--table", o->table, "every block size");
    c.option("--json", o->json, "FILE", "write the answer as JSON; - is stdout");
    c.examples({"kprof occupancy --gpu h100 --threads 256 --regs 32 --smem 32KB",
                "kprof occupancy --gpu mi300x --threads 256 --regs 96 --sgprs 48 --smem 16384",
                "kprof occupancy --gpu a100 --regs 48 --smem 48KB --table"});
    c.action([o, &app]() -> int { return answer(*o, app); });
}

}  // namespace kprof::cli
