// Files that are not kprof's own, held against what there is when they are loaded: a misspelt name in a rule
// must not switch the rule off in silence.
#pragma once

#include <vector>

#include "core/config_store.hpp"
#include "diagnosis/diagnose.hpp"

namespace kprof {

// `documents` are the rule files that `rules` was read from; the model's files are taken from the store. What
// is embedded in the binary is not looked at (the unit tests do). Throws Error(usage) naming file, line,
// field and the nearest name.
void check_files(const ConfigStore& store, const std::vector<JsonDocument>& documents, const RuleSet& rules);

}  // namespace kprof
