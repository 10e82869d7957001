// "Did you mean": which known names are near to a word that is not known.
#include <algorithm>
#include <set>

#include "core/strings.hpp"

namespace kprof {
namespace {

// Edit distance with swaps of neighbours (optimal string alignment); three rows suffice.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                current[j] = std::min(current[j], before[j - 2] + 1);
            }
        }
        std::swap(before, previous);
        std::swap(previous, current);
    }
    return previous[b.size()];
}

struct Ranked {
    int rank;  // 0 prefix, 1 substring, 2 by distance
    std::size_t distance;
    std::string name;
    bool operator<(const Ranked& other) const {
        if (rank != other.rank) return rank < other.rank;
        if (distance != other.distance) return distance < other.distance;
        return name < other.name;
    }
};

}  // namespace

std::vector<std::string> nearest(const std::string& word, const std::vector<std::string>& candidates,
                                 std::size_t count) {
    // Longer input is no typo of a name, and the distance costs the product of the lengths.
    constexpr std::size_t longest = 200;
    constexpr std::size_t shortest_part = 3;  // "a" is part of nearly everything
    const std::string wanted = lower(trim(word));
    std::set<Ranked> ranked;
    if (wanted.empty() || wanted.size() > longest) return {};
    for (const std::string& candidate : candidates) {
        const std::string name = lower(candidate);
        if (name.empty() || name.size() > longest) continue;
        const std::size_t distance = edit_distance(wanted, name);
        const std::size_t shorter = std::min(wanted.size(), name.size());
        // One slip in a short word, one in three letters of a longer one.
        const std::size_t allowed = std::max<std::size_t>(1, std::max(wanted.size(), name.size()) / 3);
        if (wanted.size() > 1 && name.starts_with(wanted)) {
            ranked.insert({0, distance, candidate});
        } else if (shorter >= shortest_part && (contains(name, wanted) || contains(wanted, name))) {
            ranked.insert({1, distance, candidate});
        } else if (distance <= allowed && distance < shorter) {
            ranked.insert({2, distance, candidate});
        }
    }
    std::vector<std::string> best;
    for (const Ranked& r : ranked) {
        if (best.size() == count) break;
        best.push_back(r.name);
    }
    return best;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
    std::vector<std::string> near = nearest(word, candidates);
    if (near.empty()) return {};
    for (std::string& name : near) name = "'" + name + "'";
    return "; did you mean " + join(near, ", ") + "?";
}

}  // namespace kprof
