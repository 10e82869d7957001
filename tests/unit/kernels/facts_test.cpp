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
    const Work tf32 = find_kernel("gemm", "wmma-sync").work(gemm(4096, 4096, 4096), DType::tf32);
    EXPECT_DOUBLE_EQ(tf32.min_bytes, 201326592.0);  // stored in 4 bytes
    EXPECT_EQ(tf32.precision, "tf32");
}

TEST(Facts, WorkOfAProductWithThreeDifferentExtents) {
    const Work work = find_kernel("gemm", "naive").work(gemm(2, 3, 5), DType::fp32);
    EXPECT_DOUBLE_EQ(work.flops, 60);
    EXPECT_DOUBLE_EQ(work.min_bytes, (10 + 15 + 6) * 4);
}

TEST(Facts, AnFp8ProductReadsBytesAndWritesBf16) {
    const Work fp8 = find_kernel("gemm", "cublas").work(gemm(16, 32, 64), DType::fp8);
    EXPECT_DOUBLE_EQ(fp8.flops, 2.0 * 16 * 32 * 64);
    EXPECT_DOUBLE_EQ(fp8.min_bytes, 16 * 64 + 64 * 32 + 16 * 32 * 2);
    EXPECT_EQ(fp8.precision, "fp8");
}

TEST(Facts, PaddingIsNotWork) {
    const KernelDef& misaligned = find_kernel("gemm", "cublas-misaligned");
    const KernelDef& padded = find_kernel("gemm", misaligned.twin);
    EXPECT_EQ(padded.variant, "cublas-padded");
    EXPECT_EQ(to_string(misaligned.default_shape), "4096x21845x4096");
    EXPECT_EQ(to_string(padded.default_shape), to_string(misaligned.default_shape));
    const Work as_given = misaligned.work(gemm(3, 65, 7), DType::bf16);
    const Work work = padded.work(gemm(3, 65, 7), DType::bf16);
    EXPECT_DOUBLE_EQ(work.flops, 2.0 * 3 * 65 * 7);
    EXPECT_DOUBLE_EQ(work.min_bytes, (3 * 7 + 7 * 65 + 3 * 65) * 2);
    EXPECT_DOUBLE_EQ(as_given.min_bytes, work.min_bytes);
    // But it is memory: A is 64 x 64, B 64 x 128, C 64 x 128.
    EXPECT_DOUBLE_EQ(padded.device_bytes(gemm(3, 65, 7), DType::bf16) -
                         misaligned.device_bytes(gemm(3, 65, 7), DType::bf16),
                     (4096 + 8192 + 8192 - 3 * 7 - 7 * 65 - 3 * 65) * 2);
}

TEST(Facts, ABiasIsReadAndTheTwinsOfTheEpilogueAgree) {
    const KernelDef& unfused = find_kernel("gemm", "epilogue-unfused");
    const KernelDef& fused = find_kernel("gemm", unfused.twin);
    for (const KernelDef* def : {&unfused, &fused}) {
        const Work work = def->work(gemm(8, 16, 24), DType::bf16);
        EXPECT_DOUBLE_EQ(work.flops, 2.0 * 8 * 16 * 24);
        EXPECT_DOUBLE_EQ(work.min_bytes, (8 * 24 + 24 * 16 + 8 * 16 + 16) * 2);
    }
    EXPECT_EQ(to_string(unfused.default_shape), to_string(fused.default_shape));
}

