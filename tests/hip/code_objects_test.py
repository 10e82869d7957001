"""Every portable reference kernel as AMD code: compiled for each chip, readable by kprof, nothing missing.

The build (KPROF_HIP=ON) has made the code objects; KPROF is the binary, KPROF_BUILD the build folder.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

KPROF = os.environ["KPROF"]
SOURCE = pathlib.Path(os.environ["KPROF_SOURCE"])
HIP = pathlib.Path(os.environ["KPROF_BUILD"]) / "hip"
GPUS = {"gfx942": "mi300x", "gfx90a": "mi250x"}
KERNEL = re.compile(r"__global__\s+(?:static\s+)?(?:__launch_bounds__\s*\([^)]*\)\s*)?void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\(")


def occupancy(*arguments):
    return subprocess.run([KPROF, "occupancy", *map(str, arguments)], capture_output=True, text=True, timeout=60)


def answers(gpu, path):
    done = occupancy("--gpu", gpu, "--code-object", path, "--json", "-")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["answers"]


class CodeObjects(unittest.TestCase):
    def setUp(self):
        self.kernels = (HIP / "kernels.txt").read_text().split()
        self.chips = [d.name for d in HIP.iterdir() if d.name.startswith("gfx")]

    def test_every_portable_kernel_is_there_for_every_chip(self):
        self.assertGreaterEqual(len(self.kernels), 4)
        self.assertEqual(set(self.chips), set(GPUS))
        for chip in self.chips:
            for kernel in self.kernels:
                with self.subTest(chip=chip, kernel=kernel):
                    found = [a["kernel"] for a in answers(GPUS[chip], HIP / chip / kernel.replace(".cu", ".co"))]
                    self.assertTrue(found)
                    for name in KERNEL.findall((SOURCE / "src/kernels" / kernel).read_text()):
                        self.assertTrue(any(re.search(rf"\b{name}\b", f) for f in found), f"{name} is not in {found}")

    def test_what_is_left_out_exists(self):
        for line in (SOURCE / "src/kernels/not_portable.txt").read_text().splitlines():
            if line.startswith("#"):
                continue
            pattern, _, reason = line.partition(": ")
            self.assertTrue(list((SOURCE / "src/kernels").glob(pattern)), f"not_portable.txt names {pattern}")
            self.assertTrue(reason.strip(), line)

    def test_numbers_are_those_of_llvm(self):
        readelf = shutil.which("llvm-readelf-19") or shutil.which("llvm-readelf")
        if not readelf:
            self.skipTest("no llvm-readelf")
        for chip in self.chips:
            for kernel in self.kernels:
                path = HIP / chip / kernel.replace(".cu", ".co")
                notes = subprocess.run([readelf, "--notes", path], capture_output=True, text=True, check=True).stdout
                fields = {key: sorted(int(v) for v in re.findall(rf"\.{key}:\s+(\d+)", notes))
                          for key in ("vgpr_count", "sgpr_count", "group_segment_fixed_size", "max_flat_workgroup_size")}
                needs = [a["needs"] for a in answers(GPUS[chip], path)]
                for key, ours in (("vgpr_count", "registers"), ("sgpr_count", "scalar_registers"),
                                  ("group_segment_fixed_size", "smem"), ("max_flat_workgroup_size", "threads")):
                    self.assertEqual(sorted(n[ours] or 0 for n in needs), fields[key], f"{path} {key}")

    def test_tiles_use_the_matrix_instructions(self):
        objdump = shutil.which("llvm-objdump-19") or shutil.which("llvm-objdump")
        if not objdump:
            self.skipTest("no llvm-objdump")
        for chip in self.chips:
            code = subprocess.run([objdump, "-d", HIP / chip / "hip/matrix_tile.co"], capture_output=True, text=True, check=True).stdout
            for kernel, instruction in (("tile_bf16", r"v_mfma_f32_16x16x16_?bf16"), ("tile_fp16", r"v_mfma_f32_16x16x16_?f16")):
                body = re.search(rf"<_ZN5kprof\d+{kernel}\w*>:(.*?)s_endpgm", code, re.S).group(1)
                self.assertRegex(body, instruction, f"{chip} {kernel}")

    def test_the_wrong_chip(self):
        done = occupancy("--gpu", "mi250x", "--code-object", HIP / "gfx942" / self.kernels[0].replace(".cu", ".co"))
        self.assertEqual(done.returncode, 2)
        for text in ("gfx942", "gfx90a", "--offload-arch=gfx90a"):
            self.assertIn(text, done.stderr)

    def test_bundles(self):
        bundler = shutil.which("clang-offload-bundler-19")
        if not bundler:
            self.skipTest("no clang-offload-bundler-19 (Debian package clang-tools-19)")
        with tempfile.TemporaryDirectory() as folder:
            name = self.kernels[0].replace(".cu", ".co")
            empty = pathlib.Path(folder) / "host"
            empty.write_text("")
            make = [bundler, "--type=o", "--bundle-align=4096", f"--input={empty}", f"--input={HIP / 'gfx942' / name}",
                    f"--input={HIP / 'gfx90a' / name}",
                    "--targets=host-x86_64-unknown-linux-gnu,hipv4-amdgcn-amd-amdhsa--gfx942,hipv4-amdgcn-amd-amdhsa--gfx90a"]
            plain, packed = pathlib.Path(folder) / "plain.hipfb", pathlib.Path(folder) / "packed.hipfb"
            subprocess.run([*make, f"--output={plain}"], check=True)
            for chip, gpu in GPUS.items():
                self.assertEqual(answers(gpu, plain), answers(gpu, HIP / chip / name))
            subprocess.run([*make, "--compress", f"--output={packed}"], check=True)
            done = occupancy("--gpu", "mi300x", "--code-object", packed)
            self.assertEqual(done.returncode, 2)
            self.assertIn("compressed", done.stderr)


if __name__ == "__main__":
    unittest.main()
