#ifdef KPROF_WITH_CUDA
#include "kernels/support/mlp_library.hpp"

#include "kernels/support/cublas_gemm.hpp"
#include "kernels/support/cublas_product.hpp"
#include "kernels/support/gemm_family.hpp"

namespace kprof {

MlpLibrary::MlpLibrary(const Call& call)
    : shape_(mlp_shape(call)), transposed_(call.as<float>(mlp_transposed)), library_(make_cublas_product()) {}

MlpLibrary::~MlpLibrary() = default;

void MlpLibrary::product(const float* a, const float* b, std::int64_t rows, std::int64_t depth, float* c) {
    GemmCall call;
    call.a = a;
    call.b = b;
    call.c = c;
    call.m = static_cast<std::int32_t>(rows);
    call.n = static_cast<std::int32_t>(shape_.width);
    call.k = static_cast<std::int32_t>(depth);
    call.dtype = DType::tf32;
    call.lda = depth;
    call.ldb = shape_.width;
    call.ldc = shape_.width;
    library_->run(call);
}

void MlpLibrary::layer(const float* x, const float* w, float* z, float* y) {
    float* const out = z != nullptr ? z : y;
    product(x, w, shape_.batch, shape_.width, out);
    if (y != nullptr) mlp_gelu(out, y, shape_.vectors());
}

// The library multiplies matrices as they lie in memory: xᵀ and wᵀ are written first.
void MlpLibrary::weight_gradient(const float* x, const float* z_gradient, float* w_gradient) {
    mlp_transpose(x, shape_.batch, shape_.width, transposed_);
    product(transposed_, z_gradient, shape_.width, shape_.batch, w_gradient);
}

void MlpLibrary::z_gradient(const float* z_gradient, const float* w, const float* z, float* before) {
    mlp_transpose(w, shape_.width, shape_.width, transposed_);
    product(z_gradient, transposed_, shape_.batch, shape_.width, before);
    mlp_gelu_gradient(before, z, before, shape_.vectors());
}

void* mlp_library_open(const Call& call) {
    return new MlpLibrary(call);
}

void mlp_library_close(void* context) {
    delete static_cast<MlpLibrary*>(context);
}

}  // namespace kprof
#endif
