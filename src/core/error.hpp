// One error type for the whole program: what happened, what to do about it, and the exit code it earns.
// Thrown anywhere, caught in main only (and at the edges that must go on with the next kernel).
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace kprof {

// The contract with scripts; the README prints this table and a test holds the two together.
enum class ExitCode : int {
    ok = 0,
    gate_failed = 1,
    usage = 2,
    environment = 3,
    inconclusive = 4,
    program_failed = 5,
    wrong_result = 6,
    internal = 70,
};

class Error : public std::runtime_error {
  public:
    Error(ExitCode code, const std::string& what, std::string hint = {})
        : std::runtime_error(what), code_(code), hint_(std::move(hint)) {}
    ExitCode code() const noexcept { return code_; }
    // The remedy: a command or a choice, in words that a user can act on; may be empty.
    const std::string& hint() const noexcept { return hint_; }

  private:
    ExitCode code_;
    std::string hint_;
};

inline Error usage_error(const std::string& what, std::string hint = {}) {
    return Error(ExitCode::usage, what, std::move(hint));
}
inline Error environment_error(const std::string& what, std::string hint = {}) {
    return Error(ExitCode::environment, what, std::move(hint));
}

}  // namespace kprof
