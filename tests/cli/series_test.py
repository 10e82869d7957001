"""Ladders, sweeps and layers, as a user runs them where there is no GPU."""
import json
import re
import unittest

from support import Case, kprof


class Series(Case):
    def test_a_ladder_is_one_table_and_one_plot(self):
        text = self.ok("run", "gemm", "--variant", "all", "--source", "recording", "--width", "120")
        self.assertEqual(len(re.findall(r"(?m)^ FLOP/s$", text)), 1, text)
        for variant in ("naive", "tiled", "cublas"):
            self.assertRegex(text, rf"(?m)^\S +{variant} ")

    def test_a_ladder_in_json_has_labels_and_gains(self):
        report = self.report("run", "gemm", "--variant", "all", "--source", "recording")
        rows = report["series"]["rows"]
        self.assertEqual(report["series"]["kind"], "ladder")
        self.assertEqual(len(rows), len(report["profiles"]))
        by_label = {r["label"]: r for r in rows}
        self.assertEqual(by_label["naive"]["expected"], "tensor_cores")
        times = {p["kernel"]["variant"]: p["time"]["value"] for p in report["profiles"]}
        before = rows[[r["label"] for r in rows].index("tiled") - 1]["label"]
        self.assertAlmostEqual(by_label["tiled"]["gain_over_before"], times[before] / times["tiled"], places=6)

    def test_a_sweep_has_a_row_a_size(self):
        report = self.report("run", "gemm", "--variant", "cublas", "--dtype", "bf16", "--sweep", "1024:4096:x2", "--source", "recording")
        self.assertEqual([r["label"] for r in report["series"]["rows"]], ["1024x1024x1024", "2048x2048x2048", "4096x4096x4096"])
        text = self.ok("run", "gemm", "--variant", "cublas", "--dtype", "bf16", "--sweep", "1024:4096:x2", "--source", "recording")
        self.assertIn("2048x2048x2048", text)

    def test_what_is_left_out_is_told(self):
        done = kprof("run", "gemm", "--variant", "cublas", "--dtype", "bf16", "--sweep", "1000:4096:+3096", "--source", "recording")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no recording of gemm/cublas bf16 1000x1000x1000; skipped", done.stderr)

    def test_a_layer_adds_up(self):
        for phase in ("prefill", "decode"):
            report = self.report("run", "llm", "--phase", phase, "--tp", "8", "--source", "recording")
            rows = report["series"]["rows"]
            self.assertAlmostEqual(sum(r["share"] for r in rows), 1, places=6)
            self.assertTrue(all(r["bound"] in ("compute", "memory", "latency", "launch") for r in rows), rows)
            self.assertGreaterEqual(len(rows), 7)

    def test_a_layer_that_lacks_a_part_is_inconclusive(self):
        done = kprof("run", "llm", "--phase", "decode", "--tp", "4", "--source", "recording")
        self.assertEqual(done.returncode, 4)
        self.assertIn("missing ", done.stdout)
        self.assertNotIn("100 %", done.stdout)

    def test_a_layer_of_a_machine_that_is_not_here(self):
        report = self.report("run", "llm", "--phase", "decode", "--source", "model", "--model-gpu", "mi300x")
        self.assertTrue(all(r["share"] is None for r in report["series"]["rows"]))
        self.assertTrue(all(r["roof_time_ns"] > 0 for r in report["series"]["rows"]))

    def test_what_does_not_fit_together_is_said(self):
        for arguments, words in (
                (["run", "gemm", "--sweep", "a"], "is not a size"),
                (["run", "gemm", "--variant", "all", "--sweep", "1:2"], "--sweep runs one variant"),
                (["run", "llm", "--tp", "3", "--source", "model"], "does not divide this model"),
                (["run", "llm", "--variant", "all"], "it takes no variant"),
                (["run", "--all", "--variant", "naive"], "--all runs every variant"),
                (["run", "gemm", "--tp", "8"], "belong to kprof run llm")):
            done = kprof(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr, arguments)

    def test_the_list_for_scripts_is_whole(self):
        kernels = json.loads(self.ok("list", "kernels", "--json"))
        self.assertGreaterEqual(len(kernels), 90)
        for k in kernels:
            self.assertEqual(set(k), {"family", "variant", "default", "title", "dtypes", "extents", "shape", "expected", "twin", "needs"})
            self.assertEqual(set(k["extents"]), set(k["shape"]))


if __name__ == "__main__":
    unittest.main()
