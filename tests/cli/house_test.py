"""Rules of the house that a script can see."""
import re
import subprocess
import unittest

from support import SOURCE, Case


def tracked(*patterns):
    out = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns], cwd=SOURCE,
                         capture_output=True, text=True)
    if out.returncode != 0:
        raise unittest.SkipTest("not a git checkout")
    return [SOURCE / line for line in out.stdout.splitlines() if (SOURCE / line).is_file()]


def texts(files):
    for f in files:
        try:
            yield f, f.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            pass


class House(Case):
    def test_files_stay_short(self):
        files = tracked("src/**", "tests/**", "src/*", "tests/*")
        self.assertGreater(len(files), 100)
        code = (".cpp", ".hpp", ".cu", ".cuh", ".py", ".js", ".sh")
        long = [f"{f}: {t.count(chr(10))} lines" for f, t in texts(files) if f.suffix in code and t.count("\n") > 400]
        self.assertEqual(long, [], "split along a concept, not at a line number")

    def test_main_is_tiny(self):
        self.assertLess((SOURCE / "src/cli/main.cpp").read_text().count("\n"), 60)

    def test_gpu_headers_stay_in_their_folders(self):
        pattern = re.compile(r'#include *[<"](cuda|cupti|nvml|cublas|nvtx)', re.M)
        for f, text in texts(tracked("src/**", "src/*")):
            name = f.relative_to(SOURCE).as_posix()
            if not re.match(r"src/(collect/cuda|inject|kernels|ceilings/cuda)/", name):
                self.assertIsNone(pattern.search(text), name)

    def test_folders_include_only_what_stands_above_them(self):
        order = ["core", "metrics", "roofline", "diagnosis", "plot", "report", "import", "collect", "kernels", "ceilings", "inject", "cli"]
        for f, text in texts(tracked("src/**", "src/*")):
            folder = f.relative_to(SOURCE / "src").parts[0]
            if folder not in order:
                continue
            for used in re.findall(r'#include "(\w+)/', text):
                if used in order:
                    self.assertLessEqual(order.index(used), order.index(folder), f"{f} includes {used}/")

    def test_json_library_stays_out_of_headers(self):
        for f, text in texts(tracked("src/**", "src/*")):
            if f.suffix == ".hpp":
                self.assertNotIn("#include <nlohmann/json.hpp>", text, f"{f}: include json_fwd.hpp")

    def test_one_file_sees_the_option_parser(self):
        users = [f.name for f, text in texts(tracked("src/**", "src/*")) if "<CLI/CLI.hpp>" in text]
        self.assertEqual(users, ["command.cpp"])

    def test_nothing_is_left_undone(self):
        words = re.compile(r"\b(" + "TO" + "DO|FIX" + r"ME|XX" + r"X)\b")
        for f, text in texts(tracked("src/**", "src/*", "configs/**", "cmake/*", "scripts/*", "tests/**")):
            self.assertIsNone(words.search(text), f)

    def test_exit_codes_of_readme_and_code_agree(self):
        code = dict((int(n), name) for name, n in re.findall(r"(\w+) = (\d+),", (SOURCE / "src/core/error.hpp").read_text()))
        table = [int(n) for n in re.findall(r"^\| (\d+) \|", (SOURCE / "README.md").read_text(), re.M)]
        self.assertEqual(sorted(code), table)


if __name__ == "__main__":
    unittest.main()
