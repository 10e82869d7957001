// CUPTI's host side: which counters a chip has, and how they are packed into passes. Needs no GPU.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "collect/cuda/cupti_api.hpp"

namespace kprof {

// Counters scheduled for collection: the image that the range profiler takes, and the host object that turns
// its data into values.
class CounterConfig {
  public:
    // Throws CuptiError when CUPTI takes this set of names not at all; it does not say which name it
    // dislikes.
    CounterConfig(const std::string& chip, const std::vector<std::uint8_t>& availability,
                  std::vector<std::string> names);
    ~CounterConfig();
    CounterConfig(const CounterConfig&) = delete;
    CounterConfig& operator=(const CounterConfig&) = delete;

    const std::vector<std::string>& names() const { return names_; }
    const std::vector<std::uint8_t>& image() const { return image_; }
    std::size_t passes() const { return passes_; }
    // The names as C strings, for calls that take them; owned by this object.
    const char** name_pointers() const { return pointers_.data(); }
    // Values of one range of a decoded counter data image, in the order of names().
    std::vector<double> evaluate(const std::vector<std::uint8_t>& counter_data, std::size_t range) const;

  private:
    void release() noexcept;

    CUpti_Profiler_Host_Object* host_ = nullptr;
    std::vector<std::string> names_;
    mutable std::vector<const char*> pointers_;
    std::vector<std::uint8_t> image_;
    std::size_t passes_ = 0;
};

class CuptiHost {
  public:
    // `chip` as cuptiDeviceGetChipName gives it ("GH100"); `availability` is the device's counter
    // availability image, or empty without a device.
    CuptiHost(std::string chip, std::vector<std::uint8_t> availability);

    const std::string& chip() const { return chip_; }
    // Whether the chip has the base metric of `name`; says nothing about the part after the dot.
    bool known(const std::string& name) const;

    struct Schedule {
        std::vector<std::shared_ptr<const CounterConfig>> configs;
        std::vector<std::string> rejected;  // names that CUPTI refuses even alone
    };
    // One configuration where possible. When CUPTI refuses the set, halves are tried until the bad names are
    // found; names that are good alone but refused together end up in separate configurations.
    Schedule schedule(const std::vector<std::string>& names);
    // Adds those of `extra` to `names` that cost no further pass.
    std::vector<std::string> with_free_extras(const std::vector<std::string>& names,
                                              const std::vector<std::string>& extra);

  private:
    std::shared_ptr<const CounterConfig> config(const std::vector<std::string>& names);  // cached
    void bisect(const std::vector<std::string>& names, Schedule& result);

    std::string chip_;
    std::vector<std::uint8_t> availability_;
    std::set<std::string> base_metrics_;
    std::map<std::vector<std::string>, std::shared_ptr<const CounterConfig>> cache_;
};

}  // namespace kprof
