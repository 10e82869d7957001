"""A residual block (layer norm, SwiGLU, residual) as PyTorch runs it, and compiled.

Eager: kprof lists two dozen kernels, the products near the tensor limit and the rest at the DRAM limit, each with the same
tensors in and out. Compiled: the element-wise work is in a few Triton kernels (triton_poi_..., triton_per_...), which kprof
names as they are, and the products are the same.

    python3 examples/pytorch/compile.py
    kprof profile -- python3 examples/pytorch/compile.py
"""
import torch


class Block(torch.nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.gate = torch.nn.Linear(width, hidden, bias=False)
        self.up = torch.nn.Linear(width, hidden, bias=False)
        self.down = torch.nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        h = self.norm(x)
        return x + self.down(torch.nn.functional.silu(self.gate(h)) * self.up(h))


def main():
    torch.manual_seed(0)
    block = Block(4096, 11008).to("cuda", torch.bfloat16).eval()
    x = torch.randn(2048, 4096, device="cuda", dtype=torch.bfloat16)
    fast = torch.compile(block)
    with torch.no_grad():
        for _ in range(3):
            eager, compiled = block(x), fast(x)
        expected = Block(4096, 11008).to("cuda").eval()
        expected.load_state_dict(block.state_dict())
        exact = expected(x.float())
    for name, out in (("eager", eager), ("compiled", compiled)):
        error = ((out.float() - exact).norm() / exact.norm()).item()
        assert error < 1e-2, f"{name}: relative error {error}"
        print(f"block {name}: relative error {error:.1e}")


if __name__ == "__main__":
    main()
