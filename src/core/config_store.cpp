#include "core/config_store.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "core/embedded.hpp"
#include "core/strings.hpp"

namespace kprof {
namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

std::string environment(const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
    return value == nullptr ? std::string() : std::string(value);
}

// $XDG_CONFIG_HOME counts only when absolute, as its specification says.
fs::path user_folder() {
    const fs::path xdg = environment("XDG_CONFIG_HOME");
    if (xdg.is_absolute()) return xdg / "kprof";
    const std::string home = environment("HOME");
    return home.empty() ? fs::path() : fs::path(home) / ".config" / "kprof";
}

fs::path installed_folder() {
    std::error_code error;
    const fs::path exe = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path() : (exe.parent_path() / ".." / "share" / "kprof" / "configs").lexically_normal();
}

// Ids come from users ("--gpu ../../x"): a path that leaves its layer names no config.
bool stays_inside(const std::string& path) {
    const fs::path p(path);
    return !path.empty() && p.is_relative() && path.find('\0') == std::string::npos &&
           std::none_of(p.begin(), p.end(), [](const fs::path& part) { return part == ".."; });
}

const EmbeddedFile* embedded_file(const std::string& path) {
    for (const EmbeddedFile& file : embedded_files()) {
        if (file.path == path) return &file;
    }
    return nullptr;
}

struct Found {
    std::string origin;
    const EmbeddedFile* embedded = nullptr;
    std::string text() const { return embedded != nullptr ? std::string(embedded->text) : read_file(origin); }
};

std::optional<Found> find_in(const ConfigStore::Layer& layer, const std::string& path) {
    if (layer.root.empty()) {
        const EmbeddedFile* file = embedded_file(path);
        return file == nullptr ? std::nullopt : std::optional<Found>({"embedded:" + path, file});
    }
    const fs::path full = fs::path(layer.root) / path;
    std::error_code ignored;
    if (!stays_inside(path) || !fs::is_regular_file(full, ignored)) return std::nullopt;
    return Found{full.string(), nullptr};
}

Found find_first(const std::vector<ConfigStore::Layer>& layers, const std::string& path) {
    std::vector<std::string> looked;
    for (const ConfigStore::Layer& layer : layers) {
        if (auto found = find_in(layer, path)) return *found;
        looked.push_back(layer.root.empty() ? layer.name : layer.name + " (" + layer.root + ")");
    }
    throw usage_error("no config file '" + printable(path) + "'; looked in " + join(looked, ", "));
}

void list_folder(const ConfigStore::Layer& layer, const std::string& folder, const std::string& extension,
                 std::set<std::string>& names) {
    const fs::path top = fs::path(layer.root) / folder;
    if (!stays_inside(folder) || !is_folder(top)) return;
    std::error_code error;
    for (fs::recursive_directory_iterator file(top, error), end; !error && file != end;
         file.increment(error)) {
        const std::string name = file->path().filename().string();
        std::error_code ignored;
        // Editors leave ".#name.json" and the like.
        const bool hidden = name.starts_with('.');
        if (hidden && file->is_directory(ignored)) file.disable_recursion_pending();
        if (hidden || !name.ends_with(extension) || !file->is_regular_file(ignored)) continue;
        names.insert(file->path().lexically_relative(layer.root).generic_string());
    }
    if (error) throw usage_error("cannot list the config folder '" + top.string() + "': " + error.message());
}

}  // namespace

ConfigStore ConfigStore::open(const std::string& flag_dir) {
    ConfigStore store;
    const auto add = [&](const char* name, const fs::path& root) {
        if (root.empty() || !is_folder(root)) return false;
        store.layers_.push_back({name, root.lexically_normal().string()});
        return true;
    };
    const auto add_given = [&](const char* name, const std::string& root, const std::string& hint) {
        if (root.empty() || add(name, root)) return;
        throw usage_error(std::string(name) + ": there is no folder '" + printable(root) + "'", hint);
    };
    add_given("--config-dir", flag_dir, "make the folder, or name one that exists");
    add_given("KPROF_CONFIG_DIR", environment("KPROF_CONFIG_DIR"),
              "make the folder, or unset KPROF_CONFIG_DIR");
    add("user", user_folder());
    add("installed", installed_folder());
    store.layers_.push_back({"embedded", ""});
    return store;
}

ConfigStore ConfigStore::embedded_only() {
    ConfigStore store;
    store.layers_.push_back({"embedded", ""});
    return store;
}

std::vector<std::string> ConfigStore::list(const std::string& folder, const std::string& extension) const {
    std::set<std::string> names;
    for (const Layer& layer : layers_) {
        if (!layer.root.empty()) {
            list_folder(layer, folder, extension, names);
            continue;
        }
        for (const EmbeddedFile& file : embedded_files()) {
            if (file.path.starts_with(folder + "/") && file.path.ends_with(extension)) {
                names.emplace(file.path);
            }
        }
    }
    return {names.begin(), names.end()};
}

JsonDocument ConfigStore::load(const std::string& path) const {
    const Found found = find_first(layers_, path);
    return {found.text(), found.origin};
}

std::vector<JsonDocument> ConfigStore::layered(const std::string& path) const {
    std::vector<JsonDocument> documents;
    for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
        if (auto found = find_in(*layer, path)) documents.emplace_back(found->text(), found->origin);
    }
    return documents;
}

bool ConfigStore::exists(const std::string& path) const {
    return std::any_of(layers_.begin(), layers_.end(),
                       [&](const Layer& layer) { return find_in(layer, path).has_value(); });
}

std::string ConfigStore::origin_of(const std::string& path) const {
    return find_first(layers_, path).origin;
}

std::string user_config_folder() {
    return user_folder().string();
}

std::string ConfigStore::text(const std::string& path) const {
    return find_first(layers_, path).text();
}

}  // namespace kprof
