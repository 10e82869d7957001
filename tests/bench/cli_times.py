#!/usr/bin/env python3
"""How long kprof takes without a GPU: cli_times.py KPROF. Medians of ten runs. Targets: start under 30 ms, reports on 1,000 kernels under
1 s. Not a test: timings on a busy machine say little. Times on a GPU, as ratios to ncu: tests/gpu/compare_ncu.py --sets."""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

kprof = sys.argv[1]
recording = pathlib.Path(__file__).resolve().parents[2] / "configs/recordings/h200/gemm-naive-fp32-4096x4096x4096.json"


def median_of(*arguments, runs=10):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run([kprof, *arguments], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


print(f"start (list kernels)             {median_of('list', 'kernels'):8.1f} ms")
print(f"verdict from a recording         {median_of('run', 'gemm', '--shape', '4096', '-q'):8.1f} ms")
with tempfile.TemporaryDirectory() as folder:
    data = json.loads(recording.read_text())
    data["profiles"] *= 1000
    many = pathlib.Path(folder) / "many.json"
    many.write_text(json.dumps(data))
    print(f"1,000 profiles to JSON           {median_of('diagnose', str(many), '--json', folder + '/out.json', '-q', runs=3):8.1f} ms")
