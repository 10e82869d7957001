// A result file that is never half written: opened (and so checked) before anything is measured, written
// under a temporary name in the same folder, renamed at commit, removed when it is not committed. "-" is
// stdout. What cannot be replaced by a rename (/dev/stdout, /dev/null, a FIFO) is written to directly.
#pragma once

#include <string>

namespace kprof {

class OutputFile {
  public:
    // Throws Error(usage) with the system's reason when the folder is missing or not writable.
    explicit OutputFile(std::string path);
    ~OutputFile();
    OutputFile(OutputFile&&) noexcept;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    // Writes all of `text`, flushes to the disk and renames. Throws Error(environment) on a full disk; the
    // earlier file at that path is then untouched. May be called again (a newer whole result replaces the
    // older).
    void commit(const std::string& text);
    // A stream (a pipe, a device, stdout): what is committed is appended, so it can be committed once only.
    bool is_stream() const { return direct_; }
    const std::string& path() const { return path_; }

  private:
    void open_temporary();
    void discard() noexcept;
    [[noreturn]] void fail_commit(int error);

    std::string path_;  // as the user gave it
    std::string
        destination_;        // with symbolic links resolved, so that a rename replaces the file, not the link
    std::string temporary_;  // empty when written to directly
    bool direct_ = false;
    int fd_ = -1;
};

}  // namespace kprof
