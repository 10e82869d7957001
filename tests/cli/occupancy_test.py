"""kprof occupancy as a user calls it."""
import json
import pathlib
import tempfile
import unittest

from support import Case, environment, kprof


class Occupancy(Case):
    def answer(self, *arguments):
        answers = json.loads(self.ok("occupancy", *arguments, "--json", "-"))["answers"]
        self.assertEqual(len(answers), 1)
        return answers[0]

    def test_thirty_two_kilobytes_on_an_h100(self):
        arguments = ["--gpu", "h100", "--threads", "256", "--regs", "32", "--smem"]
        for smem in ("32768", "32KB", "32 KiB", "32kb"):
            a = self.answer(*arguments, smem)
            self.assertEqual((a["blocks_per_sm"], a["warps_per_sm"], a["occupancy"]), (6, 48, 75))
            self.assertEqual(a["limiters"], ["shared memory"])
            self.assertEqual(a["step_up"]["blocks_per_sm"], 7)
            self.assertEqual(a["step_up"]["bounds"], [{"resource": "shared memory", "now": 32768, "at_most": 32256}])
        text = self.ok("occupancy", *arguments, "32KB")
        for part in ("75 %", "6 blocks", "33,792 of 233,472", "at most 32,256 B", "above 40 registers"):
            self.assertIn(part, text)

    def test_forty_eight_registers_and_kilobytes(self):
        a = self.answer("--gpu", "h100", "--threads", "256", "--regs", "48", "--smem", "48KB")
        self.assertEqual((a["blocks_per_sm"], a["occupancy"]), (4, 50))
        self.assertEqual({l["resource"]: l["blocks"] for l in a["limits"]},
                         {"warps": 8, "blocks": 32, "registers": 5, "shared memory": 4})

    def test_amd_has_its_own_rules_and_words(self):
        a = self.answer("--gpu", "mi300x", "--threads", "256", "--regs", "96", "--sgprs", "102", "--smem", "16385")
        self.assertEqual((a["blocks_per_sm"], a["warps_per_sm"]), (3, 12))
        self.assertEqual({l["resource"]: l["blocks"] for l in a["limits"]},
                         {"warps": 8, "blocks": 32, "registers": 5, "scalar registers": 7, "shared memory": 3})
        text = self.ok("occupancy", "--gpu", "mi300x", "--threads", "256", "--regs", "96", "--smem", "16385")
        for part in ("workgroups", "waves", "VGPRs", "LDS", "16,896 of 65,536"):
            self.assertIn(part, text)

    def test_what_does_not_fit(self):
        a = self.answer("--gpu", "h100", "--threads", "256", "--smem", "300KB")
        self.assertEqual(a["blocks_per_sm"], 0)
        self.assertIn("227 KB", a["problem"])
        self.assertIn("does not fit", self.ok("occupancy", "--gpu", "h100", "--threads", "2048"))

    def test_registers_that_are_not_given_are_said_to_be_missing(self):
        a = self.answer("--gpu", "h100", "--threads", "256")
        self.assertIsNone(a["needs"]["registers"])
        self.assertIn("registers are not given", a["notes"][0])

    def test_the_table(self):
        rows = self.ok("occupancy", "--gpu", "h100", "--regs", "64", "--table").split("\n\n")[1].strip().splitlines()
        self.assertEqual(len(rows), 33)  # 32 to 1024 threads, and the heading
        answers = json.loads(self.ok("occupancy", "--gpu", "mi300x", "--regs", "64", "--table", "--json", "-"))["answers"]
        self.assertEqual([a["needs"]["threads"] for a in answers], list(range(64, 1025, 64)))

    def test_wrong_usage(self):
        for arguments, says in [
            (["--gpu", "h10", "--threads", "256"], ["h10", "h100"]),
            (["--gpu", "h100"], ["--threads"]),
            (["--threads", "256"], ["--gpu", "mi300x"]),
            (["--gpu", "h100", "--threads", "0"], ["--threads"]),
            (["--gpu", "h100", "--threads", "256", "--smem", "32MB"], ["32MB", "KB"]),
            (["--gpu", "h100", "--threads", "256", "--smem=-1"], ["-1"]),
            (["--gpu", "h100", "--threads", "256", "--smem", "99999999999999999999"], ["--smem"]),
            (["--gpu", "h100", "--threads", "256", "--sgprs", "40"], ["AMD"]),
            (["--gpu", "h100", "--threads", "256", "--kernel", "x"], ["--code-object"]),
            (["--gpu", "mi300x", "--code-object", "x.co", "--regs", "3"], ["--regs"]),
            (["--gpu", "mi300x", "--code-object", "/nonexistent.co"], ["/nonexistent.co", "No such file"]),
        ]:
            with self.subTest(arguments):
                self.fails(2, "occupancy", *arguments, says=says)

    def test_files_that_are_no_code_object(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "k.co"
            for content, says in [(b"", "empty"), (b"text", "neither"), (b"\x7fELF", "ends in the middle"), (b"CCOB\2", "compressed")]:
                path.write_bytes(content)
                self.fails(2, "occupancy", "--gpu", "mi300x", "--code-object", path, says=[str(path), says])
            self.fails(2, "occupancy", "--gpu", "h100", "--code-object", path, says=["AMD", "cuobjdump"])

    def test_ascii(self):
        done = kprof("occupancy", "--gpu", "h100", "--threads", "256", env={**environment(), "LC_ALL": "C"})
        self.assertTrue(done.stdout.isascii(), done.stdout)

    def test_json_to_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.json"
            text = self.ok("occupancy", "--gpu", "h100", "--threads", "256", "--json", path)
            self.assertIn("occupancy", text)
            self.assertEqual(json.loads(path.read_text())["gpu"], "h100")


if __name__ == "__main__":
    unittest.main()
