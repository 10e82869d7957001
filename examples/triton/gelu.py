"""GELU (with erf) in Triton, one kernel: one read and one write of each element.

kprof: at the DRAM limit, though erf costs tens of instructions an element: the verdict says which of the two bounds.
examples/pytorch/gelu_three_ways.py has the same as PyTorch runs it, one kernel for each operation.

    python3 examples/triton/gelu.py
    kprof profile -- python3 examples/triton/gelu.py
"""
import torch
import triton
import triton.language as tl


@triton.jit
def gelu_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    x = tl.load(x_ptr + at, mask=inside).to(tl.float32)
    y = 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))
    tl.store(out_ptr + at, y.to(out_ptr.dtype.element_ty), mask=inside)


def gelu(x):
    out = torch.empty_like(x)
    gelu_kernel[(triton.cdiv(x.numel(), 2048),)](x, out, x.numel(), BLOCK=2048, num_warps=8)
    return out


def main():
    torch.manual_seed(0)
    for dtype, tolerance in ((torch.float32, 1e-6), (torch.bfloat16, 4e-3)):
        x = torch.randn(8192, 16385, device="cuda", dtype=dtype)
        for _ in range(3):
            out = gelu(x)
        expected = torch.nn.functional.gelu(x[:256].double())
        error = ((out[:256].double() - expected).norm() / expected.norm()).item()
        assert error < tolerance, f"{dtype}: relative error {error}"
        print(f"gelu: {dtype}, relative error {error:.1e}")


if __name__ == "__main__":
    main()
