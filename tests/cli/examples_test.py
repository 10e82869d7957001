"""The programs of examples/: each compiles, says what to expect, and is in the index. (CMake compiles the CUDA ones.)"""
import ast
import re
import unittest

from support import SOURCE

EXAMPLES = SOURCE / "examples"


def programs():
    return sorted(p for p in EXAMPLES.glob("*/*") if p.suffix in (".py", ".cu"))


def head(path):
    text = path.read_text()
    if path.suffix == ".py":
        return ast.get_docstring(ast.parse(text)) or ""
    return re.match(r"(//[^\n]*\n)*", text).group(0)


class Examples(unittest.TestCase):
    def test_python_compiles(self):
        for path in programs():
            if path.suffix == ".py":
                with self.subTest(path.name):
                    compile(path.read_text(), str(path), "exec")

    def test_each_says_what_to_expect_and_how_to_run_it(self):
        for path in programs():
            with self.subTest(path.name):
                text = head(path)
                self.assertIn("kprof profile -- ", text)
                self.assertRegex(text, r"kprof(?! profile)")
                self.assertIn(path.name if path.suffix == ".py" else f"-o {path.stem}", text)

    def test_each_checks_its_result(self):
        for path in programs():
            with self.subTest(path.name):
                self.assertRegex(path.read_text(), r"\bassert |assert_close|WRONG")

    def test_the_index_is_whole(self):
        listed = re.findall(r"^\| `([\w/.]+)`", (EXAMPLES / "README.md").read_text(), re.M)
        self.assertEqual(sorted(listed), sorted(str(p.relative_to(EXAMPLES)) for p in programs()))
        self.assertGreaterEqual(len(listed), 12)


if __name__ == "__main__":
    unittest.main()
