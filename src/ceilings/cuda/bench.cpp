#include "ceilings/cuda/bench.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "collect/statistics.hpp"
#include "core/error.hpp"

namespace kprof {
namespace {

class Event {
  public:
    Event() { check_cuda(cudaEventCreate(&event_), "cudaEventCreate"); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record() { check_cuda(cudaEventRecord(event_, nullptr), "cudaEventRecord"); }
    void wait() { check_cuda(cudaEventSynchronize(event_), "cudaEventSynchronize"); }
    double ns_since(const Event& begin) const {
        float ms = 0;
        check_cuda(cudaEventElapsedTime(&ms, begin.event_, event_), "cudaEventElapsedTime");
        return static_cast<double>(ms) * 1e6;
    }

  private:
    cudaEvent_t event_ = nullptr;
};

double median_of(const std::vector<double>& values) {
    return spread_of(values).median;
}

}  // namespace

Bench::Bench(const CeilingOptions& options, CeilingRun& run, const Clocks& clocks)
    : options_(options), run_(run), clocks_(clocks), scratch_(2 * sizeof(unsigned), "a word for results") {}

bool Bench::wanted(const std::string& name, const std::string& pipe) const {
    return !stopped() && asked_for(options_, name, pipe);
}

void Bench::say(const std::string& what) const {
    if (options_.progress) options_.progress(what);
}

double Bench::glance(const std::function<void()>& launch) const {
    Event begin, end;
    launch();
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
        begin.record();
        launch();
        end.record();
        end.wait();
        best = std::min(best, end.ns_since(begin));
    }
    return best;
}

std::optional<Timed> Bench::time(const std::function<void()>& launch, double settle_ms) const {
    const double batch_ms = options_.quick ? 3 : 8;
    const int repeats = options_.quick ? 5 : 11;
    if (options_.quick) settle_ms /= 3;
    Event begin, end;
    launch();
    begin.record();
    launch();
    end.record();
    end.wait();
    const double one_ns = std::max(end.ns_since(begin), 1000.0);
    const int batch = static_cast<int>(std::clamp(std::ceil(batch_ms * 1e6 / one_ns), 1.0, 1000.0));
    std::vector<double> ns, clocks;
    const auto start = std::chrono::steady_clock::now();
    while (static_cast<int>(ns.size()) < repeats) {
        if (stopped()) break;
        begin.record();
        for (int i = 0; i < batch; ++i) launch();
        end.record();
        const std::optional<double> clock = clocks_.sm_mhz();
        end.wait();
        const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
        if (passed.count() < settle_ms && ns.empty()) continue;
        ns.push_back(end.ns_since(begin) / batch);
        if (clock) clocks.push_back(*clock);
    }
    if (ns.empty()) return std::nullopt;
    const Spread spread = spread_of(ns);
    if (!(spread.median > 0)) return std::nullopt;
    Timed out;
    out.median_ns = spread.median;
    out.best_ns = *std::min_element(ns.begin(), ns.end());
    out.spread = spread.relative;
    out.repeats = static_cast<int>(ns.size());
    if (!clocks.empty()) out.clock_mhz = median_of(clocks);
    return out;
}

void Bench::add(const Ceiling& what, double work, const Timed& timed) {
    Ceiling c = what;
    c.value = work / (timed.median_ns * 1e-9);
    c.best = work / (timed.best_ns * 1e-9);
    c.spread = timed.spread;
    c.repeats = timed.repeats;
    c.clock_mhz = timed.clock_mhz.value_or(0);
    run_.section.ceilings.push_back(std::move(c));
}

void Bench::attempt(const std::string& what, const std::function<void()>& part) {
    if (stopped()) return;
    try {
        part();
    } catch (const Error& e) {
        run_.notes.push_back(what + ": " + e.what() + (e.hint().empty() ? "" : " (" + e.hint() + ")"));
    }
}

Ceiling bandwidth_roof(const std::string& level, const std::string& how) {
    Ceiling c;
    c.kind = "bandwidth";
    c.name = level;
    c.unit = "B/s";
    c.origin = "measured";
    c.mark = "V";
    c.how = how;
    return c;
}

Ceiling compute_roof(const std::string& precision, const std::string& pipe, const std::string& how) {
    Ceiling c = bandwidth_roof(precision, how);
    c.kind = "compute";
    c.pipe = pipe;
    c.unit = precision == "int8" || pipe == "xu" ? "OP/s" : "FLOP/s";
    return c;
}

}  // namespace kprof
