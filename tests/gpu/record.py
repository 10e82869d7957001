#!/usr/bin/env python3
"""Records the profiles of the reference kernels on this machine's GPU: record.py KPROF OUT [--only FAMILY[/VARIANT] ...] [--no-layers].

Every variant at its default shape and first dtype, the products at more sizes and dtypes, and the layers of `kprof run llm`, each with
every counter of --metrics full. One file a kernel, named <family>-<variant>-<dtype>-<shape>.json with _ for a - within a name: they
become configs/recordings/<gpu>/. Prints a table: time, share of the roof, verification, verdict."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

SIZES = (1024, 2048, 4096, 8192)
# Long kernels, on which the instrumented counters of `full` take minutes: what the five steps read is enough.
LONG = {"gemm/naive-strided", "gemm/tiled-conflict", "histogram/global"}


def more_products(k, shape):
    """The products at more sizes; all dtypes of the library at all of them, of our own kernels at the default size."""
    if k["variant"] in ("naive-strided", "tiled-conflict") or k["variant"].startswith(("cublas-", "epilogue-")):
        return
    for dtype in k["dtypes"]:
        for size in SIZES:
            cube = f"{size}x{size}x{size}"
            own = k["variant"] != "cublas"
            if (dtype, cube) == (k["dtypes"][0], shape) or (own and dtype != k["dtypes"][0] and size != 4096):
                continue
            if k["variant"] == "naive" and size == 8192:
                continue
            yield dtype, cube, "default" if own and size == 8192 and dtype == "fp32" else "full"


def jobs(kprof, only):
    listed = json.loads(subprocess.run([kprof, "list", "kernels", "--json"], capture_output=True, text=True, check=True).stdout)
    more = []
    for k in listed:
        name = f"{k['family']}/{k['variant']}"
        if only and k["family"] not in only and name not in only:
            continue
        shape = "x".join(str(k["shape"][e]) for e in k["extents"])
        yield k["family"], k["variant"], k["dtypes"][0], shape, "default" if name in LONG else "full"
        if k["family"] == "gemm":
            more += [(k["family"], k["variant"], *job) for job in more_products(k, shape)]
    yield from more


def file_name(kernel):
    order = kernel.get("extents") or (list("mnk") if set(kernel["shape"]) == set("mnk") else list(kernel["shape"]))
    shape = "x".join(str(kernel["shape"][e]) for e in order)
    return "-".join([kernel["family"].replace("-", "_"), kernel["variant"].replace("-", "_"), kernel["dtype"], shape]) + ".json"


def keep(path, out):
    """A file a profile, small: no white space."""
    document = json.loads(pathlib.Path(path).read_text())
    names = []
    for profile in document["profiles"]:
        if profile.get("failure"):
            print("FAILED", profile["kernel"]["name"], profile["failure"])
            continue
        one = {k: v for k, v in document.items() if k != "profiles"} | {"profiles": [profile]}
        name = file_name(profile["kernel"])
        (out / name).write_text(json.dumps(one, separators=(",", ":"), ensure_ascii=False) + "\n")
        names.append(name)
    return names


def run(kprof, arguments, out, metrics="full"):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "profile.json"
        done = subprocess.run([kprof, "run", *arguments, "--source", "gpu", "--metrics", metrics, "--profile", path, "-q"],
                              capture_output=True, text=True)
        print(done.stdout.strip() or done.stderr.strip(), flush=True)
        if not path.exists():
            print(f"FAILED ({done.returncode}): {' '.join(arguments)}: {done.stderr.strip()}", flush=True)
            return []
        return keep(path, out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kprof")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--no-layers", action="store_true")
    o = parser.parse_args()
    o.out.mkdir(parents=True, exist_ok=True)
    count = 0
    if not o.no_layers and not o.only:
        for phase in ("prefill", "decode"):
            for tp in ("1", "8"):
                count += len(run(o.kprof, ["llm", "--phase", phase, "--tp", tp], o.out))
    for family, variant, dtype, shape, metrics in jobs(o.kprof, o.only):
        count += len(run(o.kprof, [family, "--variant", variant, "--dtype", dtype, "--shape", shape], o.out, metrics))
    print(f"{count} recorded")
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main())
