"""Softmax over rows in Triton, one program a row: the row is read once, stays in registers, and is written once.

kprof: at the DRAM limit. Compare with the same in PyTorch operations (exp, sum, divide: five trips to memory), which
`naive` below runs: kprof shows its kernels one by one, each at the DRAM limit, and their sum several times as long.

    python3 examples/triton/softmax.py
    kprof profile -- python3 examples/triton/softmax.py
"""
import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, out_ptr, columns, x_stride, out_stride, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    x = tl.load(x_ptr + row * x_stride + at, mask=inside, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * out_stride + at, e / tl.sum(e, axis=0), mask=inside)


def softmax(x):
    rows, columns = x.shape
    out = torch.empty_like(x)
    block = triton.next_power_of_2(columns)
    softmax_kernel[(rows,)](x, out, columns, x.stride(0), out.stride(0), BLOCK=block,
                            num_warps=8 if block >= 2048 else 4)
    return out


def naive(x):
    e = torch.exp(x - x.max(dim=1, keepdim=True).values)
    return e / e.sum(dim=1, keepdim=True)


def main():
    torch.manual_seed(0)
    x = torch.randn(32768, 4000, device="cuda")
    for _ in range(3):
        out = softmax(x)
    expected = naive(x.double()[:1024]).float()
    torch.testing.assert_close(out[:1024], expected, rtol=1e-5, atol=1e-7)
    torch.testing.assert_close(out, naive(x), rtol=1e-5, atol=1e-7)
    print(f"softmax: {tuple(x.shape)} agrees with FP64, largest difference {(out[:1024] - expected).abs().max():.1e}")


if __name__ == "__main__":
    main()
