// Files compiled into the binary (generated table; see cmake/Embed.cmake): configs, schemas, recordings,
// templates.
#pragma once

#include <string_view>
#include <vector>

namespace kprof {

struct EmbeddedFile {
    std::string_view path;  // "gpus/h200.json"
    std::string_view text;
};

const std::vector<EmbeddedFile>& embedded_files();

}  // namespace kprof
