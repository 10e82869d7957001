"""The contract with users and their scripts: exit codes, messages, files. No GPU needed."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from support import KPROF, Case, environment, kprof, recordings


class Usage(Case):
    def test_unknown_things_are_answered_with_the_nearest(self):
        for arguments, says in [
            (["run", "gem"], ["'gem'", "gemm"]),
            (["run", "gemm", "--variant", "tild"], ["'tild'", "tiled"]),
            (["run", "gemm", "--variant", "cublas", "--dtype", "bf61"], ["bf61", "bf16"]),
            (["run", "gemm", "--gpu", "h10"], ["h10", "h100"]),
            (["run", "gemm", "--source", "model", "--model-gpu", "mi30x"], ["mi30x", "mi300x"]),
            (["run", "gemm", "--threshold", "tensor_core=3"], ["tensor_core", "tensor_cores"]),
            (["run", "gemm", "--metrics", "quik"], ["quik", "quick"]),
            (["run", "gemm", "--cache", "hot"], ["hot", "cold"]),
            (["run", "gemm", "--source", "gpus"], ["gpus", "gpu"]),
            (["run", "gemm", "--shap", "4096"], ["--shap", "--shape"]),
            (["rum", "gemm"], ["rum", "run"]),
            (["list", "kernel"], ["kernel", "kernels"]),
            (["explain", "tensor_core"], ["tensor_cores"]),
            (["explain", "occupancy_achieve"], ["occupancy_achieved"]),
            (["completion", "bahs"], ["bash"]),
        ]:
            with self.subTest(arguments):
                self.fails(2, *arguments, says=says)

    def test_bad_shapes(self):
        for shape in ["0", "-1", "4096x", "x4096", "1x2", "1x2x3x4", "m=1,n=2", "m=1,m=2,n=3,k=4", "q=3", "4096.5", "1e3", "",
                      "99999999999999999999", "4096 x 4096"]:
            with self.subTest(shape):
                done = self.fails(2, "run", "gemm", f"--shape={shape}")
                self.assertIn("shape", done.stderr.lower())

    def test_numbers_are_checked(self):
        for arguments in (["--repeats", "0"], ["--repeats", "x"], ["--device", "-1"], ["--width", "10"]):
            self.fails(2, "run", "gemm", *arguments, says=arguments[0])

    def test_options_that_exclude_each_other(self):
        self.fails(2, "run", "gemm", "--all", says="--all")
        self.fails(2, "run", says="no kernel")
        self.fails(2, "run", "gemm", "-q", "-v", says="exclude")
        self.fails(2, "run", "gemm", "--json", "-", "--profile", "-", says="stdout")
        self.fails(2, "run", "gemm", "--model-gpu", "h100", says="--source model")

    def test_no_command(self):
        self.assertIn("usage", kprof().stdout.lower())
        self.assertEqual(kprof().returncode, 0)

    def test_version(self):
        out = self.ok("--version")
        self.assertRegex(out, r"^kprof \d+\.\d+\.\d+")
        self.assertIn("live collection: ", out)
        self.assertEqual(self.ok("--version", "run"), out)


class Sources(Case):
    def test_without_a_gpu_a_recording_is_announced_first(self):
        out = self.ok("run", "gemm", "--shape", "4096")
        self.assertIn("recording", out.splitlines()[0])
        report = self.report("run", "gemm", "--shape", "4096")
        self.assertEqual(report["profiles"][0]["provenance"]["kind"], "recording")

    def test_asking_for_a_gpu_that_is_not_there(self):
        done = self.fails(3, "run", "gemm", "--source", "gpu")
        self.assertIn("kprof doctor", done.stderr)

    def test_what_is_not_recorded_names_what_is(self):
        self.fails(3, "run", "gemm", "--shape", "1000", says=["1000", "4096", "--source model"])

    def test_model_needs_nothing(self):
        report = self.report("run", "gemm", "--shape", "1000x64x333", "--source", "model", "--model-gpu", "mi300x", "--dtype", "fp32")
        p = report["profiles"][0]
        self.assertEqual(p["provenance"]["kind"], "model")
        self.assertEqual(p["work"]["flops"], 2 * 1000 * 64 * 333)
        self.assertEqual({s["state"] for s in p["diagnosis"]["steps"]} - {"not_measured", "not_applicable"}, set())
        self.assertIn("model", self.ok("run", "gemm", "--shape", "1000x64x333", "--source", "model"))

    def test_doctor_says_what_is_missing(self):
        done = kprof("doctor", "--json")
        self.assertEqual(done.returncode, 3, done.stdout)
        answer = json.loads(done.stdout)
        self.assertFalse(answer["usable"])
        self.assertTrue(any(c["state"] == "bad" and c["remedy"] for c in answer["checks"]))


class Outputs(Case):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def test_files_are_whole_and_alone(self):
        report, profile = self.at / "r.json", self.at / "p.json"
        self.ok("run", "gemm", "--shape", "4096", "--json", report, "--profile", profile)
        self.assertEqual(sorted(p.name for p in self.at.iterdir()), ["p.json", "r.json"])
        first = json.loads(report.read_text())
        again = self.report("diagnose", profile)
        for key in ("verdict", "rule", "steps", "findings"):
            self.assertEqual(first["profiles"][0]["diagnosis"][key], again["profiles"][0]["diagnosis"][key])
        # A report holds its profiles: it can be diagnosed again.
        self.assertEqual(self.report("diagnose", report)["profiles"][0]["diagnosis"]["verdict"],
                         again["profiles"][0]["diagnosis"]["verdict"])

    def test_an_unwritable_path_fails_before_anything_is_measured(self):
        for path in (self.at / "no/such/folder.json", self.at):
            self.assertEqual(self.fails(2, "run", "gemm", "--shape", "4096", "--json", path).stdout, "")

    def test_a_full_disk_is_told(self):
        done = kprof("run", "gemm", "--shape", "4096", "--json", "/dev/full")
        self.assertEqual(done.returncode, 3, done.stderr)
        with open("/dev/full", "w") as full:
            done = subprocess.run([KPROF, "list", "kernels"], stdout=full, stderr=subprocess.PIPE, text=True, env=environment())
        self.assertEqual(done.returncode, 3, done.stderr)

    def test_an_earlier_file_survives_a_failing_run(self):
        report = self.at / "r.json"
        report.write_text("mine")
        self.fails(3, "run", "gemm", "--shape", "1234", "--json", report)
        self.assertEqual(report.read_text(), "mine")

    def test_stdout_is_clean_json(self):
        done = kprof("run", "gemm", "--shape", "4096", "--json", "-")
        json.loads(done.stdout)

    def test_width_and_ascii(self):
        for width in (60, 80, 132):
            out = self.ok("run", "gemm", "--shape", "4096", "--width", width)
            self.assertLessEqual(max(map(len, out.splitlines())), width)
        self.ok("run", "gemm", "--shape", "4096", "--ascii").encode("ascii")
        self.assertIn("\033[", self.ok("run", "gemm", "--shape", "4096", "--color", "always"))
        self.assertNotIn("\033[", self.ok("run", "gemm", "--shape", "4096"))

    def test_quiet_is_one_line_and_verbose_has_all_metrics(self):
        self.assertEqual(len(self.ok("run", "gemm", "--shape", "4096", "-q").strip().splitlines()), 1)
        self.assertIn("dram_read_bytes", self.ok("run", "gemm", "--shape", "4096", "-v").replace(" ", "_").lower() +
                      self.ok("run", "gemm", "--shape", "4096", "-v"))

    def test_a_ladder_skips_what_is_not_recorded(self):
        done = kprof("run", "gemm", "--variant", "all", "--shape", "8192", "--dtype", "all")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no recording of gemm/naive fp32 8192x8192x8192", done.stderr)

    def test_thresholds_change_the_step(self):
        def step(rule, *options):
            report = self.report("run", "gemm", "--variant", "naive", "--shape", "4096", *options)
            return [s for s in report["profiles"][0]["diagnosis"]["steps"] if s["rule"] == rule][0]
        self.assertEqual((step("dram_traffic")["threshold"], step("dram_traffic")["state"]), (3, "fail"))
        mine = step("dram_traffic", "--threshold", "dram_traffic=50")
        self.assertEqual((mine["threshold"], mine["state"]), (50, "pass"))
        self.assertIn("--threshold", mine["threshold_origin"])

    def test_a_stream_gets_one_document(self):
        fifo = self.at / "fifo"
        os.mkfifo(fifo)
        copy = self.at / "copy.json"
        with open(copy, "w") as out, subprocess.Popen(["cat", fifo], stdout=out) as reader:
            self.ok("run", "gemm", "--variant", "all", "--shape", "4096", "--json", fifo, "-q")
            reader.wait(timeout=20)
        self.assertGreater(len(json.loads(copy.read_text())["profiles"]), 3)

    def test_a_reader_that_stops_is_no_failure(self):
        for arguments in (["list", "metrics"], ["run", "gemm", "--shape", "4096", "--json", "-"]):
            process = subprocess.Popen([KPROF, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
            process.stdout.close()
            self.assertEqual((process.stderr.read(), process.wait()), (b"", 0))
            process.stderr.close()

    def test_options_without_effect_are_told(self):
        self.fails(3, "run", "gemm", "--shape", "4096", "--source", "recording", "--cache", "warm", says="cold L2")
        done = kprof("run", "gemm", "--shape", "4096", "--source", "recording", "--repeats", "7", "--no-verify", "-q")
        self.assertEqual(done.returncode, 0)
        self.assertIn("no effect on a recording: --repeats 7, --no-verify", done.stderr)

    def test_empty_values_are_refused(self):
        for option in ("--json", "--shape", "--variant", "--dtype"):
            self.fails(2, "run", "gemm", option, "", says=option)


class Diagnose(Case):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, text, name="p.json"):
        (self.at / name).write_text(text)
        return self.at / name

    def test_broken_files_are_named_with_the_line(self):
        self.fails(2, "diagnose", self.at / "absent.json", says="absent.json")
        self.fails(2, "diagnose", self.write("{\n \"a\": }"), says="p.json:2")
        self.fails(2, "diagnose", self.write("[]"), says="p.json")
        self.fails(2, "diagnose", self.write(""), says="p.json")
        self.fails(2, "diagnose", self.write('{"schema_version": "9.0", "profiles": []}'), says="9.0")
        good = json.loads(recordings()[0].read_text())
        good["profiles"][0]["launch"]["grid"] = "many"
        self.fails(2, "diagnose", self.write(json.dumps(good, indent=1)), says="grid")

    def test_an_empty_capture_is_never_a_pass(self):
        self.fails(4, "diagnose", self.write('{"schema_version": "1.0", "profiles": []}'), says="no kernel")

    def test_stdin(self):
        self.assertTrue(self.ok("diagnose", "-", stdin=recordings()[0].read_text(), ).strip())

    def altered(self, change, pick="gemm-naive-fp32-4096"):
        path = [p for p in recordings() if p.stem.startswith(pick)][0]
        data = json.loads(path.read_text())
        change(data["profiles"][0])
        return self.write(json.dumps(data))

    def test_a_wrong_result_is_not_diagnosed_as_if_it_were_right(self):
        def wrong(p):
            p["verification"] = {"status": "wrong", "error": 0.5, "tolerance": 1e-5}
        done = kprof("diagnose", self.altered(wrong))
        self.assertEqual(done.returncode, 6, done.stdout)
        self.assertIn("wrong", done.stdout.lower())

    def test_a_wrong_result_above_its_roof_is_still_wrong(self):
        def wrong(p):
            p["verification"] = {"status": "wrong", "error": 0.5, "tolerance": 1e-5}
            p["time"]["value"] /= 1000
        self.assertEqual(kprof("diagnose", self.altered(wrong)).returncode, 6)

    def test_a_point_above_its_roof_is_flagged(self):
        def fast(p):
            p["time"]["value"] /= 100
        path = self.altered(fast)
        done = kprof("diagnose", path)
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertIn("above", done.stdout)

    def test_missing_counters_are_not_zero(self):
        def strip(p):
            p["counters"] = {}
        report = self.report("diagnose", self.altered(strip))
        states = {s["state"] for s in report["profiles"][0]["diagnosis"]["steps"]}
        self.assertLessEqual(states, {"not_measured", "not_applicable"})
        self.assertNotIn("NaN", json.dumps(report))

    def test_a_failed_kernel_is_inconclusive(self):
        def fail(p):
            p["failure"] = "the process that ran it was killed by signal 9"
            p["counters"] = {}
        done = kprof("diagnose", self.altered(fail))
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertIn("signal 9", " ".join(done.stdout.split()))

    def test_user_configs_add_and_override(self):
        folder = self.at / "configs/gpus"
        folder.mkdir(parents=True)
        mine = json.loads("\n".join(l for l in (pathlib.Path(os.environ["KPROF_SOURCE"]) / "configs/gpus/h100.json").read_text()
                                    .splitlines() if not l.strip().startswith("//")))
        mine["id"], mine["name"] = "mine", "My GPU"
        (folder / "mine.json").write_text(json.dumps(mine))
        self.assertIn("My GPU", self.ok("list", "gpus", "--config-dir", self.at / "configs"))
        (folder / "mine.json").write_text('{"id": "mine",\n "sm_count": "many"}')
        self.fails(2, "list", "gpus", "--config-dir", self.at / "configs", says=["mine.json:2", "sm_count"])
        self.fails(2, "list", "gpus", "--config-dir", self.at / "absent", says="absent")


class Speed(Case):
    def test_many_profiles(self):
        """Not a timing test: a guard against quadratic work (the limit is ten times what it takes)."""
        data = json.loads(recordings()[0].read_text())
        data["profiles"] *= 500
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "many.json"
            path.write_text(json.dumps(data))
            self.assertEqual(len(json.loads(self.ok("diagnose", path, "--json", "-"))["profiles"]), 500)


class Interrupt(Case):
    def test_ctrl_c_on_a_pipe_ends_cleanly(self):
        process = subprocess.Popen([KPROF, "diagnose", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, env=environment())
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=10)
        self.assertNotEqual(process.returncode, 0)


if __name__ == "__main__":
    unittest.main()
