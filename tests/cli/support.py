"""How the command-line tests call the program. KPROF is the binary, KPROF_SOURCE the checkout."""
import json
import os
import pathlib
import subprocess
import unittest

KPROF = os.environ.get("KPROF", "kprof")
SOURCE = pathlib.Path(os.environ.get("KPROF_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
CONFIGS = SOURCE / "configs"


def environment(**extra):
    """Nothing of the caller's that changes output; no GPU, even where there is one."""
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "KPROF_CONFIG_DIR", "XDG_CONFIG_HOME", "COLUMNS")}
    env.update(LC_ALL="C.UTF-8", HOME="/nonexistent", CUDA_VISIBLE_DEVICES="", **extra)
    return env


def kprof(*arguments, stdin=None, env=None, cwd=None, timeout=120):
    return subprocess.run([KPROF, *map(str, arguments)], capture_output=True, text=True, input=stdin, cwd=cwd,
                          env=env or environment(), timeout=timeout, encoding="utf-8")


class Case(unittest.TestCase):
    maxDiff = None

    def ok(self, *arguments, **kw):
        done = kprof(*arguments, **kw)
        self.assertEqual(done.returncode, 0, f"kprof {' '.join(map(str, arguments))}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def fails(self, code, *arguments, says=(), **kw):
        """Fails with this exit code, in one message on stderr that holds every text of `says`."""
        done = kprof(*arguments, **kw)
        self.assertEqual(done.returncode, code, f"kprof {' '.join(map(str, arguments))}\n{done.stdout}\n{done.stderr}")
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, done.stderr)
        return done

    def report(self, *arguments, **kw):
        done = kprof(*arguments, "--json", "-", **kw)
        self.assertIn(done.returncode, (0, 4, 6), done.stderr)
        return json.loads(done.stdout)


def recordings():
    return sorted((CONFIGS / "recordings").glob("*/*.json"))
