#include "core/output_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <thread>
#include <utility>

#include "support.hpp"

namespace kprof {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using test::hints;
using test::says;
using test::slurp;

TEST(OutputFileTest, NothingIsThereBeforeCommitAndOnlyTheFileAfter) {
    const test::TempFolder folder;
    const std::string path = folder / "out.json";
    {
        OutputFile out(path);
        EXPECT_FALSE(fs::exists(path));
        EXPECT_EQ(folder.entries(), 1U);  // the temporary one, in the same folder
        out.commit("one");
        EXPECT_EQ(slurp(path), "one");
        out.commit("two, and longer");
        out.commit("3");
    }
    EXPECT_EQ(slurp(path), "3");
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(OutputFileTest, WithoutCommitTheEarlierFileStays) {
    const test::TempFolder folder;
    const std::string path = folder.write("out.json", "earlier");
    { const OutputFile out(path); }
    EXPECT_EQ(slurp(path), "earlier");
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(OutputFileTest, FaultsShowInTheConstructor) {
    const test::TempFolder folder;
    const std::string file = folder.write("file", "x");
    struct Row {
        std::string path, says, hint;
    };
    const std::vector<Row> rows{
        {folder / "none/out.json", "No such file or directory", "mkdir -p '" + (folder / "none") + "'"},
        {folder.path(), "Is a directory", "name a file in it"},
        {folder / "new/", "ends with /", "name a file in it"},
        {file + "/out.json", "Not a directory", "is a file, not a folder"},
        {folder / std::string(300, 'n'), "File name too long", "shorter name"},
        {"/proc/out.json", "", "folder"},  // no file can be made there, not even by root
        {"", "name is empty", "-"},
        {"/dev/fd/987", "Bad file descriptor", "name a file"},
    };
    for (const Row& row : rows) {
        const Error e = error_of([&] { OutputFile out(row.path); });
        EXPECT_EQ(e.code(), ExitCode::usage) << row.path;
        EXPECT_TRUE(says(e, "cannot write '" + row.path + "'"));
        EXPECT_TRUE(says(e, row.says));
        EXPECT_TRUE(hints(e, row.hint));
    }
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(OutputFileTest, AFullDiskLeavesTheEarlierFile) {
    const test::TempFolder folder;
    const std::string path = folder.write("out.json", "earlier");
    // A limit on the size of files fails write() as a full disk does.
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{4096, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    OutputFile out(path);
    const Error e = error_of([&] { out.commit(std::string(100'000, 'x')); });
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);

    EXPECT_EQ(e.code(), ExitCode::environment);
    EXPECT_TRUE(
        says(e, "cannot write '" + path + "': File too large; what was at that path before is untouched"));
    EXPECT_EQ(slurp(path), "earlier");
    EXPECT_EQ(folder.entries(), 1U);
    out.commit("later");  // there is room again
    EXPECT_EQ(slurp(path), "later");
}

TEST(OutputFileTest, DevFullIsAnErrorAndDevNullIsNot) {
    OutputFile full("/dev/full");
    const Error e = error_of([&] { full.commit("x"); });
    EXPECT_EQ(e.code(), ExitCode::environment);
    EXPECT_TRUE(says(e, "No space left on device"));
    EXPECT_TRUE(hints(e, "free some space"));
    OutputFile null("/dev/null");
    EXPECT_NO_THROW(null.commit("x"));
    EXPECT_NO_THROW(null.commit("y"));
    struct stat status {};
    ASSERT_EQ(::stat("/dev/null", &status), 0);
    EXPECT_TRUE(S_ISCHR(status.st_mode));  // written to, not replaced
}

// Points stdout at a file for the time of a test.
class Redirected {
  public:
    explicit Redirected(const std::string& path) : saved_(::dup(STDOUT_FILENO)) {
        std::fflush(stdout);
        const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
        ::dup2(fd, STDOUT_FILENO);
        ::close(fd);
    }
    ~Redirected() {
        ::dup2(saved_, STDOUT_FILENO);
        ::close(saved_);
    }
    Redirected(const Redirected&) = delete;
    Redirected& operator=(const Redirected&) = delete;

  private:
    int saved_;
};

TEST(OutputFileTest, StdoutByEachOfItsNamesComesAfterEarlierOutput) {
    for (const char* name : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
        const test::TempFolder folder;
        const std::string path = folder / "redirected";
        {
            const Redirected redirected(path);
            std::fputs("before ", stdout);
            OutputFile out(name);
            out.commit("{}");
            std::fputs(" after", stdout);
            std::fflush(stdout);
        }
        EXPECT_EQ(slurp(path), "before {} after") << name;
        EXPECT_EQ(folder.entries(), 1U);
    }
}

TEST(OutputFileTest, AFullStdoutIsAnError) {
    std::optional<Error> e;
    {
        const Redirected redirected("/dev/full");
        OutputFile out("-");
        e = error_of([&] { out.commit("{}"); });
    }
    EXPECT_EQ(e->code(), ExitCode::environment);
    EXPECT_TRUE(says(*e, "No space left on device"));
}

TEST(OutputFileTest, AFifoIsWrittenToNotReplaced) {
    const test::TempFolder folder;
    const std::string path = folder / "fifo";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::string got;
    std::thread reader([&] { got = slurp(path); });
    {
        OutputFile out(path);
        out.commit(std::string(300'000, 'x'));
    }
    reader.join();
    EXPECT_EQ(got, std::string(300'000, 'x'));
    EXPECT_TRUE(fs::is_fifo(path));
}

TEST(OutputFileTest, LinksStayAndTheirTargetsAreReplaced) {
    const test::TempFolder folder;
    folder.write("there/target.json", "earlier");
    fs::create_symlink("there/target.json", folder / "link");
    fs::create_symlink("there/new.json", folder / "dangling");
    OutputFile(folder / "link").commit("now");
    OutputFile(folder / "dangling").commit("new");
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
    EXPECT_EQ(slurp(folder / "there/target.json"), "now");
    EXPECT_EQ(slurp(folder / "there/new.json"), "new");
}

TEST(OutputFileTest, PermissionsFollowTheUmaskOrTheReplacedFile) {
    const test::TempFolder folder;
    const mode_t before = ::umask(027);
    OutputFile(folder / "new").commit("x");
    ::umask(before);
    const auto mode = [&](const char* name) {
        return static_cast<unsigned>(fs::status(folder / name).permissions());
    };
    EXPECT_EQ(mode("new"), 0640U);
    folder.write("old", "x");
    fs::permissions(folder / "old", static_cast<fs::perms>(0604));
    OutputFile(folder / "old").commit("y");
    EXPECT_EQ(mode("old"), 0604U);
}

TEST(OutputFileTest, NamesAsLongAsTheyCanBe) {
    const test::TempFolder folder;
    const std::string path = folder / std::string(255, 'n');
    OutputFile(path).commit("x");
    EXPECT_EQ(slurp(path), "x");
}

TEST(OutputFileTest, MovedFromFilesLeaveTheTemporaryAlone) {
    const test::TempFolder folder;
    const std::string path = folder / "out";
    {
        std::optional<OutputFile> first(path);
        OutputFile second(std::move(*first));
        first.reset();
        second.commit("x");
        EXPECT_EQ(second.path(), path);
    }
    EXPECT_EQ(slurp(path), "x");
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(OutputFileTest, TwoWritersDoNotMeet) {
    const test::TempFolder folder;
    OutputFile a(folder / "out"), b(folder / "out");
    a.commit("a");
    b.commit("b");
    EXPECT_EQ(slurp(folder / "out"), "b");
    EXPECT_EQ(folder.entries(), 1U);
}

}  // namespace
}  // namespace kprof
