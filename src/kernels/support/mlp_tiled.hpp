// The products of an MLP in FP32 on the CUDA cores: 64 x 64 tiles of the result, 4 x 4 a thread.
#pragma once

#include "kernels/support/mlp_family.hpp"

namespace kprof {

constexpr int mlp_tile = 64;
constexpr int mlp_tile_depth = 16;
constexpr int mlp_tile_padding = 4;  // keeps 16-byte rows, and shifts their banks
constexpr int mlp_tile_smem = 2 * mlp_tile_depth * (mlp_tile + mlp_tile_padding) * 4;

// Of the product of rows x width.
Geometry mlp_tile_geometry(std::int64_t rows, std::int64_t width);

#ifdef KPROF_WITH_CUDA
class MlpTiled : public MlpProducts {
  public:
    explicit MlpTiled(const MlpShape& shape) : shape_(shape) {}
    void layer(const float* x, const float* w, float* z, float* y) override;
    void weight_gradient(const float* x, const float* z_gradient, float* w_gradient) override;
    void z_gradient(const float* z_gradient, const float* w, const float* z, float* before) override;

  private:
    MlpShape shape_;
};
#endif

}  // namespace kprof
