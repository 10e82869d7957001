// Which kernel names tell a matrix product.
#include <gtest/gtest.h>

#include "diagnosis/kernel_names.hpp"
#include "folder.hpp"
#include "kernels.hpp"

namespace kprof::test {
namespace {

const Model& model() {
    static const Model m = Model::load(store());
    return m;
}

KernelId named(const std::string& name) {
    KernelId id;
    id.name = name;
    return id;
}

TEST(KernelNames, AreTakenApartIntoWords) {
    EXPECT_EQ(name_words("void cutlass::GemmUniversal<4>"), "_void_cutlass_gemm_universal_4_");
    EXPECT_EQ(name_words("HGEMMKernel"), "_hgemm_kernel_");
    EXPECT_EQ(name_words(""), "_");
}

TEST(KernelNames, OfMatrixProducts) {
    for (const char* name :
         {"ampere_sgemm_128x64_nn",
          "gemm",
          "my_gemm_v2(float const*)",
          "sgemm_naive",
          "MatMulKernel",
          "matmul_tiled",
          "nvjet_sm90_hsh_320x128_64x3_1x2_h_bz_coopB_NNT",
          "sm90_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize128x256x32",
          "Cijk_Alik_Bljk_SB_MT128x128",
          "void cutlass::Kernel2<cutlass_80_simt_sgemm_128x128_8x4_nn_align1>(Params)",
          "void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<int> >(Params)",
          "cutlass_80_tensorop_bf16_s16816gemm_bf16_128x256",
          "cutlass3x_sm90_tensorop_s64x128x16gemm_bf16",
          "void gemmSN_NN_kernel<float, 256>(int)",
          "void gemmk1_kernel<int>(int)",
          "magma_sgemmEx_kernel",
          "void flash_fwd_kernel<Traits>(Params)",
          "fmha_cutlassF_f16",
          "conv2d_fprop",
          "_Z10gemm_naivePKfS0_Pf",
          "implicit_convolve_sgemm"}) {
        EXPECT_TRUE(is_matrix_product(named(name), model())) << name;
    }
}

TEST(KernelNames, OfOtherKernels) {
    for (const char* name :
         {"not_a_gemm_debug", "gemm_init", "regemmed", "xgemmology", "copy_kernel", "flash_memory_test",
          "splitKreduce_kernel", "gemm_splitk_reduce", "_Z16not_a_gemm_debugv", "stigmma",
          "void at::native::elementwise_kernel<4, at::gemm_epilogue>(int)",
          "void reduce_kernel<float>(cutlass::gemm::Params)", ""}) {
        EXPECT_FALSE(is_matrix_product(named(name), model())) << name;
    }
}

TEST(KernelNames, OfLibraries) {
    EXPECT_TRUE(is_library_kernel(named("ampere_sgemm_128x64_nn"), model()));
    EXPECT_TRUE(is_library_kernel(named("nvjet_sm90_hsh_320x128_64x3"), model()));
    EXPECT_FALSE(is_library_kernel(named("my_gemm"), model()));
    KernelId id = named("anything");
    id.variant = "cublas";
    EXPECT_TRUE(is_library_kernel(id, model()));
}

}  // namespace
}  // namespace kprof::test
