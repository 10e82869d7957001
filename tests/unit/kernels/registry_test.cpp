#include "kernels/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/error.hpp"

namespace kprof {
namespace {

// The text of the Error that `call` throws: what, then hint.
template <typename Call>
std::string error_of(Call call, ExitCode code = ExitCode::usage) {
    try {
        call();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), code);
        return std::string(e.what()) + " | " + e.hint();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// src/kernels/<family>/<variant>.cu, with _ for -. support/ holds no kernels of its own.
std::set<std::string> kernel_files() {
    std::set<std::string> names;
    for (const auto& family : std::filesystem::directory_iterator(KPROF_SOURCE_DIR "/src/kernels")) {
        if (!family.is_directory() || family.path().filename() == "support") continue;
        for (const auto& file : std::filesystem::directory_iterator(family.path())) {
            names.insert(family.path().filename().string() + "/" + file.path().filename().string());
        }
    }
    return names;
}

TEST(Registry, EveryKernelFileRegistersTheVariantOfItsName) {
    std::set<std::string> wanted;
    for (const KernelDef* def : all_kernels()) {
        std::string path = def->family + "/" + def->variant + ".cu";
        std::replace(path.begin(), path.end(), '-', '_');
        wanted.insert(path);
    }
    const std::set<std::string> files = kernel_files();
    for (const std::string& path : wanted) EXPECT_TRUE(files.count(path)) << "no file src/kernels/" << path;
    for (const std::string& path : files)
        EXPECT_TRUE(wanted.count(path)) << "src/kernels/" << path << " registers no variant of that name";
    EXPECT_EQ(wanted.size(), all_kernels().size());
    EXPECT_GE(wanted.size(), 90U);
}

TEST(Registry, NamesAreUniqueAndEachFamilyHasOneDefault) {
    std::set<std::string> names;
    for (const KernelDef* def : all_kernels()) {
        EXPECT_TRUE(names.insert(def->family + "/" + def->variant).second)
            << def->family << "/" << def->variant;
    }
    for (const std::string& family : kernel_families()) {
        const auto variants = variants_of(family);
        EXPECT_EQ(std::count_if(variants.begin(), variants.end(), [](auto* def) { return def->is_default; }),
                  1)
            << family;
    }
}

TEST(Registry, TheLadderOfGemmIsInOrder) {
    std::vector<std::string> names;
    for (const KernelDef* def : variants_of("gemm")) names.push_back(def->variant);
    EXPECT_EQ(names,
              (std::vector<std::string>{"naive-strided", "naive", "tiled-conflict", "tiled", "register-tiled",
                                        "wmma-sync", "wmma-pipelined", "wgmma", "cublas", "cublas-misaligned",
                                        "cublas-padded", "epilogue-unfused", "epilogue-fused"}));
    EXPECT_EQ(find_kernel("gemm", "").variant, "naive");
}

TEST(Registry, EveryDefIsComplete) {
    for (const KernelDef* def : all_kernels()) {
        SCOPED_TRACE(def->family + "/" + def->variant);
        EXPECT_FALSE(def->title.empty());
        EXPECT_FALSE(def->dtypes.empty());
        EXPECT_FALSE(def->expected.empty());
        ASSERT_EQ(def->default_shape.extents.size(), def->extents.size());
        for (std::size_t i = 0; i < def->extents.size(); ++i) {
            EXPECT_EQ(def->default_shape.extents[i].first, def->extents[i]);
        }
        for (const DType dtype : def->dtypes) {
            const Work work = def->work(def->default_shape, dtype);
            EXPECT_TRUE(dtype_from(work.precision)) << work.precision;
            EXPECT_GT(work.min_bytes, 0);
            EXPECT_EQ(work.origin, "model");
            EXPECT_GE(def->device_bytes(def->default_shape, dtype), work.min_bytes);
        }
#ifdef KPROF_WITH_CUDA
        EXPECT_TRUE(def->make);
#else
        EXPECT_FALSE(def->make);
#endif
    }
}

// What a label can be: a rule of the tree or of the further rules, or the roof that the kernel is at.
TEST(Registry, LabelsAreOfTheVocabulary) {
    const std::set<std::string> rules = {"tensor_cores",      "coalescing",
                                         "occupancy",         "barriers",
                                         "dram_traffic",      "launch_overhead",
                                         "small_grid",        "tail",
                                         "bank_conflicts",    "atomics",
                                         "local_memory",      "divergence",
                                         "special_functions", "integer_arithmetic",
                                         "wrong_precision",   "unfused_math",
                                         "l2_bound",          "l1_bound",
                                         "constant_cache",    "instruction_supply",
                                         "latency",           "fences",
                                         "tensor_starved",    "clocks",
                                         "host_bound"};
    const std::set<std::string> roofs = {"dram", "l2",   "l1", "smem", "tensor",
                                         "fma",  "fp64", "xu", "alu",  "issue"};
    for (const KernelDef* def : all_kernels()) {
        const std::string prefix = "at_limit:";
        const bool limit = def->expected.rfind(prefix, 0) == 0;
        EXPECT_EQ(limit ? roofs.count(def->expected.substr(prefix.size())) : rules.count(def->expected), 1U)
            << def->family << "/" << def->variant << ": '" << def->expected
            << "' is no rule of this test's list and no at_limit:<roof>";
    }
}

TEST(Registry, ATwinExistsAndComputesTheSameFunction) {
    int twins = 0;
    for (const KernelDef* def : all_kernels()) {
        SCOPED_TRACE(def->family + "/" + def->variant);
        // A planted bottleneck has a twin without it; latency (a chain of dependent loads) is the task
        // itself.
        const bool limit = def->expected.rfind("at_limit:", 0) == 0;
        EXPECT_TRUE(limit || def->expected == "latency" || !def->twin.empty())
            << "a planted bottleneck needs a twin, the variant that mends it";
        if (def->twin.empty()) continue;
        ++twins;
        const KernelDef& twin = find_kernel(def->family, def->twin);
        EXPECT_NE(&twin, def);
        EXPECT_EQ(twin.extents, def->extents);
        EXPECT_EQ(twin.default_shape, def->default_shape);
        for (const DType dtype : def->dtypes) {
            if (std::find(twin.dtypes.begin(), twin.dtypes.end(), dtype) == twin.dtypes.end()) continue;
            EXPECT_EQ(twin.work(def->default_shape, dtype).flops, def->work(def->default_shape, dtype).flops);
            EXPECT_EQ(twin.work(def->default_shape, dtype).min_bytes,
                      def->work(def->default_shape, dtype).min_bytes);
        }
    }
    EXPECT_GE(twins, 35);
}

TEST(Registry, AnUnknownFamilyIsAnsweredWithTheNearest) {
    const std::string text = error_of([] { find_kernel("gem", ""); });
    EXPECT_TRUE(has(text, "'gem'")) << text;
    EXPECT_TRUE(has(text, "did you mean 'gemm'")) << text;
    EXPECT_TRUE(has(text, "add, attention, cache, copy")) << text;
}

TEST(Registry, AnUnknownVariantIsAnsweredWithTheNearest) {
    const std::string text = error_of([] { find_kernel("gemm", "tilde"); });
    EXPECT_TRUE(has(text, "did you mean 'tiled'")) << text;
    EXPECT_TRUE(has(text, "register-tiled, wmma-sync")) << text;
}

TEST(Registry, ADtypeThatAVariantLacksNamesTheOnesThatHaveIt) {
    const KernelDef& naive = find_kernel("gemm", "naive");
    EXPECT_EQ(dtype_for(naive, ""), DType::fp32);
    EXPECT_EQ(dtype_for(naive, "fp32"), DType::fp32);
    const std::string lacks = error_of([&] { dtype_for(naive, "bf16"); });
    EXPECT_TRUE(has(lacks, "it has fp32")) << lacks;
    EXPECT_TRUE(has(lacks, "wmma-sync|") && has(lacks, "cublas|") && has(lacks, "--dtype bf16")) << lacks;
    const std::string nobody = error_of([&] { dtype_for(naive, "int8"); });
    EXPECT_TRUE(has(nobody, "use --dtype fp32")) << nobody;
    const std::string unknown = error_of([&] { dtype_for(find_kernel("gemm", "cublas"), "bf61"); });
    EXPECT_TRUE(has(unknown, "there is no dtype 'bf61'")) << unknown;
    EXPECT_TRUE(has(unknown, "bf16, fp16, tf32, fp32, fp8")) << unknown;
}

TEST(Registry, APlanFillsInDefaults) {
    const KernelPlan plan = plan_kernel({"gemm", "", "", {}});
    EXPECT_EQ(plan.id.name, "gemm / naive");
    EXPECT_EQ(plan.id.short_name, "gemm/naive");
    EXPECT_TRUE(plan.id.mangled.empty());
    EXPECT_EQ(plan.id.family, "gemm");
    EXPECT_EQ(plan.id.variant, "naive");
    EXPECT_EQ(plan.id.dtype, "fp32");
    EXPECT_EQ(to_string(plan.id.shape), "4096x4096x4096");
    EXPECT_TRUE(plan.work.matrix_product);
    ASSERT_TRUE(plan.launch);
    EXPECT_EQ(plan.launch->grid, (std::array<std::uint32_t, 3>{128, 128, 1}));
    EXPECT_EQ(to_string(plan_kernel({"copy", "", "", {}}).id.shape), "268435456");
}

TEST(Registry, APlanKeepsWhatWasAskedFor) {
    const KernelPlan plan = plan_kernel({"gemm", "cublas", "tf32", Shape{{{"m", 8}, {"n", 16}, {"k", 24}}}});
    EXPECT_EQ(plan.id.dtype, "tf32");
    EXPECT_EQ(to_string(plan.id.shape), "8x16x24");
    EXPECT_FALSE(plan.launch);  // the library's choice
#ifndef KPROF_WITH_CUDA
    EXPECT_FALSE(plan.make);
#endif
}

TEST(Registry, APlanRefusesAShapeThatDoesNotBelong) {
    const std::string text = error_of([] {
        plan_kernel({"copy", "", "", Shape{{{"m", 8}, {"n", 8}, {"k", 8}}}});
    });
    EXPECT_TRUE(has(text, "copy has the extents n")) << text;
    EXPECT_TRUE(has(text, "268435456")) << text;
    const std::string zero = error_of([] { plan_kernel({"copy", "", "", Shape{{{"n", 0}}}}); });
    EXPECT_TRUE(has(zero, "n=0")) << zero;
}

}  // namespace
}  // namespace kprof
