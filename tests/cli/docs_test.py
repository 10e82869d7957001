"""What the documents and the help show is run."""
import os
import pathlib
import re
import shlex
import shutil
import tempfile
import unittest

from support import SOURCE, Case, kprof

COMMANDS = ["run", "diagnose", "list", "explain", "occupancy", "ceilings", "doctor", "completion"]
# What needs a GPU, and says so where there is none (3).
ALLOWED = {line: (0, 3) for line in [
    "kprof doctor", "kprof doctor --json", "kprof ceilings", "kprof ceilings --only dram,l2 --no-save",
    "kprof ceilings --quick --json -", "kprof ceilings --gpu h200"]}


def help_examples():
    for path in [[]] + [[c] for c in COMMANDS]:
        text = kprof(*path, "--help").stdout
        after = text.split("examples:", 1)
        yield path, [line.strip() for line in after[1].splitlines() if line.strip().startswith("kprof ")] if len(after) > 1 else []


def document_examples():
    """Lines that start with "kprof " or "$ kprof " in sh blocks of the documents."""
    for document in [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *sorted((SOURCE / "docs").glob("*.md"))]:
        for block in re.findall(r"```sh\n(.*?)```", document.read_text(), re.S):
            for line in block.splitlines():
                line = line.strip().removeprefix("$ ").split(" #")[0].strip()
                if line.startswith("kprof "):
                    yield document.name, line


class Docs(Case):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        # Examples read a file that an earlier example would have written.
        self.ok("run", "gemm", "--shape", "4096", "--profile", pathlib.Path(self.folder.name) / "profile.json", "-q")

    def tearDown(self):
        self.folder.cleanup()

    def run_line(self, line, where):
        arguments = shlex.split(line)[1:]
        done = kprof(*arguments, cwd=self.folder.name)
        self.assertIn(done.returncode, ALLOWED.get(line, (0,)), f"{where}: {line}\n{done.stdout}\n{done.stderr}")
        self.assertTrue(done.stdout.strip() or done.returncode == 3 or "--json" in line or "--profile" in line, f"{where}: {line} printed nothing")

    def test_every_command_has_examples_that_work(self):
        count = 0
        for path, lines in help_examples():
            self.assertTrue(lines, f"kprof {' '.join(path)} --help has no examples")
            for line in lines:
                self.run_line(line, "kprof " + " ".join(path) + " --help")
                count += 1
        self.assertGreaterEqual(count, 15)

    def test_documents(self):
        lines = list(document_examples())
        self.assertGreaterEqual(len(lines), 5)
        for where, line in lines:
            self.run_line(line, where)

    def test_readme_scripts_exist(self):
        scripts = re.findall(r"^(scripts/\w+\.sh)", (SOURCE / "README.md").read_text(), re.M)
        self.assertEqual(scripts, ["scripts/try.sh", "scripts/test.sh"])
        for s in scripts:
            self.assertTrue(os.access(SOURCE / s, os.X_OK), s)

    def test_readme_shows_what_the_program_prints(self):
        shown = re.search(r"```text\n(.*?)```", (SOURCE / "README.md").read_text(), re.S).group(1)
        now = self.ok("run", "gemm", "--shape", "4096", "--source", "recording", "--width", "80")
        self.assertEqual(shown.strip("\n").splitlines(), now.strip("\n").splitlines(), "update the README: scripts/update_readme.py")

    def test_documents_name_files_that_exist(self):
        for document in [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *sorted((SOURCE / "docs").glob("*.md"))]:
            for name in re.findall(r"`((?:src|configs|tests|scripts|docs|cmake)/[\w./-]+)`", document.read_text()):
                if "foo" in name or "..." in name:
                    continue
                self.assertTrue((SOURCE / name).exists(), f"{document.name} names {name}")

    def test_the_tables_of_the_kernels_are_of_this_program(self):
        import subprocess
        import sys

        from support import KPROF, environment
        done = subprocess.run([sys.executable, "-B", SOURCE / "scripts/update_kernels_doc.py", KPROF, "--check"], capture_output=True,
                              text=True, env=environment(), encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_completions_are_accepted_by_bash(self):
        if not shutil.which("bash"):
            self.skipTest("no bash")
        import subprocess
        script = self.ok("completion", "bash")
        probe = script + '\nCOMP_WORDS=(kprof run gemm --variant na); COMP_CWORD=4; _kprof; echo "${COMPREPLY[@]}"\n' \
            + 'COMP_WORDS=(kprof run gemm --gpu h100,mi3); COMP_CWORD=4; _kprof; echo "${COMPREPLY[@]}"\n' \
            + 'COMP_WORDS=(kprof di); COMP_CWORD=1; _kprof; echo "${COMPREPLY[@]}"\n'
        out = subprocess.run(["bash", "--norc"], input=probe, capture_output=True, text=True)
        lines = out.stdout.splitlines()
        self.assertEqual((lines[0], lines[2]), ("naive naive-strided", "diagnose"), out.stderr)
        self.assertEqual(sorted(lines[1].split()), ["h100,mi300x", "h100,mi325x", "h100,mi355x"])


if __name__ == "__main__":
    unittest.main()
