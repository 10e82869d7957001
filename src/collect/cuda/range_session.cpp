#include "collect/cuda/range_session.hpp"

#include <fmt/format.h>

#include <utility>

#include "collect/cuda/driver.hpp"

namespace kprof {
namespace {

CUptiResult stop(CUpti_RangeProfiler_Object* profiler, bool* last) noexcept {
    auto params = KPROF_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params);
    params.pRangeProfilerObject = profiler;
    const CUptiResult result = cupti_state().table.range_stop(&params);
    *last = params.isAllPassSubmitted != 0;
    return result;
}

// Ends a pass when the launch in it throws; the error of the launch is the one that matters.
class PassGuard {
  public:
    explicit PassGuard(CUpti_RangeProfiler_Object* profiler) : profiler_(profiler) {}
    ~PassGuard() {
        bool ignored = false;
        if (profiler_ != nullptr) stop(profiler_, &ignored);
    }
    PassGuard(const PassGuard&) = delete;
    PassGuard& operator=(const PassGuard&) = delete;
    void dismiss() { profiler_ = nullptr; }

  private:
    CUpti_RangeProfiler_Object* profiler_;
};

}  // namespace

RangeSession::RangeSession(CUcontext context) : context_(context) {
    enable();
}

RangeSession::~RangeSession() {
    disable();
}

void RangeSession::enable() {
    auto params = KPROF_CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params);
    params.ctx = context_;
    check(cupti().range_enable(&params), "cuptiRangeProfilerEnable");
    profiler_ = params.pRangeProfilerObject;
}

void RangeSession::disable() noexcept {
    if (profiler_ == nullptr) return;
    auto params = KPROF_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params);
    params.pRangeProfilerObject = profiler_;
    cupti_state().table.range_disable(&params);
    profiler_ = nullptr;
}

void RangeSession::renew() {
    disable();
    used_ = false;
    enable();
}

void RangeSession::set_config(const CounterConfig& config, std::size_t max_kernels) {
    const CuptiApi& api = cupti();
    auto size = KPROF_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params);
    size.pRangeProfilerObject = profiler_;
    size.pMetricNames = config.name_pointers();
    size.numMetrics = config.names().size();
    size.maxNumOfRanges = max_kernels;
    size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(max_kernels);
    check(api.range_counter_data_size(&size), "cuptiRangeProfilerGetCounterDataSize");
    std::vector<std::uint8_t> data(size.counterDataSize, 0);

    auto init = KPROF_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
    init.pRangeProfilerObject = profiler_;
    init.counterDataSize = data.size();
    init.pCounterData = data.data();
    check(api.range_counter_data_init(&init), "cuptiRangeProfilerCounterDataImageInitialize");

    auto set = KPROF_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params);
    set.pRangeProfilerObject = profiler_;
    set.configSize = config.image().size();
    set.pConfig = config.image().data();
    set.counterDataImageSize = data.size();
    set.pCounterDataImage = data.data();
    set.range = CUPTI_AutoRange;
    set.replayMode = CUPTI_UserReplay;
    set.maxRangesPerPass = max_kernels;
    set.numNestingLevels = 1;
    set.minNestingLevel = 1;
    set.passIndex = 0;
    set.targetNestingLevel = 1;
    check(api.range_set_config(&set), "cuptiRangeProfilerSetConfig");
    data_ = std::move(data);  // keeps the address
}

bool RangeSession::one_pass(const Replay& replay) {
    replay.prepare();
    auto start = KPROF_CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params);
    start.pRangeProfilerObject = profiler_;
    check(cupti().range_start(&start), "cuptiRangeProfilerStart");
    PassGuard guard(profiler_);
    replay.launch();
    check(driver().ctx_synchronize(), "cuCtxSynchronize");
    guard.dismiss();
    bool last = false;
    check(stop(profiler_, &last), "cuptiRangeProfilerStop");
    return last;
}

RangeSession::Result RangeSession::run(const CounterConfig& config, const Replay& replay) {
    Result result;
    if (replay.cancelled && replay.cancelled()) return result;
    // A profiler that has run one configuration takes another without complaint and then counts nothing
    // (CUPTI 13.0: every value is NaN); a fresh one costs 15 to 30 ms. It also forgets the passes of a run
    // that failed.
    if (used_) renew();
    set_config(config, replay.max_kernels);
    used_ = true;
    // CUPTI says when it has enough; the limit only ends a loop that would never end.
    const std::size_t limit = 2 * config.passes() + 8;
    for (bool last = false; !last;) {
        if (replay.cancelled && replay.cancelled()) return result;
        if (result.passes == limit) {
            throw CuptiError(CUPTI_ERROR_UNKNOWN,
                             fmt::format("CUPTI asked for more than {} passes where it had announced {}",
                                         limit, config.passes()),
                             "ask for fewer counters at once: --metrics quick");
        }
        if (replay.progress) replay.progress(result.passes + 1, config.passes());
        last = one_pass(replay);
        ++result.passes;
    }
    const CuptiApi& api = cupti();
    auto decode = KPROF_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params);
    decode.pRangeProfilerObject = profiler_;
    check(api.range_decode(&decode), "cuptiRangeProfilerDecodeData");
    result.dropped = decode.numOfRangeDropped;

    auto info = KPROF_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params);
    info.pCounterDataImage = data_.data();
    info.counterDataImageSize = data_.size();
    check(api.range_counter_data_info(&info), "cuptiRangeProfilerGetCounterDataInfo");
    for (std::size_t i = 0; i < info.numTotalRanges; ++i) result.kernels.push_back(config.evaluate(data_, i));
    result.complete = true;
    return result;
}

std::vector<std::uint8_t> counter_availability(CUcontext context) {
    const CuptiApi& api = cupti();
    driver();  // without an initialised driver the call below crashes
    auto params = KPROF_CUPTI_PARAMS(CUpti_Profiler_GetCounterAvailability_Params);
    params.ctx = context;
    check(api.get_counter_availability(&params), "cuptiProfilerGetCounterAvailability");
    std::vector<std::uint8_t> image(params.counterAvailabilityImageSize);
    params.pCounterAvailabilityImage = image.data();
    check(api.get_counter_availability(&params), "cuptiProfilerGetCounterAvailability");
    image.resize(params.counterAvailabilityImageSize);
    return image;
}

}  // namespace kprof
