"""y = RMSNorm(x)·Wᵀ in one Triton kernel: the norm's factor belongs to a row, so it can be multiplied in at the end.

Unfused, the normalised x is written and read again. Fused, the sum of squares is gathered while the tiles of x pass by.
kprof on `fused_kernel`: tensor cores in use; each program reads x once more than it must only if the tiles of N are small.
kprof on the PyTorch kernels of `unfused`: the element-wise ones at the DRAM limit, the product at the tensor limit.

    python3 examples/triton/rmsnorm_linear.py
    kprof profile -- python3 examples/triton/rmsnorm_linear.py
"""
import torch
import triton
import triton.language as tl

EPSILON = 1e-6


@triton.jit
def fused_kernel(x_ptr, gain_ptr, w_ptr, y_ptr, M, N, K, epsilon, BM: tl.constexpr, BN: tl.constexpr,
                 BK: tl.constexpr):
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    col = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    squares = tl.zeros((BM,), dtype=tl.float32)
    for start in range(0, K, BK):
        depth = start + tl.arange(0, BK)
        x = tl.load(x_ptr + row.to(tl.int64)[:, None] * K + depth[None, :],
                    mask=(row[:, None] < M) & (depth[None, :] < K), other=0.0)
        # W is N x K: its transposed tile is read along K, as it lies.
        w = tl.load(w_ptr + col.to(tl.int64)[None, :] * K + depth[:, None],
                    mask=(col[None, :] < N) & (depth[:, None] < K), other=0.0)
        gain = tl.load(gain_ptr + depth, mask=depth < K, other=0.0)
        wide = x.to(tl.float32)
        squares += tl.sum(wide * wide, axis=1)
        total = tl.dot((wide * gain[None, :].to(tl.float32)).to(x.dtype), w, total)
    scale = tl.rsqrt(squares / K + epsilon)
    y = (total * scale[:, None]).to(y_ptr.dtype.element_ty)
    tl.store(y_ptr + row.to(tl.int64)[:, None] * N + col[None, :], y, mask=(row[:, None] < M) & (col[None, :] < N))


def fused(x, gain, w):
    (m, k), n = x.shape, w.shape[0]
    y = torch.empty((m, n), device=x.device, dtype=x.dtype)
    fused_kernel[(triton.cdiv(m, 128), triton.cdiv(n, 128))](x, gain, w, y, m, n, k, EPSILON, BM=128, BN=128, BK=64,
                                                             num_warps=8, num_stages=3)
    return y


def unfused(x, gain, w):
    scale = torch.rsqrt(x.float().pow(2).mean(dim=1, keepdim=True) + EPSILON)
    return (x.float() * scale * gain.float()).to(x.dtype) @ w.T


def main():
    torch.manual_seed(0)
    for m, n, k in ((4096, 4096, 4096), (333, 200, 264)):
        x = torch.randn(m, k, device="cuda", dtype=torch.bfloat16)
        gain = torch.rand(k, device="cuda", dtype=torch.bfloat16) + 0.5
        w = torch.randn(n, k, device="cuda", dtype=torch.bfloat16)
        y, other = fused(x, gain, w), unfused(x, gain, w)
        wide = x.double()
        expected = (wide * torch.rsqrt(wide.pow(2).mean(dim=1, keepdim=True) + EPSILON) * gain.double()) @ w.double().T
        for name, out in (("fused", y), ("unfused", other)):
            error = ((out.double() - expected).norm() / expected.norm()).item()
            assert error < 1e-2, f"{name}: relative error {error}"
            print(f"rmsnorm_linear {name}: {m} x {n} x {k}, relative error {error:.1e}")


if __name__ == "__main__":
    main()
