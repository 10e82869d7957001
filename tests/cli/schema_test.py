"""What is written follows configs/schema."""
import json
import sys
import tempfile
import pathlib
import unittest

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

from support import CONFIGS, Case, recordings


class Schema(Case):
    @classmethod
    def setUpClass(cls):
        read = lambda name: json.loads((CONFIGS / "schema" / name).read_text())
        cls.report_schema, cls.profile_schema = read("report.schema.json"), read("profile.schema.json")

    def check(self, document, schema):
        validator = jsonschema.validators.validator_for(schema)
        validator.check_schema(schema)
        errors = [f"{'/'.join(map(str, e.path))}: {e.message[:200]}" for e in validator(schema).iter_errors(document)]
        self.assertEqual(errors, [])

    def test_recordings(self):
        for path in recordings():
            self.check(json.loads(path.read_text()), self.profile_schema)

    def test_reports(self):
        for arguments in (["run", "gemm", "--shape", "4096", "--gpu", "mi300x,h100"], ["run", "copy"],
                          ["run", "gemm", "--variant", "cublas", "--dtype", "bf16", "--shape", "8192"],
                          ["run", "gemm", "--shape", "64", "--source", "model"], ["diagnose", *recordings()[:8]]):
            self.check(self.report(*arguments), self.report_schema)

    def test_profiles(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "p.json"
            self.ok("run", "gemm", "--shape", "4096", "--profile", path)
            self.check(json.loads(path.read_text()), self.profile_schema)

    def test_a_schema_that_accepts_anything_would_fail_here(self):
        report = self.report("run", "gemm", "--shape", "4096")
        report["profiles"][0]["diagnosis"]["steps"][0]["state"] = "maybe"
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate(report, self.report_schema)
        report = self.report("run", "gemm", "--shape", "4096")
        del report["profiles"][0]["kernel"]["name"]
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate(report, self.report_schema)


if __name__ == "__main__":
    unittest.main()
