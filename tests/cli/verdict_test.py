"""The whole line on counters of real GPUs: every recording gives the verdict that was reviewed (tests/golden/verdicts.json).
KPROF_UPDATE_GOLDEN=1 rewrites it; review the diff."""
import json
import os
import unittest

from support import SOURCE, Case, recordings

GOLDEN = SOURCE / "tests/golden/verdicts.json"


def essence(report):
    p = report["profiles"][0]
    d = p["diagnosis"]
    dram = [r for r in p["roofline"] if r["level"] == "dram" and not r.get("what_if")]
    return {
        "verdict": d["verdict"], "rule": d["rule"], "at_limit": d["at_limit"],
        "steps": {s["rule"]: s["state"] for s in d["steps"]},
        "findings": {f["rule"]: f["gain"] and round(f["gain"], 2) for f in d["findings"]},
        "above_roof": any(r.get("above_roof") for r in dram),
    }


class Verdicts(Case):
    def measured(self):
        for path in recordings():
            yield path, self.report("diagnose", path)

    def test_verdicts_are_the_reviewed_ones(self):
        got = {path.parent.name + "/" + path.stem: essence(report) for path, report in self.measured()}
        self.assertGreaterEqual(len(got), 25, "recordings are missing")
        if os.environ.get("KPROF_UPDATE_GOLDEN"):
            GOLDEN.write_text(json.dumps(got, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
        self.assertEqual(got, json.loads(GOLDEN.read_text()))

    def test_run_and_diagnose_of_a_recording_agree(self):
        for path in recordings()[::9]:
            kernel = json.loads(path.read_text())["profiles"][0]["kernel"]
            order = kernel.get("extents") or (list("mnk") if set(kernel["shape"]) == set("mnk") else list(kernel["shape"]))
            shape = "x".join(str(kernel["shape"][e]) for e in order)
            ran = self.report("run", kernel["family"], "--variant", kernel["variant"], "--dtype", kernel["dtype"],
                              "--shape", shape, "--source", "recording")
            self.assertEqual(essence(ran)["rule"], essence(self.report("diagnose", path))["rule"], path)
            self.assertEqual(ran["profiles"][0]["provenance"]["kind"], "recording")

    def test_what_must_hold_on_any_of_them(self):
        for path, report in self.measured():
            p = report["profiles"][0]
            kernel, d = p["kernel"], p["diagnosis"]
            name = path.stem
            self.assertEqual(len(d["steps"]), 5, name)
            self.assertEqual(p["verification"]["status"], "ok", name)
            self.assertFalse(essence(report)["above_roof"], name)
            rules = [f["rule"] for f in d["findings"]]
            size = kernel["shape"].get("m", 0)
            if (kernel["family"], kernel["variant"]) == ("gemm", "naive") and size >= 2048:
                self.assertEqual(rules[0], "tensor_cores", name)
            if kernel["variant"] == "wmma-sync" and size >= 2048:
                self.assertEqual(rules[0], "tensor_starved", name)
            if kernel["variant"] == "cublas" and kernel["dtype"] != "fp32":
                self.assertEqual(rules, [], f"{name}: no defect on a library kernel")
                if min(kernel["shape"].values()) >= 4096:
                    self.assertEqual(d["at_limit"], "tensor", name)
            if kernel["family"] in ("copy", "add", "scale", "triad", "read") and kernel["variant"] == "float4" and p["work"]["min_bytes"] > 1e9:
                self.assertEqual((d["at_limit"], rules), ("dram", []), name)

    def test_occupancy_is_what_the_driver_said(self):
        """Our own sum against cuOccupancyMaxActiveBlocksPerMultiprocessor, as recorded on the GPU."""
        for path, report in self.measured():
            launch = report["profiles"][0]["launch"]
            if "registers" not in launch:
                continue  # the driver launches the kernels of a graph, out of sight
            self.assertEqual(launch["occupancy"]["blocks_per_sm"], launch["driver_blocks_per_sm"], path.stem)

    def test_predicted_gains_are_near_the_measured_ones(self):
        """The gain of 'use a library GEMM in TF32' against the time that cuBLAS took on the same GPU."""
        time = {}
        for path in recordings():
            profile = json.loads(path.read_text())["profiles"][0]
            k = profile["kernel"]
            if k["family"] == "gemm" and len(set(k["shape"].values())) == 1:
                time[k["variant"], k["dtype"], k["shape"]["m"]] = (profile["time"]["value"], path)
        checked = 0
        for (variant, dtype, m), (ns, path) in time.items():
            if variant in ("naive", "tiled") or (variant, dtype) == ("cublas", "fp32"):
                rule, target = "tensor_cores", ("cublas", "tf32", m)
            elif variant == "wmma-sync":
                rule, target = "tensor_starved", ("cublas", dtype, m)
            else:
                continue
            gains = {f["rule"]: f["gain"] for f in self.report("diagnose", path)["profiles"][0]["diagnosis"]["findings"]}
            if m < 1024 or rule not in gains:
                continue
            measured = ns / time[target][0]
            self.assertLess(abs(gains[rule] / measured - 1), 0.2, f"{path.stem}: {gains[rule]:.2f} predicted, {measured:.2f} measured")
            checked += 1
        self.assertGreaterEqual(checked, 11)


if __name__ == "__main__":
    unittest.main()
