/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * AMD GPUs, through LLVM's AMDGPU back end: LLVM's "User Guide for AMDGPU Backend". A warp is a
 * wave of 32 lanes on GFX10 and later, and a wave of 64 on GFX9. On GFX9 it may also be half a
 * wave, because a program's kernels have one plan, which may be for other GPUs too. GFX10 and later
 * also have waves of 64. They are not planned: neither DPP nor ds_bpermute crosses their halves, so
 * that a shift would take several more instructions.
 */
#include "target/amdgcn/amdgcn.h"
#include "target/build.h"

#include <llvm-c/Target.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_OBJECT = 500 }; /* version 5: ROCm 5 and later load it */

static void initialise(void) {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
}

static tg_back_end back_end = {"AMDGPU", "amdgcn-amd-amdhsa", LLVMRelocPIC, initialise,
                               PTHREAD_ONCE_INIT};

static void prepare(LLVMModuleRef m, const char *arch) {
    static const char version[] = "amdhsa_code_object_version";
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(m));
    tg_set_layout(&back_end, arch, m);
    LLVMAddModuleFlag(m, LLVMModuleFlagBehaviorError, version, sizeof version - 1,
                      LLVMValueAsMetadata(LLVMConstInt(i32, CODE_OBJECT, false)));
}

/* The plan's limit of registers is for NVIDIA's GPUs. Here the back end chooses. */
static void mark_kernel(LLVMValueRef f, const char *arch, const int block[3], int registers) {
    char threads[32];
    int all = block[0] * block[1] * block[2];
    (void)registers;
    snprintf(threads, sizeof threads, "%d,%d", all, all);
    LLVMSetFunctionCallConv(f, LLVMAMDGPUKERNELCallConv);
    tg_add_attribute(f, "target-cpu", arch);
    tg_add_attribute(f, "amdgpu-flat-work-group-size", threads);
    tg_add_attribute(f, "uniform-work-group-size", "true");
}

static LLVMValueRef conceal(LLVMBuilderRef b, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned bits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 32;
    if (kind == LLVMPointerTypeKind || bits % 32 || bits > 64)
        return v; /* assembly has no constraint for these types */
    LLVMTypeRef function = LLVMFunctionType(type, &type, 1, false);
    LLVMValueRef code =
        LLVMGetInlineAsm(function, "", 0, "=v,0", 4, true, false, LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(b, function, code, &v, 1, "");
}

static bool has_copy_async(const char *arch) {
    (void)arch;
    return false;
}

/* v_pk_add_f32, v_pk_mul_f32 and v_pk_fma_f32 work on two floats at twice the rate: "AMD CDNA 2"
 * white paper. */
static bool has_pairs(const char *arch) {
    return !strncmp(arch, "gfx9", 4);
}

/* ocml, of the ROCm device libraries */

static bool find_ocml(char *out, size_t size) {
    static const char *const folders[] = {"/opt/rocm/amdgcn/bitcode",
                                          "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode",
                                          "/usr/lib/aarch64-linux-gnu/amdgcn/bitcode"};
    if (tg_file_in(getenv("HIP_DEVICE_LIB_PATH"), "ocml.bc", out, size) ||
        tg_file_in(getenv("ROCM_PATH"), "amdgcn/bitcode/ocml.bc", out, size))
        return true;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (tg_file_in(folders[i], "ocml.bc", out, size))
            return true;
    return false;
}

static bool has_math(void) {
    char path[TG_PATH];
    return find_ocml(path, sizeof path);
}

/* "gfx942" -> 9402, "gfx90a" -> 9010 */
static int isa_version(const char *arch) {
    int minor_and_step = (int)strtol(arch + strlen(arch) - 2, NULL, 16), major = 0;
    for (const char *p = arch + 3; p[2]; p++)
        major = 10 * major + (*p - '0');
    return 1000 * major + 100 * (minor_and_step >> 4) + (minor_and_step & 15);
}

/* Sets the variables from which the library learns what it is compiled for: "AMD Device Libraries",
 * Controls. */
static void set_controls(LLVMModuleRef m, const char *arch) {
    const struct {
        const char *name;
        int value;
    } controls[] = {{"__oclc_ISA_version", isa_version(arch)},
                    {"__oclc_ABI_version", CODE_OBJECT},
                    {"__oclc_wavefrontsize64", !strncmp(arch, "gfx9", 4)},
                    {"__oclc_correctly_rounded_sqrt32", 1},
                    {"__oclc_finite_only_opt", 0},
                    {"__oclc_unsafe_math_opt", 0},
                    {"__oclc_daz_opt", 0}};
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
        LLVMValueRef v = LLVMGetNamedGlobal(m, controls[i].name);
        if (!v)
            continue;
        LLVMSetInitializer(v, LLVMConstInt(LLVMGlobalGetValueType(v),
                                           (unsigned long long)controls[i].value, false));
        LLVMSetLinkage(v, LLVMInternalLinkage);
    }
}

