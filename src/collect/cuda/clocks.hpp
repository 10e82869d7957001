// Clocks, power, temperature and throttling as NVML tells them. A machine without NVML is measured all the
// same: every reading is then empty.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace kprof {

class Clocks {
  public:
    // `pci_bus_id` as CUDA gives it. Never throws: problem() says why nothing can be read.
    explicit Clocks(const std::string& pci_bus_id);
    ~Clocks();
    Clocks(const Clocks&) = delete;
    Clocks& operator=(const Clocks&) = delete;

    const std::string& problem() const { return problem_; }  // empty when NVML works
    std::string driver_version() const;                      // "580.159.04" or empty

    std::optional<double> sm_mhz() const;
    std::optional<double> power_w() const;
    std::optional<double> temperature_c() const;
    // Reasons that hold the clock down right now, comma separated: "power cap, thermal". Empty: none.
    std::string throttle() const;
    // MIG is switched on for the GPU.
    std::optional<bool> mig() const;

  private:
    struct Nvml;
    std::unique_ptr<Nvml> nvml_;
    std::string problem_;
};

// The reasons in a NVML bit mask, as names; an idle GPU and clocks that the user set are not throttling.
std::string throttle_names(unsigned long long mask);

}  // namespace kprof
