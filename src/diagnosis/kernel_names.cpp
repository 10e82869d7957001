#include "diagnosis/kernel_names.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>

#include "core/demangle.hpp"

namespace kprof {

namespace {

bool is(int (*kind)(int), char c) {
    return kind(static_cast<unsigned char>(c)) != 0;
}

const std::vector<std::string>& patterns(const Model& model, const char* list) {
    static const std::vector<std::string> none;
    const auto found = model.names.find(list);
    return found == model.names.end() ? none : found->second;
}

// The words that say what the kernel is. Template arguments and parameters may name anything; only of a
// wrapper
// ("cutlass::Kernel2<cutlass_80_simt_sgemm...>") do the arguments tell what runs.
std::string telling_words(const KernelId& id, const Model& model) {
    std::string name = demangled(id.name.empty() ? id.mangled : id.name);
    if (name.rfind("void ", 0) == 0) name.erase(0, 5);
    const std::string whole = name.substr(0, name.find('('));
    const std::string outer = whole.substr(0, whole.find('<'));
    const std::size_t scope = outer.rfind("::");
    const std::string last = name_words(scope == std::string::npos ? outer : outer.substr(scope + 2));
    const bool wraps = outer.size() < whole.size() &&
                       std::any_of(patterns(model, "wrapper").begin(), patterns(model, "wrapper").end(),
                                   [&last](const std::string& p) {
                                       return fnmatch(("_" + p + "_").c_str(), last.c_str(), 0) == 0;
                                   });
    return name_words((wraps ? whole : outer) + ' ' + id.family + ' ' + id.variant);
}

}  // namespace

std::string name_words(const std::string& name) {
    std::string out = "_";
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (!is(std::isalnum, c)) {
            if (out.back() != '_') out += '_';
            continue;
        }
        const bool after_lower = i > 0 && is(std::islower, name[i - 1]);
        const bool ends_capitals =
            i > 0 && is(std::isupper, name[i - 1]) && i + 1 < name.size() && is(std::islower, name[i + 1]);
        if (is(std::isupper, c) && (after_lower || ends_capitals) && out.back() != '_') out += '_';
        out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (out.back() != '_') out += '_';
    return out;
}

bool words_match(const std::string& words, const std::vector<std::string>& list) {
    return std::any_of(list.begin(), list.end(), [&words](const std::string& pattern) {
        return fnmatch(("*_" + pattern + "_*").c_str(), words.c_str(), 0) == 0;
    });
}

bool is_matrix_product(const KernelId& id, const Model& model) {
    const std::string words = telling_words(id, model);
    return (words_match(words, patterns(model, "matrix_product")) ||
            words_match(words, patterns(model, "product_like"))) &&
           !words_match(words, patterns(model, "no_matrix_product"));
}

bool is_product_like(const KernelId& id, const Model& model) {
    const std::string words = telling_words(id, model);
    return words_match(words, patterns(model, "product_like")) &&
           !words_match(words, patterns(model, "no_matrix_product"));
}

bool is_library_kernel(const KernelId& id, const Model& model) {
    return words_match(telling_words(id, model), patterns(model, "library_kernel"));
}

}  // namespace kprof
