// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code is generated for systems that the runtime is for. Elsewhere the module stays as it is without the plugin, and one
// remark says why, however many loops there are.
// RUN: %clang --target=x86_64-apple-macosx11 -O2 -S -emit-llvm -fno-discard-value-names -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil %s -o %t.macos.ll 2>&1 | FileCheck %s --check-prefix=NONE -DTARGET=x86_64-apple-macosx11
// RUN: %clang --target=arm64-apple-macosx14 -O2 -S -emit-llvm -fno-discard-value-names -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil %s -o %t.arm.ll 2>&1 | FileCheck %s --check-prefix=NONE -DTARGET=arm64-apple-macosx14
// RUN: %clang --target=x86_64-pc-windows-msvc -O2 -S -emit-llvm -fno-discard-value-names -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil %s -o %t.windows.ll 2>&1 | FileCheck %s --check-prefix=NONE -DTARGET=x86_64-pc-windows-msvc
// RUN: %clang --target=x86_64-w64-windows-gnu -O2 -S -emit-llvm -fno-discard-value-names -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil %s -o %t.mingw.ll 2>&1 | FileCheck %s --check-prefix=NONE -DTARGET=x86_64-w64-windows-gnu
// RUN: %clang --target=x86_64-unknown-none -O2 -S -emit-llvm -fno-discard-value-names -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil %s -o %t.bare.ll 2>&1 | FileCheck %s --check-prefix=NONE -DTARGET=x86_64-unknown-none
// RUN: %clang --target=aarch64-none-elf -O2 -S -emit-llvm -fno-discard-value-names -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil %s -o %t.elf.ll 2>&1 | FileCheck %s --check-prefix=NONE -DTARGET=aarch64-unknown-none-elf
// RUN: %clang --target=x86_64-unknown-freebsd -O2 -S -emit-llvm -fno-discard-value-names -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil %s -o %t.bsd.ll 2>&1 | FileCheck %s --check-prefix=NONE -DTARGET=x86_64-unknown-freebsd
// RUN: %clang --target=x86_64-linux-gnux32 -O2 -S -emit-llvm -fno-discard-value-names -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil %s -o %t.x32.ll 2>&1 | FileCheck %s --check-prefix=NONE -DTARGET=x86_64-unknown-linux-gnux32
// RUN: %clang --target=aarch64_be-linux-gnu -O2 -S -emit-llvm -fno-discard-value-names -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil %s -o %t.be.ll 2>&1 | FileCheck %s --check-prefix=NONE -DTARGET=aarch64_be-unknown-linux-gnu
// RUN: %clang --target=riscv64-linux-gnu -O2 -S -emit-llvm -fno-discard-value-names -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil %s -o %t.riscv.ll 2>&1 | FileCheck %s --check-prefix=NONE -DTARGET=riscv64-unknown-linux-gnu
// RUN: %clang --target=x86_64-apple-macosx11 -O2 -S -emit-llvm -fno-discard-value-names -gline-tables-only %s -o %t.plain.ll
// RUN: diff %t.plain.ll %t.macos.ll
// RUN: cat %t.*.ll | FileCheck %s --check-prefix=CODE
// CODE-NOT: stencilopt
// NONE: hosts.c:[[#@LINE+14]]:{{.*}} no loop of this module is offloaded: the runtime is for Linux on x86-64 and AArch64 (64 bits, little-endian), and the module is for '[[TARGET]]{{.*}}'; compile it for one of these, or without the plugin
// NONE-NOT: remark
// RUN: %clang --target=x86_64-linux-gnu -O2 -S -emit-llvm -fno-discard-value-names -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil %s -o - 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: %clang --target=x86_64-linux-musl -O2 -S -emit-llvm -fno-discard-value-names -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil %s -o - 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: %clang --target=aarch64-linux-gnu -O2 -S -emit-llvm -fno-discard-value-names -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil %s -o - 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: %clang --target=aarch64-linux-android24 -O2 -S -emit-llvm -fno-discard-value-names -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil %s -o - 2>&1 | FileCheck %s --check-prefix=SOME
// SOME-NOT: no loop of this module
// SOME: stencilopt.enter
// A module that names no system gets no code either.
// RUN: %clang --target=x86_64-linux-gnu -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | grep -v '^target' > %t.unnamed.ll
// RUN: %opt -passes=stencil-offload -pass-remarks-missed=stencil -S %t.unnamed.ll 2>&1 | FileCheck %s --check-prefix=UNNAMED
// UNNAMED: no loop of this module is offloaded: {{.*}} the module is for a target that is not named;
// UNNAMED-NOT: stencilopt
void sweep(long n, float *restrict b, const float *restrict a) {
    for (long i = 1; i < n - 1; i++)
        b[i] = 0.25f * a[i - 1] + 0.5f * a[i] + 0.25f * a[i + 1];
}
void back(long n, float *restrict b, const float *restrict a) {
    for (long i = 1; i < n - 1; i++)
        b[i] = 0.5f * a[i - 1] + 0.5f * a[i + 1];
}
