#include "core/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "core/strings.hpp"

namespace kprof {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_open(const std::string& path, const std::string& reason, const std::string& hint) {
    throw usage_error("cannot write '" + printable(path) + "': " + reason, hint);
}

int open_retrying(const std::string& path, int flags, mode_t mode = 0) {
    int fd = -1;
    do {
        fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

// 0 or the errno of what failed.
int write_all(int fd, const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t wrote = ::write(fd, text.data() + done, text.size() - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) return errno;
        if (wrote == 0) return ENOSPC;
        done += static_cast<std::size_t>(wrote);
    }
    return 0;
}

int sync_to_disk(int fd) {
    int result = 0;
    do {
        result = ::fsync(fd);
    } while (result != 0 && errno == EINTR);
    // Some file systems cannot sync; that is no failure of the write.
    return result == 0 || errno == EINVAL || errno == ENOSYS ? 0 : errno;
}

// The descriptor that a name of an own stream stands for. Opening /dev/stdout anew would start at offset 0 of
// a redirected file and so write over what is there.
std::optional<int> own_stream(const std::string& path) {
    if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
    if (path == "/dev/stderr") return STDERR_FILENO;
    for (const std::string prefix : {"/dev/fd/", "/proc/self/fd/"}) {
        if (!path.starts_with(prefix)) continue;
        int fd = -1;
        const char* end = path.data() + path.size();
        const auto [stop, error] = std::from_chars(path.data() + prefix.size(), end, fd);
        if (error == std::errc() && stop == end && fd >= 0) return fd;
    }
    return std::nullopt;
}

// Follows symbolic links, also one whose target does not exist yet.
std::string follow_links(const std::string& path) {
    constexpr int most = 40;  // the kernel's own limit
    fs::path now(path);
    for (int i = 0; i < most; ++i) {
        std::error_code error;
        const fs::path target = fs::read_symlink(now, error);
        if (error) return now.string();
        now = target.is_absolute() ? target : now.parent_path() / target;
    }
    return now.string();
}

std::string folder_of(const std::string& path) {
    const std::string folder = fs::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

std::string hint_for(int error, const std::string& path) {
    const std::string folder = folder_of(path);
    switch (error) {
        case ENOENT:
            return "make the folder first: mkdir -p '" + printable(folder) + "'";
        case ENOTDIR:
            return "a part of the path is a file, not a folder; choose another path";
        case EACCES:
        case EPERM:
        case EROFS:
            return "choose a path in a folder that you can write to";
        case ENAMETOOLONG:
            return "choose a shorter name";
        case ENOSPC:
        case EDQUOT:
            return "free some space, or choose a path on another disk";
        default:
            return "choose another path";
    }
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
    if (path_.empty()) fail_open(path_, "the name is empty", "name a file, or - for stdout");
    if (path_.find('\0') != std::string::npos) fail_open(path_, "the name holds a NUL byte", "name a file");
    if (const std::optional<int> stream = own_stream(path_)) {
        fd_ = ::fcntl(*stream, F_DUPFD_CLOEXEC, 3);
        if (fd_ < 0) fail_open(path_, std::strerror(errno), "that stream is closed; name a file");
        direct_ = true;
        return;
    }
    struct stat status {};
    const bool exists = ::stat(path_.c_str(), &status) == 0;
    if (!exists && errno != ENOENT) fail_open(path_, std::strerror(errno), hint_for(errno, path_));
    if (exists ? S_ISDIR(status.st_mode) : path_.ends_with('/')) {
        fail_open(
            path_, exists ? std::strerror(EISDIR) : "the name ends with /",
            "name a file in it, for example '" + printable((fs::path(path_) / "kprof.json").string()) + "'");
    }
    if (exists && ::access(path_.c_str(), W_OK) != 0) {
        fail_open(path_, std::strerror(errno), hint_for(errno, path_));
    }
    if (exists && !S_ISREG(status.st_mode)) {
        fd_ = open_retrying(path_, O_WRONLY);
        if (fd_ < 0) fail_open(path_, std::strerror(errno), hint_for(errno, path_));
        direct_ = true;
        return;
    }
    destination_ = follow_links(path_);
    open_temporary();
}

OutputFile::~OutputFile() {
    discard();
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      destination_(std::move(other.destination_)),
      temporary_(std::exchange(other.temporary_, {})),
      direct_(other.direct_),
      fd_(std::exchange(other.fd_, -1)) {}

void OutputFile::open_temporary() {
    static std::atomic<unsigned> counter{0};
    // Not made from the file's own name, which may already be as long as a name can be.
    const std::string stem =
        (fs::path(folder_of(destination_)) / (".kprof-" + std::to_string(::getpid()) + "-")).string();
    constexpr int attempts = 100;  // a killed run with the same process id may have left its file
    for (int i = 0; i < attempts; ++i) {
        const std::string name = stem + std::to_string(counter++) + ".tmp";
        constexpr mode_t before_umask = 0666;
        fd_ = open_retrying(name, O_WRONLY | O_CREAT | O_EXCL, before_umask);
        if (fd_ >= 0) temporary_ = name;
        if (fd_ >= 0 || errno != EEXIST) break;
    }
    if (fd_ < 0) fail_open(path_, std::strerror(errno), hint_for(errno, destination_));
    struct stat status {};
    constexpr mode_t permissions = 07777;
    // A replaced file keeps its permissions; where that is refused, the new file's own are as good.
    if (::stat(destination_.c_str(), &status) == 0 && ::fchmod(fd_, status.st_mode & permissions) != 0)
        return;
}

void OutputFile::discard() noexcept {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    temporary_.clear();
}

void OutputFile::fail_commit(int error) {
    if (!direct_) discard();
    const std::string untouched = direct_ ? "" : "; what was at that path before is untouched";
    throw environment_error("cannot write '" + printable(path_) + "': " + std::strerror(error) + untouched,
                            hint_for(error, direct_ ? path_ : destination_));
}

void OutputFile::commit(const std::string& text) {
    if (direct_) {
        // Earlier output of this program must come first.
        if (std::fflush(stdout) != 0 && errno != EPIPE) fail_commit(errno);
        // A reader that has seen enough (head, a pager) is no failure.
        const int error = write_all(fd_, text);
        if (error != 0 && error != EPIPE) fail_commit(error);
        return;
    }
    if (fd_ < 0) open_temporary();
    if (const int error = write_all(fd_, text)) fail_commit(error);
    if (const int error = sync_to_disk(fd_)) fail_commit(error);
    // Network file systems report a full disk here.
    if (::close(std::exchange(fd_, -1)) != 0 && errno != EINTR) fail_commit(errno);
    if (::rename(temporary_.c_str(), destination_.c_str()) != 0) fail_commit(errno);
    temporary_.clear();
}

}  // namespace kprof
