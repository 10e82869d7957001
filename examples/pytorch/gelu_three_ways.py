"""GELU as separate operations, as PyTorch's own kernel, and compiled.

`manual` runs one kernel for each operation of the tanh formula, and each reads and writes the whole tensor: kprof shows
kernels that are all at the DRAM limit, and nothing to mend in any of them. The waste is in their number (unfused). PyTorch's
own GELU and the compiled one move each element once in and once out.

    python3 examples/pytorch/gelu_three_ways.py
    kprof profile -- python3 examples/pytorch/gelu_three_ways.py
"""
import math

import torch


def manual(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))


def built_in(x):
    return torch.nn.functional.gelu(x, approximate="tanh")


compiled = torch.compile(manual)


def milliseconds(function, x):
    for _ in range(3):
        function(x)
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(5):
        function(x)
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) / 5


def main():
    torch.manual_seed(0)
    x = torch.randn(16384, 16384, device="cuda")
    expected = built_in(x[:64].double())
    for name, function in (("manual", manual), ("built in", built_in), ("compiled", compiled)):
        time = milliseconds(function, x)
        error = ((function(x)[:64].double() - expected).norm() / expected.norm()).item()
        assert error < 1e-5, f"{name}: relative error {error}"
        print(f"gelu {name}: {time:.2f} ms, relative error {error:.1e}")


if __name__ == "__main__":
    main()
