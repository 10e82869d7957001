// kprof run: a reference kernel, measured and diagnosed.
#include <sys/prctl.h>

#include <csignal>
#include <cstdio>
#include <set>

#include "cli/interrupt.hpp"
#include "cli/job.hpp"
#include "cli/measure.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "cli/worker.hpp"
#include "collect/live.hpp"
#include "core/error.hpp"
#include "core/profile_json.hpp"
#include "core/strings.hpp"
#include "kernels/registry.hpp"

namespace kprof::cli {

namespace {

std::string label(const KernelRequest& r) {
    return r.family + "/" + r.variant + " " + r.dtype + " " + to_string(r.shape);
}

int run_worker(const RunOptions& o, const Output& output, App& app) {
    // A parent that is gone wants no result: no orphan keeps the GPU.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const Jobs jobs = make_jobs(o, app.store());
    OutputFile file(o.worker);
    Analyser analyser(app.store(), output.rules());
    const Source source = choose_source(o, app.store());
    const Analysed a = measure(*source.source, jobs.requests.front(), o, analyser, {});
    file.commit(write_profiles({a.profile}));
    return 0;
}

// Options that only a live measurement can honour must not be dropped in silence.
void tell_ignored(const RunOptions& o, const std::string& kind) {
    if (kind == "live") return;
    if (o.cache != "cold" && kind == "recording")
        throw environment_error(
            "the recordings were made with a cold L2, and --cache " + o.cache + " was asked for",
            "measure on a GPU, or leave out --cache");
    std::vector<std::string> ignored;
    if (o.cache != "cold") ignored.push_back("--cache " + o.cache);
    if (o.repeats > 0) ignored.push_back("--repeats " + std::to_string(o.repeats));
    if (o.no_verify) ignored.emplace_back("--no-verify");
    if (o.device != 0) ignored.push_back("--device " + std::to_string(o.device));
    if (!ignored.empty()) warn("no effect on a " + kind + ": " + join(ignored, ", "));
}

// One of many, in a process of its own. What is wrong with this machine ends the run at the first kernel;
// later it is told of the one that needs what is missing (cuBLAS), and the rest goes on.
KernelProfile measure_apart(const KernelRequest& job, const RunOptions& o, const App& app,
                            const OutputOptions& output_options, const Report& so_far) {
    try {
        return measure_in_worker(job, o, app.config_dir, output_options.thresholds);
    } catch (const Error& e) {
        if (so_far.kernels.empty()) throw;
        return failed_profile(job,
                              e.hint().empty() ? e.what() : std::string(e.what()) + " (" + e.hint() + ")");
    }
}

// Why one of many is left out: its shape, or the chip that it needs; "" when it can run.
std::string why_left_out(const KernelRequest& job, const std::optional<DeviceFacts>& device) {
    try {
        const KernelPlan plan = plan_kernel(job);
        return device ? missing_on(plan.needs, plan.id.short_name, *device) : "";
    } catch (const Error& e) {
        return e.what();
    }
}

// A recording that is missing is no reason to end a run of many: it is told, and the rest goes on.
bool skip_missing_recording(const Source& source, const Error& e, std::size_t jobs) {
    return source.kind == "recording" && jobs > 1 && e.code() == ExitCode::environment;
}

// Measures the jobs one after the other into the report; what is left out is told in `left_out`.
class Runner {
  public:
    Runner(const RunOptions& o, const OutputOptions& output_options, App& app, Output& output, Source& source,
           Analyser& analyser)
        : o_(o),
          output_options_(output_options),
          app_(app),
          output_(output),
          source_(source),
          analyser_(analyser) {
        if (source.kind == "live") device_ = look_for_gpu(o.device).device;
    }

    void run(const Jobs& jobs, Report& report, std::vector<std::string>& left_out) {
        if (jobs.series) {
            report.series = jobs.series;
            report.series->rows.clear();
        }
        const std::size_t count = jobs.requests.size();
        for (std::size_t i = 0; i < count && !interrupted(); ++i) {
            const KernelRequest& job = jobs.requests[i];
            const std::string why = count > 1 ? why_left_out(job, device_) : "";
            if (!why.empty()) {
                left_out.push_back(why);
                continue;
            }
            Progress progress(true);
            const std::string prefix =
                count > 1 ? std::to_string(i + 1) + "/" + std::to_string(count) + " " : "";
            const auto show = [&](const std::string& text) {
                progress.show(prefix + label(job) + ": " + text);
            };
            try {
                report.kernels.push_back(one(job, count, report, show));
            } catch (const Error& e) {
                if (!skip_missing_recording(source_, e, count)) throw;
                left_out.push_back("no recording of " + label(job));
                continue;
            }
            if (report.series) report.series->rows.push_back(jobs.series->rows[i]);
            progress.clear();
            output_.kernel(report, source_.note);
        }
    }

  private:
    Analysed one(const KernelRequest& job, std::size_t count, const Report& report,
                 const std::function<void(const std::string&)>& show) {
        if (source_.kind != "live" || count == 1) return measure(*source_.source, job, o_, analyser_, show);
        show("measuring");
        return analyser_.analyse(measure_apart(job, o_, app_, output_options_, report));
    }

