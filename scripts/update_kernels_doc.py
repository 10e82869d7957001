#!/usr/bin/env python3
"""Writes the tables of docs/kernels.md from the binary's list of kernels and its recordings: update_kernels_doc.py KPROF [--check].

A table a family: variant, idea, what it is built to show, time, rate, share of its roof, verified error, gain over the variant that it mends,
and what the diagnosis says first. --check only compares (exit 1 when the document is old)."""
import json
import pathlib
import subprocess
import sys

DOCUMENT = pathlib.Path(__file__).resolve().parent.parent / "docs/kernels.md"
BEGIN, END = "<!-- tables: scripts/update_kernels_doc.py -->", "<!-- end of tables -->"


def kprof_json(kprof, *arguments):
    done = subprocess.run([kprof, *arguments], capture_output=True, text=True)
    if not done.stdout.strip():
        raise SystemExit(f"kprof {' '.join(arguments)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def time_text(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def rate_text(profile):
    seconds, work = profile["time"]["value"] * 1e-9, profile["work"]
    dram = [r for r in profile["roofline"] if r["level"] == "dram" and not r.get("what_if")]
    if work["flops"] > 0 and not (dram and dram[0]["bound"] == "memory"):
        return f"{work['flops'] / seconds / 1e12:.3g} TFLOP/s"
    return f"{work['min_bytes'] / seconds / 1e12:.3g} TB/s useful"


def share_text(profile):
    dram = [r for r in profile["roofline"] if r["level"] == "dram" and not r.get("what_if") and r["clock"] == "datasheet"]
    if not dram:
        return "–"
    r = dram[0]
    roof = r["level"].upper() if r["bound"] == "memory" or r["intensity"] <= 0 else r["precision"].upper()
    return f"{100 * r['fraction']:.0f} % {roof}"


def factor(x):
    return f"{x:.0f}" if x >= 100 else f"{x:.2g}"


def error_text(profile):
    v = profile["verification"]
    if v["status"] != "ok":
        return v["status"]
    return "exact" if v.get("tolerance") == 0 else f"{v['error']:.1e}"


def first_text(profile):
    d = profile["diagnosis"]
    if d["rule"]:
        gain = next((f["gain"] for f in d["findings"] if f["rule"] == d["rule"] and f["gain"]), None)
        return f"`{d['rule']}`" + (f" ×{factor(gain)}" if gain else "")
    return f"at limit: {d['at_limit']}" if d["at_limit"] else d["status"].replace("_", " ")


def family_table(kprof, family, variants):
    report = kprof_json(kprof, "run", family, "--variant", "all", "--source", "recording", "--json", "-")
    by_variant = {}
    for profile, row in zip(report["profiles"], report["series"]["rows"]):
        by_variant.setdefault(profile["kernel"]["variant"], (profile, row))
    named = 0
    default = next(v for v in variants if v["default"])
    sizes = " × ".join(f"{default['shape'][e]:,} {e}" for e in default["extents"])
    lines = [f"### {family}", "", f"Default shape: {sizes}.", "",
             "| variant | idea | built to show | time | rate | of roof | error | gain | said first |", "|---|---|---|---|---|---|---|---|---|"]
    for v in variants:
        name = f"**{v['variant']}**" if v["default"] else v["variant"]
        shows = f"`{v['expected']}`" + (f" → {v['twin']}" if v["twin"] else "")
        cells = ["–"] * 6
        name += "" if v["shape"] == default["shape"] else " at " + "×".join(str(v["shape"][e]) for e in v["extents"])
        if v["variant"] in by_variant:
            profile, row = by_variant[v["variant"]]
            named += bool(names_it(profile, v["expected"]))
            gain = row["gain_over_mended"]
            cells = [time_text(profile["time"]["value"]), rate_text(profile), share_text(profile), error_text(profile),
                     f"×{factor(gain)} over {row['mends']}" if gain else "–", first_text(profile)]
        lines.append("| " + " | ".join([f"{name} ({v['dtypes'][0]})", v["title"].replace("|", "\\|"), shows, *cells]) + " |")
    return lines + [""], named


def names_it(profile, expected):
    d = profile["diagnosis"]
    return d["rule"] == expected or (d["at_limit"] and "at_limit:" + d["at_limit"] == expected)


def tables(kprof):
    kernels = kprof_json(kprof, "list", "kernels", "--json")
    rules = {r["rule"] for r in kprof_json(kprof, "list", "rules", "--json")}
    families = {}
    for k in kernels:
        families.setdefault(k["family"], []).append(k)
    lines, right = [], 0
    for family, variants in families.items():
        table, named = family_table(kprof, family, variants)
        lines += table
        right += named
    labels = {k["expected"] for k in kernels if not k["expected"].startswith("at_limit:")}
    without = ", ".join(f"`{label}`" for label in sorted(labels - rules))
    head = [f"{len(kernels)} variants of {len(families)} families. The diagnosis names the label first in {right} of them; there are no rules yet for",
            f"{without}.", ""]
    return "\n".join(head + lines)


def main():
    kprof, check = sys.argv[1], "--check" in sys.argv[2:]
    text = DOCUMENT.read_text()
    head, rest = text.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    new = head + BEGIN + "\n\n" + tables(kprof) + "\n" + END + tail
    if check:
        if new != text:
            print(f"docs/kernels.md is older than the kernels or their recordings: scripts/update_kernels_doc.py {kprof}")
            return 1
        return 0
    DOCUMENT.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
