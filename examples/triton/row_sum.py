"""The sum of each row in Triton, once by one program for many rows of a few columns at a time, once by one a row.

`narrow_kernel` gives each program 64 rows and walks along them 4 columns at a time: a warp's loads lie a whole row
apart. kprof: coalescing, mended by `wide_kernel`, which reads along the row. That one is at the DRAM limit.

    python3 examples/triton/row_sum.py
    kprof profile -- python3 examples/triton/row_sum.py
"""
import torch
import triton
import triton.language as tl


@triton.jit
def narrow_kernel(x_ptr, out_ptr, rows, columns, ROWS: tl.constexpr, STEP: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    total = tl.zeros((ROWS,), dtype=tl.float32)
    for start in range(0, columns, STEP):
        column = start + tl.arange(0, STEP)
        inside = (row[:, None] < rows) & (column[None, :] < columns)
        x = tl.load(x_ptr + row.to(tl.int64)[:, None] * columns + column[None, :], mask=inside, other=0.0)
        total += tl.sum(x, axis=1)
    tl.store(out_ptr + row, total, mask=row < rows)


@triton.jit
def wide_kernel(x_ptr, out_ptr, columns, STEP: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros((STEP,), dtype=tl.float32)
    for start in range(0, columns, STEP):
        column = start + tl.arange(0, STEP)
        total += tl.load(x_ptr + row * columns + column, mask=column < columns, other=0.0)
    tl.store(out_ptr + row, tl.sum(total, axis=0))


def main():
    torch.manual_seed(0)
    rows, columns = 65536, 4099
    x = torch.rand(rows, columns, device="cuda")
    narrow = torch.empty(rows, device="cuda")
    wide = torch.empty(rows, device="cuda")
    for _ in range(3):
        narrow_kernel[(triton.cdiv(rows, 64),)](x, narrow, rows, columns, ROWS=64, STEP=4)
        wide_kernel[(rows,)](x, wide, columns, STEP=1024)
    expected = x.sum(dim=1, dtype=torch.float64)
    for name, out in (("narrow", narrow), ("wide", wide)):
        error = ((out.double() - expected).norm() / expected.norm()).item()
        assert error < 1e-5, f"{name}: relative error {error}"
        print(f"row_sum {name}: {rows} x {columns}, relative error {error:.1e}")


if __name__ == "__main__":
    main()
