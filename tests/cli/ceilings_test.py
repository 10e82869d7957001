"""kprof ceilings where there is no GPU, and reports with measured roofs."""
import json
import pathlib
import tempfile
import unittest

from support import Case, environment

MEASURED = {
    "id": "h200",
    "measured": {
        "date": "2026-01-31T12:00:00Z", "gpu": "NVIDIA H200", "driver": "580.1",
        "ceilings": [
            {"kind": "bandwidth", "name": "dram", "value": 4.31e12, "unit": "B/s", "spread": 0.002, "clock_mhz": 1980, "how": "copy, 2 x 1.00 GiB"},
            {"kind": "bandwidth", "name": "dram", "value": 4.4e12, "unit": "B/s", "spread": 0.001, "clock_mhz": 1980, "how": "read, 1 x 1.00 GiB"},
            {"kind": "bandwidth", "name": "dram", "value": 9e12, "unit": "B/s", "how": "write, 1 x 1.00 GiB", "suspect": True},
            {"kind": "bandwidth", "name": "l2", "value": 5.5e12, "unit": "B/s", "how": "16-byte reads past L1"},
            {"kind": "compute", "name": "bf16", "pipe": "tensor", "value": 842e12, "unit": "FLOP/s", "clock_mhz": 1630, "how": "cuBLASLt, 8192"},
        ],
        "launch": {"host_ns": 2100, "graph_node_ns": 1300},
        "working_sets": [{"access": "l2", "bytes_per_sm": 65536, "value": 5.5e12, "unit": "B/s", "spread": 0.01}],
    },
}


class Ceilings(Case):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.configs = pathlib.Path(self.folder.name) / "configs"
        (self.configs / "gpus").mkdir(parents=True)
        (self.configs / "gpus/h200.json").write_text(json.dumps(MEASURED))

    def tearDown(self):
        self.folder.cleanup()

    def test_without_a_gpu_the_remedy_is_named(self):
        done = self.fails(3, "ceilings")
        self.assertTrue(done.stderr.startswith("kprof: "), done.stderr)
        self.fails(3, "ceilings", "--gpu", "mi300x", says=["no roofs of the AMD Instinct MI300X", "kprof ceilings"])

    def test_nothing_is_written_where_nothing_was_measured(self):
        home = pathlib.Path(self.folder.name) / "home"
        self.fails(3, "ceilings", env=environment(XDG_CONFIG_HOME=str(home)))
        self.assertFalse(home.exists())

    def test_saved_roofs_are_shown(self):
        text = self.ok("--config-dir", self.configs, "ceilings", "--gpu", "h200", "-v")
        for part in ("2026-01-31", "4.4 TB/s", "92 %", "also", "suspect", "5.5 TB/s", "842 TFLOP/s", "96 %", "1.300 µs a node", "KB an SM"):
            self.assertIn(part, text)
        lines = [line for line in text.splitlines() if "TB/s" in line]
        self.assertLess(lines.index(next(l for l in lines if "read" in l)), lines.index(next(l for l in lines if "copy" in l)))

    def test_json_says_which_way_counts(self):
        out = json.loads(self.ok("--config-dir", self.configs, "ceilings", "--gpu", "h200", "--json", "-"))
        dram = {r["how"].split(",")[0]: r for r in out["roofs"] if r["name"] == "dram"}
        self.assertEqual([dram[w]["counts"] for w in ("read", "copy", "write")], [True, False, False])
        self.assertAlmostEqual(dram["read"]["share"], 4.4 / 4.8)
        tensor = next(r for r in out["roofs"] if r["name"] == "bf16" and r["pipe"] == "tensor")
        self.assertAlmostEqual(tensor["share_at_clock"], 842 / 989.4 * 1830 / 1630)

    def test_wrong_usage(self):
        self.fails(2, "ceilings", "--only", "drum", says=["'drum'", "dram"])
        self.fails(2, "ceilings", "--save", "--no-save", says="--save")
        self.fails(2, "ceilings", "--gpu", "h200", "--quick", says="--gpu")
        self.fails(2, "ceilings", "--gpu", "h2000", says="h200")
        self.fails(2, "ceilings", "--json", "/nonexistent/x.json", says="/nonexistent")

    def test_a_broken_section_names_file_and_field(self):
        broken = json.loads(json.dumps(MEASURED))
        broken["measured"]["ceilings"][0]["value"] = -1
        (self.configs / "gpus/h200.json").write_text(json.dumps(broken, indent=1))
        self.fails(2, "--config-dir", self.configs, "list", "gpus", says=["h200.json:", "value"])

    def test_reports_show_both_roofs(self):
        arguments = ["run", "copy", "--source", "recording", "--shape", "268435456"]
        text = self.ok("--config-dir", self.configs, *arguments)
        self.assertRegex(text, r"of the datasheet DRAM roof, \d+ % of the measured one")
        report = self.report("--config-dir", self.configs, *arguments)
        roofs = [(c["origin"], c["value"]) for c in report["machine"]["ceilings"] if c.get("level") == "dram"]
        self.assertIn(("datasheet", 4.8e12), roofs)
        self.assertIn(("measured", 4.4e12), roofs)
        point = next(p for p in report["profiles"][0]["roofline"] if p["level"] == "dram")
        self.assertAlmostEqual(point["measured"]["fraction"] * 4.4e12, point["fraction"] * 4.8e12, delta=1e9)


if __name__ == "__main__":
    unittest.main()
