// The complete list of names that rules may use beside metric ids, and their values for one kernel. Here and
// nowhere else: the linter holds the rules against this list, and a fact that is not listed cannot be set.
#pragma once

#include <string>
#include <vector>

#include "diagnosis/diagnose.hpp"
#include "diagnosis/model.hpp"
#include "diagnosis/values.hpp"

namespace kprof {

struct FactInfo {
    std::string name;  // ends with ".*" for a family of names
    std::string unit, meaning;
    bool is_text = false;
};

const std::vector<FactInfo>& fact_list();
// The entry that covers `name`, or nullptr.
const FactInfo* find_fact(const std::string& name);

// Sets a fact with the unit of its entry; a name that is not listed is a defect: Error(internal).
void put_fact(Values& v, const std::string& name, double value);
void put_fact(Values& v, const std::string& name, const std::string& text);

// Everything that is known before the bound model: work, launch, machine, library times, names.
void put_facts(Values& v, const DiagnosisInput& input, const Model& model);
// Times of library matrix products, from facts alone: before the bound model and the derived names.
void put_library_times(Values& v, const Model& model);

}  // namespace kprof
