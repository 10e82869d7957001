#include "collect/cuda/cupti_host.hpp"

#include <utility>

#include "collect/counter_groups.hpp"

namespace kprof {
namespace {

CUpti_Profiler_Host_Object* make_host(const std::string& chip,
                                      const std::vector<std::uint8_t>& availability) {
    auto params = KPROF_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize_Params);
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = chip.c_str();
    params.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
    check(cupti().host_initialize(&params), "cuptiProfilerHostInitialize");
    return params.pHostObject;
}

void drop_host(CUpti_Profiler_Host_Object* host) noexcept {
    auto params = KPROF_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize_Params);
    params.pHostObject = host;
    cupti_state().table.host_deinitialize(&params);
}

}  // namespace

CounterConfig::CounterConfig(const std::string& chip, const std::vector<std::uint8_t>& availability,
                             std::vector<std::string> names)
    : names_(std::move(names)) {
    pointers_.reserve(names_.size());
    for (const std::string& name : names_) pointers_.push_back(name.c_str());
    const CuptiApi& api = cupti();
    host_ = make_host(chip, availability);
    try {
        auto add = KPROF_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
        add.pHostObject = host_;
        add.ppMetricNames = pointers_.data();
        add.numMetrics = pointers_.size();
        check(api.host_config_add_metrics(&add), "cuptiProfilerHostConfigAddMetrics");

        auto size = KPROF_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params);
        size.pHostObject = host_;
        check(api.host_get_config_image_size(&size), "cuptiProfilerHostGetConfigImageSize");
        image_.resize(size.configImageSize);

        auto get = KPROF_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params);
        get.pHostObject = host_;
        get.configImageSize = image_.size();
        get.pConfigImage = image_.data();
        check(api.host_get_config_image(&get), "cuptiProfilerHostGetConfigImage");

        auto count = KPROF_CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params);
        count.configImageSize = image_.size();
        count.pConfigImage = image_.data();
        check(api.host_get_num_of_passes(&count), "cuptiProfilerHostGetNumOfPasses");
        passes_ = count.numOfPasses;
    } catch (...) {
        release();
        throw;
    }
}

void CounterConfig::release() noexcept {
    if (host_ != nullptr) drop_host(host_);
    host_ = nullptr;
}

CounterConfig::~CounterConfig() {
    release();
}

std::vector<double> CounterConfig::evaluate(const std::vector<std::uint8_t>& counter_data,
                                            std::size_t range) const {
    std::vector<double> values(names_.size(), 0.0);
    auto params = KPROF_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
    params.pHostObject = host_;
    params.pCounterDataImage = counter_data.data();
    params.counterDataImageSize = counter_data.size();
    params.rangeIndex = range;
    params.ppMetricNames = pointers_.data();
    params.numMetrics = pointers_.size();
    params.pMetricValues = values.data();
    check(cupti().host_evaluate(&params), "cuptiProfilerHostEvaluateToGpuValues");
    return values;
}

CuptiHost::CuptiHost(std::string chip, std::vector<std::uint8_t> availability)
    : chip_(std::move(chip)), availability_(std::move(availability)) {
    const CuptiApi& api = cupti();
    CUpti_Profiler_Host_Object* host = make_host(chip_, availability_);
    try {
        for (const CUpti_MetricType type :
             {CUPTI_METRIC_TYPE_COUNTER, CUPTI_METRIC_TYPE_RATIO, CUPTI_METRIC_TYPE_THROUGHPUT}) {
            auto params = KPROF_CUPTI_PARAMS(CUpti_Profiler_Host_GetBaseMetrics_Params);
            params.pHostObject = host;
            params.metricType = type;
            check(api.host_get_base_metrics(&params), "cuptiProfilerHostGetBaseMetrics");
            for (std::size_t i = 0; i < params.numMetrics; ++i) base_metrics_.insert(params.ppMetricNames[i]);
        }
    } catch (...) {
        drop_host(host);
        throw;
    }
    drop_host(host);
}

bool CuptiHost::known(const std::string& name) const {
    return base_metrics_.count(base_metric(name)) != 0;
}

std::shared_ptr<const CounterConfig> CuptiHost::config(const std::vector<std::string>& names) {
    auto& slot = cache_[names];
    if (!slot) slot = std::make_shared<CounterConfig>(chip_, availability_, names);
    return slot;
}

void CuptiHost::bisect(const std::vector<std::string>& names, Schedule& result) {
    try {
        result.configs.push_back(config(names));
        return;
    } catch (const CuptiError& e) {
        if (e.refuses_all()) throw;
    }
    if (names.size() == 1) {
        result.rejected.push_back(names.front());
        return;
    }
    const auto middle = names.begin() + static_cast<std::ptrdiff_t>(names.size() / 2);
    bisect({names.begin(), middle}, result);
    bisect({middle, names.end()}, result);
}

CuptiHost::Schedule CuptiHost::schedule(const std::vector<std::string>& names) {
    Schedule result;
    if (names.empty()) return result;
    bisect(names, result);
    if (result.rejected.empty() || result.configs.size() < 2) return result;
    // The halves were only needed to find the bad names: the good ones together take fewer passes.
    std::vector<std::string> good;
    for (const auto& part : result.configs)
        good.insert(good.end(), part->names().begin(), part->names().end());
    Schedule together;
    bisect(good, together);
    together.rejected.insert(together.rejected.end(), result.rejected.begin(), result.rejected.end());
    return together;
}

std::vector<std::string> CuptiHost::with_free_extras(const std::vector<std::string>& names,
                                                     const std::vector<std::string>& extra) {
    std::vector<std::string> best = names;
    for (const std::string& name : extra) {
        if (!known(name)) continue;
        bool there = false;
        for (const std::string& have : best) there = there || have == name;
        if (there) continue;
        std::vector<std::string> longer = best;
        longer.push_back(name);
        try {
            if (config(longer)->passes() <= config(best)->passes()) best = std::move(longer);
        } catch (const CuptiError&) {
            // The set itself is refused: schedule() deals with it. An extra is never worth an error.
            return names;
        }
    }
    return best;
}

}  // namespace kprof
