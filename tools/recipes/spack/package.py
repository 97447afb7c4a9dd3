# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Stencilopt(CMakePackage):
    """LLVM pass plugin that finds stencil loops in what clang and flang compile, and runs them, blocked in time, on GPUs,
    with the same bits."""

    homepage = "https://stencilopt.example"
    # Name your clone here, or build the one that you are in: spack develop --path . stencilopt@main
    git = "file:///path/to/stencilopt"

    license("Apache-2.0 WITH LLVM-exception")

    version("main", branch="main")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    # The plugin is for one LLVM, the one that it is loaded by. Compilers of that LLVM must be linked with the shared library.
    depends_on("llvm@21:23 +clang +lld +llvm_dylib", type=("build", "link", "run"))
    depends_on("zstd", type=("link", "run"))
    depends_on("python@3.8:", type=("build", "run"))

    generator("ninja")

    def cmake_args(self):
        llvm = self.spec["llvm"]
        return [
            self.define("LLVM_DIR", join_path(llvm.prefix.lib, "cmake", "llvm")),
            self.define("STENCILOPT_LLVM", str(llvm.version.up_to(1))),
            self.define("BUILD_TESTING", False),
            self.define("STENCILOPT_WERROR", False),
        ]

    def setup_run_environment(self, env):
        env.set("STENCILOPT_CLANG", join_path(self.spec["llvm"].prefix.bin, "clang"))