TEST(Facts, ShapesThatALibraryCannotRunAreRefused) {
    const KernelDef& cublas = find_kernel("gemm", "cublas");
    EXPECT_EQ(cublas.refuses(gemm(7, 32, 48), DType::fp8), "");
    EXPECT_NE(cublas.refuses(gemm(7, 24, 48), DType::fp8), "");
    EXPECT_NE(cublas.refuses(gemm(7, 32, 40), DType::fp8), "");
    EXPECT_EQ(cublas.refuses(gemm(7, 5, 3), DType::bf16), "");
    const KernelDef& padded = find_kernel("gemm", "cublas-padded");
    EXPECT_EQ(padded.refuses(gemm(2147483584, 1, 1), DType::bf16), "");
    EXPECT_NE(padded.refuses(gemm(1, 2147483585, 1), DType::bf16), "");
    for (const char* variant : {"epilogue-unfused", "epilogue-fused"}) {
        EXPECT_EQ(find_kernel("gemm", variant).refuses(gemm(3, 8, 16), DType::bf16), "") << variant;
        EXPECT_NE(find_kernel("gemm", variant).refuses(gemm(3, 7, 16), DType::bf16), "") << variant;
        EXPECT_NE(find_kernel("gemm", variant).refuses(gemm(3, 8, 15), DType::bf16), "") << variant;
    }
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
    // 2^28 floats are 2^26 vectors, 128 a block.
    const Launch copy = find_kernel("copy", "").launch(line(std::int64_t{1} << 28), DType::fp32);
    EXPECT_EQ(copy.grid[0], 524288U);
    EXPECT_EQ(copy.block[0], 128U);
    EXPECT_FALSE(copy.registers);
    // 1023 vectors and 3 floats more: a thread for each vector and for each odd element.
    EXPECT_EQ(find_kernel("add", "").launch(line(4095), DType::fp32).grid[0], 9U);
    EXPECT_EQ(find_kernel("copy", "").launch(line(1), DType::bf16).grid[0], 1U);
    // The longest array there is: 2^30 - 1 vectors and 2 words.
    EXPECT_EQ(find_kernel("copy", "").launch(line(2147483647), DType::fp64).grid[0], 8388609U);
}

TEST(Facts, LaunchOfTheProducts) {
    const Launch tiled = find_kernel("gemm", "tiled").launch(gemm(100, 33, 7), DType::fp32);
    EXPECT_EQ(tiled.grid, (std::array<std::uint32_t, 3>{2, 4, 1}));
    EXPECT_EQ(tiled.block, (std::array<std::uint32_t, 3>{32, 32, 1}));
    EXPECT_EQ(tiled.smem_static, 8192);
    const KernelDef& wmma = find_kernel("gemm", "wmma-sync");
    EXPECT_EQ(wmma.launch(gemm(64, 64, 64), DType::bf16).block[0], 128U);
    EXPECT_EQ(wmma.launch(gemm(64, 64, 64), DType::bf16).smem_static, 4096);
    EXPECT_EQ(wmma.launch(gemm(64, 64, 64), DType::tf32).smem_static, 0);
    EXPECT_EQ(wmma.launch(gemm(64, 64, 65), DType::tf32).smem_static, 8192);
    const Launch strided = find_kernel("gemm", "naive-strided").launch(gemm(100, 33, 7), DType::fp32);
    EXPECT_EQ(strided.grid, (std::array<std::uint32_t, 3>{4, 2, 1})) << "rows run along x";
    const Launch registers = find_kernel("gemm", "register-tiled").launch(gemm(129, 128, 7), DType::fp32);
    EXPECT_EQ(registers.grid, (std::array<std::uint32_t, 3>{1, 2, 1}));
    EXPECT_EQ(registers.block[0], 256U);
    EXPECT_EQ(registers.smem_static, 16640);  // two tiles of 8 x 132 and two of 8 x 128
    const Launch pipelined = find_kernel("gemm", "wmma-pipelined").launch(gemm(129, 256, 7), DType::bf16);
    EXPECT_EQ(pipelined.grid, (std::array<std::uint32_t, 3>{1, 2, 1}));
    EXPECT_EQ(pipelined.smem_dynamic, 3 * (128 * 80 + 32 * 264 * 2));
    EXPECT_LE(pipelined.smem_dynamic, 99 * 1024) << "the largest block of the smallest chips";
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