static bool link_math(LLVMModuleRef m, const char *arch, char *error, size_t size) {
    char path[TG_PATH] = "ocml.bc";
    find_ocml(path, sizeof path);
    bool good = tg_link(m, path, LLVMAMDGPUKERNELCallConv, error, size);
    set_controls(m, arch);
    return good;
}

static void math_name(const char *base, bool is_double, char *out, size_t size) {
    snprintf(out, size, "__ocml_%s_%s", base, is_double ? "f64" : "f32");
}

/* Finds ld.lld, first the one of this LLVM: older ones do not know newer GPUs. */
static bool find_linker(char *out, size_t size) {
    unsigned version, ignored;
    char name[24];
    LLVMGetVersion(&version, &ignored, &ignored);
    snprintf(name, sizeof name, "ld.lld-%u", version);
    return tg_find_program(name, out, size) || tg_find_program("ld.lld", out, size);
}

/* LLVM makes an object in memory. ld.lld makes of it a code object, which the driver loads. */
static int emit(LLVMModuleRef m, const char *arch, bool named, tg_image *out, char *error,
                size_t size) {
    LLVMMemoryBufferRef object;
    char lld[TG_PATH];
    (void)named;
    const tg_generation how = {.type = LLVMObjectFile, .level = LLVMCodeGenLevelAggressive};
    if (!tg_generate(&back_end, arch, m, &how, &object, error, size))
        return 0;
    const char *words[] = {lld, "-shared", "-o", TG_OUT, TG_IN, NULL};
    bool good = find_linker(lld, sizeof lld) && tg_convert(words, object, &out->bytes);
    LLVMDisposeMemoryBuffer(object);
    if (!good)
        snprintf(
            error, size,
            "code for %s wants ld.lld, which is not on PATH, is too old, or has no room in TMPDIR",
            arch);
    out->kind = TG_HSACO;
    snprintf(out->arch, sizeof out->arch, "%s", arch);
    return good;
}

static const tg_known_call calls[] = {
#define CALL(name, kind) {name, kind, TG_LAUNCH_VALUES},
#define LAUNCH(name, value) {name "*", TG_READS_LAUNCH, value},
#include "target/amdgcn/intrinsics.def"
};

const tg_target tg_amdgcn = {
    .name = "amdgcn",
    .triple = "amdgcn",
    .whole_blocks = "uniform-work-group-size",
    .architectures = "gfx90a, gfx942, gfx950, gfx1030, gfx1100, gfx1201",
    .lanes_by_arch = true,
    .intrinsics = "llvm.amdgcn.",
    .calls = calls,
    .ncalls = sizeof calls / sizeof *calls,
    .kernel_convention = LLVMAMDGPUKERNELCallConv,
    .loads = amdgcn_loads,
    .most_threads = amdgcn_most_threads,
    .scratchpad_size = 64 << 10, /* the local memory that a workgroup can have */
    .prepare = prepare,
    .mark_kernel = mark_kernel,
    .launch = amdgcn_launch,
    .reciprocal = amdgcn_reciprocal,
    .group = amdgcn_group,
    .lane = amdgcn_lane,
    .exchange = amdgcn_exchange,
    .shift = amdgcn_shift,
    .uniform = amdgcn_uniform,
    .barrier = amdgcn_barrier,
    .shuffle = amdgcn_shuffle,
    .sync_warp = amdgcn_sync_warp,
    .conceal = conceal,
    .scratchpad_space = TG_SCRATCHPAD,
    .device_space = TG_DEVICE,
    .device_scope = "agent",
    .has_copy_async = has_copy_async,
    .has_pairs = has_pairs,
    .has_math = has_math,
    .link_math = link_math,
    .math_name = math_name,
    .no_math = ST_NO_OCML,
    .emit = emit,
};
