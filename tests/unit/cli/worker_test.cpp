// The protocol between a run of many kernels and its workers. This program is its own worker:
// measure_in_worker() starts /proc/self/exe again, and main() below then plays the worker's part that the
// shape asks for.
#include "cli/worker.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

#include "cli/interrupt.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/profile_json.hpp"

namespace kprof::cli {
namespace {

enum Part {
    good = 1,
    talkative,
    huge,
    killed,
    no_gpu,
    silent_failure,
    garbage,
    faulting,
    dies_late,
    patient
};

KernelProfile measured(const std::string& warning) {
    KernelProfile p;
    p.kernel.name = "gemm / naive";
    p.provenance.kind = "live";
    p.time = Measurement::of("time", 1000, "ns", Origin::timer);
    p.warnings.push_back(warning);
    return p;
}

int play(Part part, const std::string& to) {
    const auto answer = [&](const std::string& warning) {
        OutputFile file(to);
        file.commit(write_profiles({measured(warning)}));
        return 0;
    };
    switch (part) {
        case good:
            return answer("fine");
        case talkative:  // more than a pipe holds, before and after the profile
            std::fputs(std::string(300'000, 'x').c_str(), stderr);
            answer("fine");
            std::fputs(std::string(300'000, 'y').c_str(), stderr);
            return 0;
        case huge:
            return answer(std::string(1'000'000, 'z'));
        case killed:
            std::fputs("kprof: about to die\n", stderr);
            std::raise(SIGKILL);
            return 1;
        case no_gpu:
            std::fputs("kprof: no permission for counters\n  run as root\n  or ask the host\n", stderr);
            return static_cast<int>(ExitCode::environment);
        case silent_failure:
            return 70;
        case garbage:
            OutputFile(to).commit("{\"schema");
            return 0;
        case dies_late:
            answer("fine");
            std::raise(SIGKILL);
            return 1;
        case patient:
            catch_interrupts();
            for (int i = 0; i < 100 && !interrupted(); ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
            return answer(interrupted() ? "ended early" : "nobody said anything");
        case faulting:
            std::fputs("kprof: gemm needs 12 TB of GPU memory\n", stderr);
            return static_cast<int>(ExitCode::usage);
    }
    return 1;
}

KernelProfile ask(Part part) {
    KernelRequest request{"gemm", "naive", "fp32", {}};
    for (const char* extent : {"m", "n", "k"}) request.shape.extents.emplace_back(extent, part);
    return measure_in_worker(request, RunOptions(), "", {});
}

TEST(Worker, ItsProfileIsRead) {
    EXPECT_EQ(ask(good).warnings.front(), "fine");
    EXPECT_EQ(ask(good).time.value, 1000);
}

TEST(Worker, NeitherPipeStopsTheOther) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(ask(talkative).warnings.front(), "fine");
    EXPECT_GE(testing::internal::GetCapturedStderr().size(), 600'000U) << "its messages are passed on";
    EXPECT_EQ(ask(huge).warnings.front().size(), 1'000'000U);
}

TEST(Worker, ADeadOneIsAFailureOfThatKernelOnly) {
    const KernelProfile p = ask(killed);
    EXPECT_NE(p.failure.find("signal 9"), std::string::npos) << p.failure;
    EXPECT_NE(p.failure.find("about to die"), std::string::npos) << p.failure;
    EXPECT_EQ(p.kernel.family, "gemm");
    EXPECT_FALSE(p.time.ok());
    EXPECT_NE(ask(silent_failure).failure.find("70"), std::string::npos);
    EXPECT_EQ(ask(faulting).failure, "gemm needs 12 TB of GPU memory");
    EXPECT_FALSE(ask(garbage).failure.empty());
}

TEST(Worker, WhatItDeliveredCountsThoughItDiedAfterwards) {
    const KernelProfile p = ask(dies_late);
    EXPECT_TRUE(p.failure.empty()) << p.failure;
    EXPECT_TRUE(p.time.ok());
    EXPECT_NE(p.warnings.back().find("signal 9"), std::string::npos) << p.warnings.back();
}

TEST(Worker, WhatIsWrongWithTheMachineIsThrownWithItsRemedy) {
    try {
        ask(no_gpu);
        FAIL() << "an environment error must pass through";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ExitCode::environment);
        EXPECT_STREQ(e.what(), "no permission for counters");
        EXPECT_NE(e.hint().find("or ask the host"), std::string::npos);
    }
}

// The last test: from here on this process counts as interrupted.
TEST(WorkerAtTheEnd, AWishToEndIsPassedOnAndWhatWasMeasuredIsKept) {
    catch_interrupts();
    std::thread user([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        kill(getpid(), SIGINT);
    });
    const KernelProfile p = ask(patient);
    user.join();
    ASSERT_FALSE(p.warnings.empty()) << p.failure;
    EXPECT_EQ(p.warnings.front(), "ended early");
}

}  // namespace
}  // namespace kprof::cli

int main(int argc, char** argv) {
    std::string shape, to;
    for (int i = 1; i + 1 < argc; ++i) {
        if (std::strcmp(argv[i], "--shape") == 0) shape = argv[i + 1];
        if (std::strcmp(argv[i], "--worker") == 0) to = argv[i + 1];
    }
    if (!to.empty()) return kprof::cli::play(static_cast<kprof::cli::Part>(std::stoi(shape)), to);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
