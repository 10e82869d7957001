// KernelProfile <-> JSON. The layout is configs/schema/profile.schema.json; names are those of the report.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "core/profile.hpp"

namespace kprof {

inline constexpr const char* profile_schema_version = "1.0";

nlohmann::json to_json(const KernelProfile& p);  // one element of "profiles", without analysis
KernelProfile profile_from_json(const JsonCursor& c);
// All profiles of a profile file or of a report file (both have "profiles"); checks schema_version (an
// unknown major is an Error(usage) that says which kprof is needed). `origin` is the path.
std::vector<KernelProfile> read_profiles(const std::string& text, const std::string& origin);
// A profile file: {"schema_version", "kprof": {"version"}, "profiles": [...]}; pretty-printed, ends with a
// newline.
std::string write_profiles(const std::vector<KernelProfile>& profiles);

}  // namespace kprof
