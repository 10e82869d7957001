#include "cli/worker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "cli/interrupt.hpp"
#include "core/error.hpp"
#include "core/profile_json.hpp"
#include "core/strings.hpp"
#include "kernels/registry.hpp"

extern char** environ;

namespace kprof::cli {

namespace {

// Two pipes: the worker's stderr, and its profile (fd 3). A pipe needs no temporary file that a full disk
// could spoil.
struct Pipe {
    std::array<int, 2> ends{-1, -1};
    Pipe() {
        if (pipe2(ends.data(), O_CLOEXEC) != 0)
            throw environment_error(std::string("pipe failed: ") + std::strerror(errno));
    }
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    void close_end(std::size_t i) {
        if (ends[i] >= 0) close(ends[i]);
        ends[i] = -1;
    }
    // False at the end of the stream.
    bool read_some(std::string& into) {
        std::array<char, 65536> buffer;
        const ssize_t n = read(ends[0], buffer.data(), buffer.size());
        if (n > 0) into.append(buffer.data(), static_cast<std::size_t>(n));
        return n > 0 || (n < 0 && errno == EINTR);
    }
};

// Reads two pipes until both have ended, whichever the worker fills first: one that is not read would stop
// it.
// A wish to end is passed on once: the worker is in a process group of its own, which no Ctrl-C of the
// terminal reaches.
void read_both(pid_t worker, Pipe& first, std::string& into_first, Pipe& second, std::string& into_second) {
    bool first_open = true, second_open = true, told = false;
    while (first_open || second_open) {
        // A negative descriptor is left out by poll().
        std::array<pollfd, 2> wait{
            {{first_open ? first.ends[0] : -1, POLLIN, 0}, {second_open ? second.ends[0] : -1, POLLIN, 0}}};
        // The limit is for a signal that came just before poll().
        const int ready = poll(wait.data(), wait.size(), 200);
        if (interrupted() && !told) told = kill(worker, SIGTERM) == 0;
        if (ready <= 0) continue;
        if (wait[0].revents != 0) first_open = first.read_some(into_first);
        if (wait[1].revents != 0) second_open = second.read_some(into_second);
    }
}

std::vector<std::string> worker_arguments(const KernelRequest& r, const RunOptions& o,
                                          const std::string& config_dir,
                                          const std::vector<std::string>& thresholds) {
    std::vector<std::string> a = {
        "kprof",    "run",      r.family,  "--variant",        r.variant,
        "--dtype",  r.dtype,    "--shape", to_string(r.shape), "--source",
        "gpu",      "--cache",  o.cache,   "--device",         std::to_string(o.device),
        "--worker", "/dev/fd/3"};
    if (!o.metrics.empty()) a.insert(a.end(), {"--metrics", o.metrics});
    if (o.repeats > 0) a.insert(a.end(), {"--repeats", std::to_string(o.repeats)});
    if (o.no_verify) a.push_back("--no-verify");
    if (!config_dir.empty()) a.insert(a.end(), {"--config-dir", config_dir});
    for (const std::string& t : thresholds) a.insert(a.end(), {"--threshold", t});
    return a;
}

pid_t spawn(const std::vector<std::string>& arguments, const Pipe& result, const Pipe& messages) {
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, result.ends[1], 3);
    posix_spawn_file_actions_adddup2(&actions, messages.ends[1], STDERR_FILENO);
    pid_t pid = -1;
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    const int failed = posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0)
        throw environment_error(std::string("the worker process could not be started: ") +
                                std::strerror(failed));
    return pid;
}

// Nothing when it is not there or not whole.
std::optional<KernelProfile> read_profile(const std::string& text) {
    try {
        std::vector<KernelProfile> read = read_profiles(text, "the worker's profile");
        if (read.size() == 1) return std::move(read.front());
    } catch (const Error&) {  // cut off: the way in which the worker ended says more
    }
    return std::nullopt;
}

std::string last_line(const std::string& text) {
    std::string last;
    for (const std::string& line : split(text, '\n'))
        if (!trim(line).empty()) last = printable(trim(line));
    return last;
}

std::string signal_text(int number, const std::string& last) {
    std::string text = "the process that ran it was killed by signal " + std::to_string(number) + " (" +
                       strsignal(number) + ")";
    if (!last.empty()) text += "; it last said: " + last;
    return text;
}

}  // namespace

KernelProfile failed_profile(const KernelRequest& request, const std::string& why) {
    KernelProfile p;
    p.kernel = plan_kernel(request).id;
    p.provenance.kind = "live";
    p.failure = why;
    return p;
}

KernelProfile measure_in_worker(const KernelRequest& request, const RunOptions& options,
                                const std::string& config_dir, const std::vector<std::string>& thresholds) {
    Pipe result, messages;
    const pid_t pid = spawn(worker_arguments(request, options, config_dir, thresholds), result, messages);
    result.close_end(1);
    messages.close_end(1);
    std::string profile, text;
    read_both(pid, result, profile, messages, text);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    const std::string death = WIFSIGNALED(status) ? signal_text(WTERMSIG(status), last_line(text)) : "";
    // A profile that was delivered whole counts, whatever became of the worker afterwards.
    if (std::optional<KernelProfile> delivered = read_profile(profile)) {
        if (!death.empty()) delivered->warnings.push_back("after the measurement " + death);
        const std::string messages_of_it = trim(text);
        if (!messages_of_it.empty()) fprintf(stderr, "%s\n", messages_of_it.c_str());
        return std::move(*delivered);
    }
    if (interrupted()) return failed_profile(request, "interrupted");
    if (!death.empty()) return failed_profile(request, death);
    const int code = WEXITSTATUS(status);
    // The worker's own message, without its prefix; its hint follows in further lines.
    std::string what = trim(text);
    if (what.rfind("kprof: ", 0) == 0) what = what.substr(7);
    const std::size_t end = what.find('\n');
    const std::string first = what.substr(0, end),
                      hint = end == std::string::npos ? "" : trim(what.substr(end + 1));
    if (code == static_cast<int>(ExitCode::environment)) throw environment_error(first, hint);
    return failed_profile(request,
                          first.empty() ? "the worker ended with exit code " + std::to_string(code) : first);
}

}  // namespace kprof::cli
