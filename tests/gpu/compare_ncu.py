#!/usr/bin/env python3
"""Holds kprof's numbers against Nsight Compute's on the same kernels, in one run on one GPU:

    compare_ncu.py BINARIES [--repeats 3] [--sets]

BINARIES is a folder with kprof and kprof_launch_once. Prints a table of the largest differences and, with --sets, the wall
time of the default verdict beside `ncu --set full` and `--set roofline`. Exit code 1 when a difference is above its limit.
ncu flushes and invalidates all caches between passes, kprof replaces their contents; neither locks clocks here.
"""
import argparse
import csv
import io
import json
import os
import statistics
import subprocess
import sys
import time

CASES = [("gemm", "naive", "fp32", "4096"), ("gemm", "tiled", "fp32", "4096"), ("gemm", "wmma", "bf16", "4096"),
         ("gemm", "cublas", "fp32", "4096"), ("gemm", "cublas", "tf32", "4096"), ("gemm", "cublas", "bf16", "4096"),
         ("gemm", "cublas", "fp16", "4096")]
# name: (ncu metric(s), kprof counter(s), limit in percent)
QUANTITIES = {
    "time": (["gpu__time_duration.sum"], "time", 3),
    "DRAM bytes": (["dram__bytes_read.sum", "dram__bytes_write.sum"], "dram_bytes", 3),
    "L2 sectors": (["lts__t_sectors.sum"], "lts__t_sectors.sum", 3),
    "tensor %": (["sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"],
                 "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", 1),
    "occupancy": (["sm__warps_active.avg.pct_of_peak_sustained_active"], "sm__warps_active.avg.pct_of_peak_sustained_active", 1),
    "instructions": (["smsp__inst_executed.sum"], "smsp__inst_executed.sum", 1),
    "FFMA": (["sm__sass_thread_inst_executed_op_ffma_pred_on.sum"], "sm__sass_thread_inst_executed_op_ffma_pred_on.sum", 1),
    "BF16 FLOPs": (["sm__ops_path_tensor_op_hgmma_src_bf16_dst_fp32_sparsity_off.sum"],
                   "sm__ops_path_tensor_op_hgmma_src_bf16_dst_fp32_sparsity_off.sum", 1),
}


def ncu(folder, case, *options):
    command = ["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "--nvtx", "--nvtx-include", "measured/",
               *options, os.path.join(folder, "kprof_launch_once"), *case]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    wall = time.monotonic() - start
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return done.stdout, wall


def ncu_values(folder, case):
    names = sorted({n for q in QUANTITIES.values() for n in q[0]})
    text, _ = ncu(folder, case, "--metrics", ",".join(names))
    rows = list(csv.DictReader(io.StringIO(text[text.index('"ID"'):])))
    kernels = [r for r in rows if r["ID"].strip()]
    if len(kernels) != 1:
        sys.exit(f"{case}: ncu saw {len(kernels)} kernels, wanted one")
    return {n: float(kernels[0][n].replace(",", "")) for n in names}


def kprof_values(folder, case):
    done = subprocess.run([os.path.join(folder, "kprof"), "run", case[0], "--variant", case[1], "--dtype", case[2], "--shape", case[3],
                           "--source", "gpu", "--metrics", "full", "--json", "-"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"kprof {case}: {done.returncode}\n{done.stderr}")
    p = json.loads(done.stdout)["profiles"][0]
    counters = {k: v for k, v in p["counters"].items() if isinstance(v, (int, float))}
    counters["time"] = p["time"]["value"]
    counters["dram_bytes"] = p["metrics"]["dram_bytes"]["value"]
    return counters


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--sets", action="store_true")
    parser.add_argument("--json")
    o = parser.parse_args()
    bad, out = 0, []
    print(f"{'kernel':<22}" + "".join(f"{q:>14}" for q in QUANTITIES))
    for case in CASES:
        theirs = [ncu_values(o.folder, case) for _ in range(o.repeats)]
        ours = [kprof_values(o.folder, case) for _ in range(o.repeats)]
        line, row = f"{case[1] + ' ' + case[2] + ' ' + case[3]:<22}", {"case": case}
        for quantity, (names, mine, limit) in QUANTITIES.items():
            a = statistics.median(sum(t[n] for n in names) for t in theirs)
            got = [k[mine] for k in ours if mine in k]
            if not got:
                line += f"{'missing':>14}"
                bad += 1
                continue
            b = statistics.median(got)
            row[quantity] = [a, b]
            if a == 0 or b == 0:
                line += f"{'0 = 0' if a == b else f'{b:.3g} vs {a:.3g}':>14}"
                bad += abs(a - b) > 0.01  # a tensor pipe at 0.004 % that the other rounds to 0
                continue
            difference = 100 * (b / a - 1)
            flag = "!" if abs(difference) > limit else ""
            bad += bool(flag)
            line += f"{f'{difference:+.2f} %{flag}':>14}"
        print(line, flush=True)
        out.append(row)
    if o.sets:
        case = ("gemm", "cublas", "bf16", "4096")
        walls = []
        for _ in range(o.repeats):
            start = time.monotonic()
            subprocess.run([os.path.join(o.folder, "kprof"), "run", case[0], "--variant", case[1], "--dtype", case[2], "--shape", case[3],
                            "--source", "gpu", "-q"], check=True, stdout=subprocess.DEVNULL)
            walls.append(time.monotonic() - start)
        mine = statistics.median(walls)
        print(f"default verdict of {' '.join(case)}: {mine:.2f} s (median of {o.repeats})")
        for name in ("full", "roofline"):
            _, wall = ncu(o.folder, case, "--set", name)
            print(f"ncu --set {name}: {wall:.2f} s, {wall / mine:.1f}x")
            out.append({"set": name, "ncu_s": wall, "kprof_s": mine})
    if o.json:
        with open(o.json, "w") as f:
            json.dump(out, f, indent=1)
    print(f"{bad} differences above their limits")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
