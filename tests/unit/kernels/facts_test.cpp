// Numbers computed by hand from the shapes.
#include <gtest/gtest.h>

#include "kernels/registry.hpp"
#include "kernels/support/geometry.hpp"

namespace kprof {
namespace {

Shape gemm(std::int64_t m, std::int64_t n, std::int64_t k) {
    return Shape{{{"m", m}, {"n", n}, {"k", k}}};
}
Shape line(std::int64_t n) {
    return Shape{{{"n", n}}};
}

TEST(Facts, WorkOfASquareProduct) {
    const Work bf16 = find_kernel("gemm", "cublas").work(gemm(4096, 4096, 4096), DType::bf16);
    EXPECT_DOUBLE_EQ(bf16.flops, 137438953472.0);   // 2 · 4096³
    EXPECT_DOUBLE_EQ(bf16.min_bytes, 100663296.0);  // 3 · 4096² · 2 B
    EXPECT_TRUE(bf16.matrix_product);
    EXPECT_EQ(bf16.precision, "bf16");
    const Work tf32 = find_kernel("gemm", "wmma").work(gemm(4096, 4096, 4096), DType::tf32);
    EXPECT_DOUBLE_EQ(tf32.min_bytes, 201326592.0);  // stored in 4 bytes
    EXPECT_EQ(tf32.precision, "tf32");
}

TEST(Facts, WorkOfAProductWithThreeDifferentExtents) {
    const Work work = find_kernel("gemm", "naive").work(gemm(2, 3, 5), DType::fp32);
    EXPECT_DOUBLE_EQ(work.flops, 60);
    EXPECT_DOUBLE_EQ(work.min_bytes, (10 + 15 + 6) * 4);
}

TEST(Facts, WorkBeyond32Bits) {
    const Work work = find_kernel("gemm", "naive").work(gemm(100000, 100000, 100000), DType::fp32);
    EXPECT_DOUBLE_EQ(work.flops, 2e15);
    EXPECT_DOUBLE_EQ(work.min_bytes, 1.2e11);
}

TEST(Facts, WorkOfTheStreams) {
    const Work copy = find_kernel("copy", "").work(line(1000), DType::bf16);
    EXPECT_DOUBLE_EQ(copy.flops, 0);
    EXPECT_DOUBLE_EQ(copy.min_bytes, 4000);  // read and written, 2 B each
    EXPECT_FALSE(copy.matrix_product);
    const Work add = find_kernel("add", "").work(line(1000), DType::fp32);
    EXPECT_DOUBLE_EQ(add.flops, 1000);
    EXPECT_DOUBLE_EQ(add.min_bytes, 12000);
}

TEST(Facts, LaunchOfTheStreams) {
    // 2^28 floats are 2^26 vectors, 256 a block.
    const Launch copy = find_kernel("copy", "").launch(line(std::int64_t{1} << 28), DType::fp32);
    EXPECT_EQ(copy.grid[0], 262144U);
    EXPECT_EQ(copy.block[0], 256U);
    EXPECT_FALSE(copy.registers);
    // 1023 vectors and 3 floats more: a thread for each vector and for each odd element.
    EXPECT_EQ(find_kernel("add", "").launch(line(4095), DType::fp32).grid[0], 5U);
    EXPECT_EQ(find_kernel("copy", "").launch(line(1), DType::bf16).grid[0], 1U);
    // The longest array there is: 2^30 - 1 vectors and 4 units of 2 bytes.
    EXPECT_EQ(find_kernel("copy", "").launch(line(2147483647), DType::fp64).grid[0], 4194305U);
}

TEST(Facts, LaunchOfTheProducts) {
    const Launch tiled = find_kernel("gemm", "tiled").launch(gemm(100, 33, 7), DType::fp32);
    EXPECT_EQ(tiled.grid, (std::array<std::uint32_t, 3>{2, 4, 1}));
    EXPECT_EQ(tiled.block, (std::array<std::uint32_t, 3>{32, 32, 1}));
    EXPECT_EQ(tiled.smem_static, 8192);
    const KernelDef& wmma = find_kernel("gemm", "wmma");
    EXPECT_EQ(wmma.launch(gemm(64, 64, 64), DType::bf16).block[0], 128U);
    EXPECT_EQ(wmma.launch(gemm(64, 64, 64), DType::bf16).smem_static, 4096);
    EXPECT_EQ(wmma.launch(gemm(64, 64, 64), DType::tf32).smem_static, 0);
    EXPECT_EQ(wmma.launch(gemm(64, 64, 65), DType::tf32).smem_static, 8192);
}

TEST(Facts, AGridNeverPassesItsLimitsAndCoversTheResult) {
    for (const std::int64_t m : {1LL, 32LL, 33LL, 65535LL * 32, 65535LL * 32 + 1, 3000000LL, 2147483647LL}) {
        const Geometry g = tile_geometry(m, 8, 32, 32, 32, 32, 0);
        EXPECT_LE(g.grid[1], 65535U) << m;
        EXPECT_LE(g.grid[2], 65535U) << m;
        const std::int64_t rows = std::int64_t{32} * g.grid[1] * g.grid[2];
        EXPECT_GE(rows, m);
        EXPECT_LT(rows - m, std::int64_t{32} * (g.grid[2] + 1)) << "no more than a layer's rest is idle";
        EXPECT_LE(rows, std::int64_t{4294967295}) << "the kernels count rows in 32 bits";
    }
}

}  // namespace
}  // namespace kprof
