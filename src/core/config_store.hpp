// Configuration files in layers: --config-dir, $KPROF_CONFIG_DIR, the user's folder
// ($XDG_CONFIG_HOME or ~/.config, then /kprof), the install folder (<prefix>/share/kprof/configs), and last
// the copy embedded in the binary. A file of an upper layer adds to the lower ones; a file with the same
// relative path hides it. Entries inside files carry ids; what two files of different layers say about the
// same id is merged by the reader of that kind (see `layered`).
#pragma once

#include <string>
#include <vector>

#include "core/json.hpp"

namespace kprof {

class ConfigStore {
  public:
    struct Layer {
        std::string name;  // "--config-dir", "KPROF_CONFIG_DIR", "user", "installed", "embedded"
        std::string root;  // empty for the embedded one
    };

    // `flag_dir` is the value of --config-dir ("" when not given); it must exist.
    static ConfigStore open(const std::string& flag_dir);
    // Only what is embedded in the binary: for tests that must not depend on the machine.
    static ConfigStore embedded_only();

    // Relative paths ("gpus/h200.json") of all files under `folder` with `extension`, sorted, each once.
    std::vector<std::string> list(const std::string& folder, const std::string& extension = ".json") const;
    // Text of the uppermost file at `path`; throws Error(usage) naming the layers when there is none.
    JsonDocument load(const std::string& path) const;
    // Every layer's copy of `path`, lowest (embedded) first: for readers that merge entries by id.
    std::vector<JsonDocument> layered(const std::string& path) const;
    bool exists(const std::string& path) const;
    // Where `path` comes from, for messages: a file path, or "embedded:gpus/h200.json".
    std::string origin_of(const std::string& path) const;
    // The file's bytes from the uppermost layer.
    std::string text(const std::string& path) const;
    const std::vector<Layer>& layers() const { return layers_; }

  private:
    std::vector<Layer> layers_;
};

// The user's own layer, whether it exists or not: $XDG_CONFIG_HOME/kprof or ~/.config/kprof; empty where
// neither is known.
std::string user_config_folder();

}  // namespace kprof
