/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The simulator through sim.h: struct arguments, the launch's checks, a fault that leaves the
 * module usable, many workers with one answer, device globals that live as long as the module.
 */
#include "stencilopt/sim.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ir[] = "target triple = \"nvptx64-nvidia-cuda\"\n"
                         "%pair = type { i32, i64 }\n"
                         "@launches = internal addrspace(1) global i32 0\n"
                         "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                         "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                         "define ptx_kernel void @sum(ptr %out, ptr byval(%pair) %s) {\n"
                         "  %a = load i32, ptr %s\n"
                         "  %p = getelementptr %pair, ptr %s, i32 0, i32 1\n"
                         "  %b = load i64, ptr %p\n"
                         "  %w = sext i32 %a to i64\n"
                         "  %c = add i64 %b, %w\n"
                         "  store i32 0, ptr %s\n" /* its own copy */
                         "  store i64 %c, ptr %out\n"
                         "  ret void\n}\n"
                         "define ptx_kernel void @ids(ptr %out) {\n"
                         "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                         "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                         "  %m = mul i32 %b, 256\n"
                         "  %i = add i32 %m, %t\n"
                         "  %p = getelementptr i32, ptr %out, i32 %i\n"
                         "  store i32 %i, ptr %p\n"
                         "  ret void\n}\n"
                         "define ptx_kernel void @launch(ptr %out) {\n"
                         "  %n = load i32, ptr addrspace(1) @launches\n"
                         "  %m = add i32 %n, 1\n"
                         "  store i32 %m, ptr addrspace(1) @launches\n"
                         "  store i32 %m, ptr %out\n"
                         "  ret void\n}\n";

static const char amd_ir[] =
    "target triple = \"amdgcn-amd-amdhsa\"\n"
    "%pair = type { i32, i64 }\n"
    "define amdgpu_kernel void @sum(ptr addrspace(1) %out, ptr addrspace(4) byref(%pair) %s, "
    "[2 x i32] %c) {\n"
    "  %a = load i32, ptr addrspace(4) %s\n"
    "  %p = getelementptr %pair, ptr addrspace(4) %s, i32 0, i32 1\n"
    "  %b = load i64, ptr addrspace(4) %p\n"
    "  %w = sext i32 %a to i64\n"
    "  %d = add i64 %b, %w\n"
    "  %e = extractvalue [2 x i32] %c, 1\n"
    "  %f = sext i32 %e to i64\n"
    "  %g = add i64 %d, %f\n"
    "  store i64 %g, ptr addrspace(1) %out\n"
    "  ret void\n}\n";

static int failures;
static char error[512];

static void check(int ok, const char *what) {
    if (!ok) {
        printf("FAILED: %s (%s)\n", what, error);
        ++failures;
    }
}

static int run(stencilsim_module *module, const char *kernel, uint32_t grid, uint32_t block,
               const void *const *args, const size_t *sizes, uint32_t nargs) {
    stencilsim_launch launch = {.kernel = kernel,
                                .grid = {grid, 1, 1},
                                .block = {block, 1, 1},
                                .wave = 32,
                                .args = args,
                                .arg_sizes = sizes,
                                .nargs = nargs};
    error[0] = '\0';
    return stencilsim_run(module, &launch, error, sizeof error);
}

static void test_struct(stencilsim_module *module) {
    struct {
        int32_t a;
        int64_t b;
    } pair = {-2, 44};
    int64_t *out = stencilsim_alloc(sizeof *out, "out");
    const void *args[] = {&out, &pair};
    size_t sizes[] = {sizeof out, sizeof pair};
    check(run(module, "sum", 1, 2, args, sizes, 2) == 0 && *out == 42, "struct by value");
    check(pair.a == -2, "the caller's struct is left alone");
    sizes[1] = 8;
    check(run(module, "sum", 1, 1, args, sizes, 2) != 0 && strstr(error, "argument 1"),
          "size checked");
    check(run(module, "sum", 1, 1, args, sizes, 1) != 0 && strstr(error, "takes 2"),
          "count checked");
    check(run(module, "nothing", 1, 1, args, sizes, 1) != 0 && strstr(error, "nothing"),
          "name checked");
    stencilsim_free(out);
}

static void test_amd_struct(void) {
    stencilsim_module *module = stencilsim_load(amd_ir, strlen(amd_ir), error, sizeof error);
    check(module != NULL, "load of AMDGPU IR");
    if (!module)
        return;
    struct {
        int32_t a;
        int64_t b;
    } pair = {-2, 44};
    int32_t array[2] = {0, 100};
    int64_t *out = stencilsim_alloc(sizeof *out, "out");
    const void *args[] = {&out, &pair, array};
    size_t sizes[] = {sizeof out, sizeof pair, sizeof array};
    check(run(module, "sum", 1, 2, args, sizes, 3) == 0 && *out == 142, "struct by reference");
    stencilsim_free(out);
    stencilsim_unload(module);
}

/* Blocks from number 1000 on are out of bounds: the first of them is named, whoever runs it. */
static void test_workers(stencilsim_module *module) {
    size_t n = 1000 * 256;
    int32_t *out = stencilsim_alloc(n * sizeof *out, "out");
    const void *args[] = {&out};
    size_t sizes[] = {sizeof out};
    check(run(module, "ids", 1000, 256, args, sizes, 1) == 0, "many blocks");
    size_t wrong = 0;
    for (size_t i = 0; i < n; ++i)
        wrong += out[i] != (int32_t)i;
    check(wrong == 0, "every thread ran once");
    for (int again = 0; again < 20; ++again) {
        check(run(module, "ids", 1200, 256, args, sizes, 1) == 1, "fault found");
        check(
            strstr(
                error,
                "index 256000 (element), 256000 elements long, block (1000,0,0), thread (0,0,0)") !=
                NULL,
            "first fault named");
    }
    check(run(module, "ids", 1000, 256, args, sizes, 1) == 0, "usable after a fault");
    stencilsim_free(out);
    check(run(module, "ids", 1, 1, args, sizes, 1) == 1, "freed memory is no memory");
}

static void test_globals(stencilsim_module *module) {
    int32_t *out = stencilsim_alloc(sizeof *out, "out");
    const void *args[] = {&out};
    size_t sizes[] = {sizeof out};
    for (int i = 1; i < 4; ++i)
        check(run(module, "launch", 1, 1, args, sizes, 1) == 0 && *out == i, "globals keep values");
    stencilsim_free(out);
}

int main(void) {
    stencilsim_module *module = stencilsim_load(ir, strlen(ir), error, sizeof error);
    check(module != NULL, "load");
    check(stencilsim_load("what?", 5, error, sizeof error) == NULL && strstr(error, "not LLVM IR"),
          "nonsense refused");
    if (module) {
        test_struct(module);
        test_workers(module);
        test_globals(module);
    }
    stencilsim_unload(module);
    test_amd_struct();
    puts(failures ? "some tests failed" : "ok");
    return failures != 0;
}