    const RunOptions& o_;
    const OutputOptions& output_options_;
    App& app_;
    Output& output_;
    Source& source_;
    Analyser& analyser_;
    std::optional<DeviceFacts> device_;
};

void check_options(const RunOptions& o) {
    if (!o.model_gpu.empty() && o.source != "model")
        throw usage_error("--model-gpu belongs to --source model",
                          "add --source model, or use --gpu for a what-if beside a measurement");
    const bool layer_options = o.phase != "prefill" || o.tp != 1 || o.batch != 0 || o.tokens != 0;
    if (layer_options && o.kernel != "llm")
        throw usage_error("--phase, --tp, --batch and --tokens belong to kprof run llm",
                          "kprof run llm --phase decode --tp 8");
}

int run(const RunOptions& o, const OutputOptions& output_options, App& app) {
    check_options(o);
    Output output(output_options, app);
    if (!o.worker.empty()) return run_worker(o, output, app);
    const Jobs jobs = make_jobs(o, app.store());
    Source source = choose_source(o, app.store());
    tell_ignored(o, source.kind);
    Analyser analyser(app.store(), output.rules());
    output.add_what_ifs(analyser);

    Report report;
    report.command = app.arguments;
    std::vector<std::string> left_out;
    Runner(o, output_options, app, output, source, analyser).run(jobs, report, left_out);
    for (const std::string& text : left_out) warn(text + "; skipped");
    if (report.series) report.series->left_out = left_out;
    if (report.series && !output_options.gpus.empty() && !output_options.verbose)
        warn(
            "--gpu shows in the JSON and, with -v, on each kernel's screen; this table has no column for it");
    if (report.kernels.empty()) {
        if (interrupted()) throw Error(ExitCode::inconclusive, "interrupted before anything was measured");
        if (source.kind == "live")
            throw environment_error(
                "none of the " + std::to_string(jobs.requests.size()) + " kernels can run here",
                "kprof list variants   shows what each needs");
        throw environment_error("none of the " + std::to_string(jobs.requests.size()) +
                                    " kernels is recorded, and there is no usable GPU here",
                                "kprof list recordings   shows what is recorded\nkprof doctor            "
                                "tells why there is no GPU");
    }
    const int code = output.finish(report);
    // A layer without some of its kernels has no sum.
    const bool partial = report.series && report.series->kind == "layer" && !left_out.empty();
    if ((interrupted() || partial) && code == 0) return static_cast<int>(ExitCode::inconclusive);
    return code;
}

}  // namespace

void add_run(App& app) {
    Command& c = app.root.subcommand("run", "run a reference kernel and say what bounds it");
    auto o = std::make_shared<RunOptions>();
    auto out = std::make_shared<OutputOptions>();
    c.positional("KERNEL", o->kernel, false, "the kernel's family, for example gemm; llm: a layer of a model",
                 [] {
                     std::vector<std::string> words = kernel_families();
                     words.emplace_back("llm");
                     return words;
                 });
    c.option("--variant", o->variant, "NAME",
             "the variant, or all for the whole ladder (default: the family's)", [] {
                 std::set<std::string> words = {"all"};
                 for (const KernelDef* d : all_kernels()) words.insert(d->variant);
                 return std::vector<std::string>(words.begin(), words.end());
             });
    c.option("--shape", o->shape, "SHAPE", "4096, 4096x1024x8192 or m=..,n=..,k=..");
    c.option("--dtype", o->dtype, "TYPE", "the data type, or all", [] {
        std::vector<std::string> words = {"all"};
        for (const DType t : all_dtypes()) words.emplace_back(to_string(t));
        return words;
    });
    c.flag("--all", o->all, "every kernel, variant and data type");
    c.option("--sweep", o->sweep, "RANGE", "one row a size: 1024:16384:x2, 1000:5000:+1000");
    c.choice("--phase", o->phase, {"prefill", "decode"}, "llm: the phase of the layer");
    c.integer("--tp", o->tp, 1, 64, "llm: GPUs that share the layer (tensor parallel)");
    c.integer("--batch", o->batch, 1, 1 << 20, "llm: sequences");
    c.integer("--tokens", o->tokens, 1, 1 << 24, "llm: tokens of each sequence (decode: of its context)");
    c.choice("--source", o->source, {"auto", "gpu", "recording", "model"},
             "where the measurement comes from");
    c.option("--model-gpu", o->model_gpu, "GPU",
             "with --source model: the GPU to reason about (default h200)", [&app] { return gpu_ids(app); });
    c.choice("--metrics", o->metrics, {"quick", "default", "full"},
             "collect exactly this stage (default: what the tree asks for)");
    c.choice("--cache", o->cache, {"cold", "warm"}, "flush L2 before each run, or not");
    c.integer("--repeats", o->repeats, 1, 100000, "time exactly so many runs");
    c.integer("--device", o->device, 0, 1023, "the GPU's number");
    c.flag("--no-verify", o->no_verify, "do not check the result");
    c.hidden("--worker", o->worker);
    out->add_to(c, app);
    c.examples({"kprof run gemm --shape 4096", "kprof run gemm --variant cublas --dtype bf16 --shape 4096",
                "kprof run gemm --variant all",
                "kprof run gemm --variant cublas --dtype bf16 --sweep 1024:8192:x2",
                "kprof run llm --phase decode --tp 8", "kprof run copy --json report.json",
                "kprof run gemm --shape 4096 --gpu mi300x,h100",
                "kprof run gemm --shape 5000x300x64 --source model --model-gpu mi300x"});
    c.action([o, out, &app] { return run(*o, *out, app); });
}

}  // namespace kprof::cli
