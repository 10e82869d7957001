"""C = A·B in FP16 on the tensor cores, tile sizes chosen by Triton's autotuner.

The autotuner runs every configuration before it chooses: kprof sees all of them under one kernel name. Ask for the last
launches, or look at the whole list to see why the slow ones are slow (small tiles: dram_traffic and l2_bound; tiles too
large for the registers: local_memory). kprof on the chosen one: tensor cores in use, at or near the tensor limit.

    python3 examples/triton/matmul_autotune.py
    kprof profile -- python3 examples/triton/matmul_autotune.py
"""
import torch
import triton
import triton.language as tl


def configurations():
    shapes = [(128, 256, 64, 8, 3), (128, 128, 64, 4, 3), (128, 64, 64, 4, 4), (64, 64, 32, 4, 4), (32, 32, 32, 4, 2)]
    return [triton.Config({"BM": m, "BN": n, "BK": k, "GROUP": 8}, num_warps=w, num_stages=s)
            for m, n, k, w, s in shapes]


@triton.autotune(configs=configurations(), key=["M", "N", "K"])
@triton.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                  GROUP: tl.constexpr):
    # Programs of one group share rows of A and columns of B while these are in L2.
    pid = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    first = pid // (GROUP * tiles_n) * GROUP
    height = min(tiles_m - first, GROUP)
    tile_m = first + pid % (GROUP * tiles_n) % height
    tile_n = pid % (GROUP * tiles_n) // height

    row = tile_m * BM + tl.arange(0, BM)
    col = tile_n * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    a = a_ptr + row.to(tl.int64)[:, None] * K + depth[None, :]
    b = b_ptr + depth.to(tl.int64)[:, None] * N + col[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        left = K - start
        a_tile = tl.load(a, mask=(row[:, None] < M) & (depth[None, :] < left), other=0.0)
        b_tile = tl.load(b, mask=(depth[:, None] < left) & (col[None, :] < N), other=0.0)
        total = tl.dot(a_tile, b_tile, total)
        a += BK
        b += BK * N
    c = c_ptr + row.to(tl.int64)[:, None] * N + col[None, :]
    tl.store(c, total.to(tl.float16), mask=(row[:, None] < M) & (col[None, :] < N))


def matmul(a, b):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), device=a.device, dtype=torch.float16)
    matmul_kernel[lambda meta: (triton.cdiv(m, meta["BM"]) * triton.cdiv(n, meta["BN"]),)](a, b, c, m, n, k)
    return c


def main():
    torch.manual_seed(0)
    for m, n, k in ((4096, 4096, 4096), (1000, 520, 264)):
        a = torch.randn(m, k, device="cuda", dtype=torch.float16)
        b = torch.randn(k, n, device="cuda", dtype=torch.float16)
        c = matmul(a, b)
        expected = a.float() @ b.float()
        error = ((c.float() - expected).norm() / expected.norm()).item()
        assert error < 2e-3, f"relative error {error}"
        print(f"matmul: {m} x {n} x {k}, relative error {error:.1e}, chosen {matmul_kernel.best_config}")


if __name__ == "__main__":
    main()
