// The products of an MLP by cuBLAS, TF32 on the tensor cores. Only in a build with CUDA; without a CUDA
// header.
#pragma once

#include <memory>

#include "kernels/support/mlp_family.hpp"

namespace kprof {

class LibraryProduct;

// Rows become columns: `to` is columns x rows.
void mlp_transpose(const float* from, std::int64_t rows, std::int64_t columns, float* to);

class MlpLibrary : public MlpProducts {
  public:
    // Opens the library. Error(environment) when it is not there.
    explicit MlpLibrary(const Call& call);
    ~MlpLibrary() override;
    void layer(const float* x, const float* w, float* z, float* y) override;
    void weight_gradient(const float* x, const float* z_gradient, float* w_gradient) override;
    void z_gradient(const float* z_gradient, const float* w, const float* z, float* before) override;

  private:
    // c = a b, rows x width.
    void product(const float* a, const float* b, std::int64_t rows, std::int64_t depth, float* c);

    MlpShape shape_;
    float* transposed_;  // as large as a batch and as the weights of a layer; null for forward
    std::unique_ptr<LibraryProduct> library_;
};

// For Variant::open and close.
void* mlp_library_open(const Call& call);
void mlp_library_close(void* context);

}  // namespace kprof
