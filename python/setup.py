# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""The wheel: cmake builds the module, setuptools packs it. pyproject.toml has the rest.

SCREE_BUILD names a folder of cmake's to build in (absolute, or within the repository), so that what is there is not
built again; SCREE_SOURCE the repository, where this folder is a copy of its own.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(os.environ.get("SCREE_SOURCE") or pathlib.Path(__file__).parent.parent).resolve()


class CMakeBuild(build_ext):
    def run(self):
        given = os.environ.get("SCREE_BUILD")
        build = ROOT / given if given else pathlib.Path(self.build_temp).resolve()
        if not (build / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "-S", ROOT, "-B", build, "-D", "CMAKE_BUILD_TYPE=Release", "-D", "SCREE_TESTS=OFF",
                            "-D", f"SCREE_PYTHON={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "scree_python", "--parallel"], check=True)
        module = pathlib.Path(self.get_ext_fullpath("scree._binding"))
        module.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(build / "python" / "scree" / "_binding.abi3.so", module.parent)


version = re.search(r"project\(scree VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
setup(version=version, ext_modules=[Extension("scree._binding", [], py_limited_api=True)],
      cmdclass={"build_ext": CMakeBuild}, options={"bdist_wheel": {"py_limited_api": "cp39"}})
