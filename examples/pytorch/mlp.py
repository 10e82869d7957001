"""A few layers of linear + GELU, forward and backward, in BF16.

The products are cuBLAS kernels: kprof names them at the tensor limit when batch and width are large, and as small_grid or
dram_traffic when they are small (try --batch 8: every weight is then read for a handful of rows). GELU and its backward are
element-wise kernels at the DRAM limit. With --width 256 the launches take longer than the kernels: launch_overhead.

    python3 examples/pytorch/mlp.py
    kprof profile -- python3 examples/pytorch/mlp.py --batch 8
"""
import argparse

import torch


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--width", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=3)
    args = parser.parse_args()

    torch.manual_seed(0)
    layers = []
    for _ in range(args.layers):
        layers += [torch.nn.Linear(args.width, args.width, bias=False), torch.nn.GELU()]
    model = torch.nn.Sequential(*layers).to("cuda", torch.bfloat16)
    x = torch.randn(args.batch, args.width, device="cuda", dtype=torch.bfloat16)
    for _ in range(args.steps):
        model.zero_grad()
        y = model(x)
        y.float().pow(2).mean().backward()
    torch.cuda.synchronize()

    # The same in FP32 for a few rows: BF16 loses about 1 % over the layers.
    exact = torch.nn.Sequential(*[torch.nn.Linear(args.width, args.width, bias=False) if i % 2 == 0 else torch.nn.GELU()
                                  for i in range(2 * args.layers)]).to("cuda")
    exact.load_state_dict(model.state_dict())
    expected = exact(x[:16].float())
    error = ((y[:16].float() - expected).norm() / expected.norm()).item()
    assert error < 3e-2, f"relative error {error}"
    assert all(torch.isfinite(p.grad).all() and p.grad.abs().sum() > 0 for p in model.parameters())
    print(f"mlp: {args.layers} layers, batch {args.batch}, width {args.width}, relative error {error:.1e}")


if __name__ == "__main__":
    main()
