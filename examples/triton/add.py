"""out = x + y in Triton.

Two reads and one write of 4 bytes for each addition: memory is the limit, and there is nothing to mend.
kprof: at the DRAM limit (about 90 % of the roof on an H200), every other step passed.

    python3 examples/triton/add.py
    kprof profile -- python3 examples/triton/add.py
"""
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    x = tl.load(x_ptr + at, mask=inside)
    y = tl.load(y_ptr + at, mask=inside)
    tl.store(out_ptr + at, x + y, mask=inside)


def add(x, y):
    out = torch.empty_like(x)
    n = out.numel()
    add_kernel[(triton.cdiv(n, 1024),)](x, y, out, n, BLOCK=1024)
    return out


def main():
    torch.manual_seed(0)
    n = 100_000_007  # no multiple of the block: the mask is used
    x, y = torch.rand(n, device="cuda"), torch.rand(n, device="cuda")
    for _ in range(3):
        out = add(x, y)
    assert torch.equal(out, x + y), "add differs from PyTorch"
    print(f"add: {n} elements equal PyTorch's")


if __name__ == "__main__":
    main()
