#!/usr/bin/env python3
"""What the reference kernels are held against, as ratios of one run on this machine's GPU: targets.py KPROF [--json FILE].

Bandwidth targets are shares of the data sheet's DRAM peak; products are held against cuBLAS, attention against the tensor roof at the
clock held and against PyTorch's fused attention where PyTorch is installed. Exit 0 when every target is met, 1 when one is missed."""
import argparse
import json
import subprocess
import sys


def measure(kprof, family, variant, dtype=None, shape=None, counters="quick"):
    command = [kprof, "run", family, "--variant", variant, "--source", "gpu", "--json", "-", "--metrics", counters]
    command += (["--dtype", dtype] if dtype else []) + (["--shape", shape] if shape else [])
    done = subprocess.run(command, capture_output=True, text=True)
    if not done.stdout:
        raise RuntimeError(f"{family}/{variant}: {done.stderr.strip()}")
    profile = json.loads(done.stdout)["profiles"][0]
    if profile.get("failure") or profile["verification"]["status"] == "wrong":
        raise RuntimeError(f"{family}/{variant}: {profile.get('failure') or profile['verification']}")
    return profile


def seconds(profile):
    return profile["time"]["value"] * 1e-9


def bandwidth_share(profile, peak):
    return profile["work"]["min_bytes"] / seconds(profile) / peak


TORCH_ATTENTION = """
import sys, torch
b, h, n, d = (int(x) for x in sys.argv[1:5])
q, k, v = (torch.randn(b, h, n, d, device="cuda", dtype=torch.bfloat16) for _ in range(3))
from torch.nn.attention import SDPBackend, sdpa_kernel
best = None
for backend in (SDPBackend.CUDNN_ATTENTION, SDPBackend.FLASH_ATTENTION):
    try:
        with sdpa_kernel(backend):
            f = lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v)
            for _ in range(3): f()
            times = []
            for _ in range(20):
                a, z = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                a.record(); f(); z.record(); z.synchronize(); times.append(a.elapsed_time(z))
            t = sorted(times)[len(times) // 2]
            if best is None or t < best[0]: best = (t, backend.name)
    except Exception:
        pass
print(best[0] / 1e3, best[1])
"""


def torch_attention(shape):
    done = subprocess.run([sys.executable, "-c", TORCH_ATTENTION, *map(str, shape)], capture_output=True, text=True)
    words = done.stdout.split()
    return (float(words[0]), words[1]) if done.returncode == 0 and len(words) == 2 else (None, done.stderr.strip()[-200:])


class Table:
    def __init__(self):
        self.rows = []

    def add(self, what, value, target, note=""):
        met = value is not None and value >= target
        self.rows.append({"what": what, "value": value, "target": target, "met": met, "note": note})
        shown = "not measured" if value is None else f"{value:.3f}"
        print(f"{'ok    ' if met else 'MISSED'} {what:58s} {shown:>12s}  target {target:g}  {note}", flush=True)


def roofs(kprof):
    done = subprocess.run([kprof, "run", "copy", "--source", "gpu", "--json", "-", "--metrics", "quick"], capture_output=True, text=True)
    ceilings = json.loads(done.stdout)["machine"]["ceilings"]
    dram = next(c for c in ceilings if c.get("level") == "dram" and c["origin"] == "datasheet")
    return dram["value"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kprof")
    parser.add_argument("--json")
    o = parser.parse_args()
    table = Table()
    peak = roofs(o.kprof)
    for family, variant, dtype, target in (("copy", "float4", "fp32", 0.90), ("read", "float4", "fp32", 0.92), ("softmax", "warp", "fp32", 0.85),
                                           ("rmsnorm", "warp", "fp32", 0.85), ("gelu", "fused-vectorised", "fp32", 0.85)):
        p = measure(o.kprof, family, variant, dtype)
        table.add(f"{family}/{variant} {dtype}: share of the DRAM peak", bandwidth_share(p, peak), target,
                  f"{p['work']['min_bytes'] / seconds(p) / 1e12:.2f} TB/s")
    for size in (4096, 8192):
        shape = f"{size}x{size}x{size}"
        ours, theirs = (measure(o.kprof, "gemm", v, "bf16", shape) for v in ("wgmma", "cublas"))
        table.add(f"gemm/wgmma bf16 {size}: cuBLAS time over ours", seconds(theirs) / seconds(ours), 0.95,
                  f"{ours['work']['flops'] / seconds(ours) / 1e12:.0f} against {theirs['work']['flops'] / seconds(theirs) / 1e12:.0f} TFLOP/s")
    ours, theirs = (measure(o.kprof, "gemm", v, "fp32", "4096x4096x4096") for v in ("register-tiled", "cublas"))
    table.add("gemm/register-tiled fp32 4096: cuBLAS time over ours", seconds(theirs) / seconds(ours), 0.85,
              f"{ours['work']['flops'] / seconds(ours) / 1e12:.1f} TFLOP/s")
    p = measure(o.kprof, "attention", "flash-wgmma")
    held = [r for r in p["roofline"] if r["level"] == "dram" and r["clock"] == "held"] or [r for r in p["roofline"] if r["level"] == "dram"]
    table.add("attention/flash-wgmma: share of the BF16 roof at the clock held",
              p["work"]["flops"] / seconds(p) / held[0]["compute_roof"], 0.60, f"{p['work']['flops'] / seconds(p) / 1e12:.0f} TFLOP/s")
    s = p["kernel"]["shape"]
    time, name = torch_attention((s["batch"], s["heads"], s["queries"], s["depth"]))
    if time:
        print(f"       for comparison, PyTorch {name}: {p['work']['flops'] / time / 1e12:.0f} TFLOP/s, ours is {time / seconds(p):.2f} times as fast")
    p = measure(o.kprof, "attention", "causal-wgmma")
    held = [r for r in p["roofline"] if r["level"] == "dram" and r["clock"] == "held"] or [r for r in p["roofline"] if r["level"] == "dram"]
    table.add("attention/causal-wgmma: share of the BF16 roof at the clock held",
              p["work"]["flops"] / seconds(p) / held[0]["compute_roof"], 0.60, f"{p['work']['flops'] / seconds(p) / 1e12:.0f} TFLOP/s")
    done = subprocess.run([o.kprof, "ceilings", "--only", "launch", "--no-save", "--json", "-"], capture_output=True, text=True)
    launch = json.loads(done.stdout)["measured"].get("launch", {}) if done.stdout else {}
    stream, node = launch.get("host_ns"), launch.get("graph_host_ns")
    table.add("graph launch per node: times cheaper on the CPU", stream / node if stream and node else None, 20,
              f"{stream} ns against {node} ns")
    if o.json:
        with open(o.json, "w") as f:
            json.dump(table.rows, f, indent=1)
    return 0 if all(r["met"] for r in table.rows) else 1


if __name__ == "__main__":
    sys.exit(main())
