/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVIDIA GPUs, through LLVM's NVPTX back end. Intrinsics and function attributes: LLVM's "User
 * Guide for NVPTX Back-end".
 */
#include "target/nvptx/nvptx.h"
#include "target/intrinsic.h"

#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void initialise(void) {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
}

static tg_back_end back_end = {"NVPTX", "nvptx64-nvidia-cuda", LLVMRelocDefault, initialise,
                               PTHREAD_ONCE_INIT};

static void prepare(LLVMModuleRef m, const char *arch) {
    tg_set_layout(&back_end, arch, m);
}

static void mark_kernel(LLVMValueRef f, const char *arch, const int block[3], int registers) {
    char threads[48], limit[16];
    (void)arch; /* the same code is optimised for all architectures */
    snprintf(threads, sizeof threads, "%d,%d,%d", block[0], block[1], block[2]);
    LLVMSetFunctionCallConv(f, LLVMPTXKernelCallConv);
    tg_add_attribute(f, "nvvm.reqntid", threads);
    snprintf(limit, sizeof limit, "%d", registers);
    if (registers)
        tg_add_attribute(f, "nvvm.maxnreg", limit);
}

static LLVMValueRef assembly(LLVMBuilderRef b, const char *text, const char *constraints,
                             LLVMTypeRef result, LLVMValueRef *args, unsigned nargs) {
    LLVMTypeRef types[6];
    for (unsigned i = 0; i < nargs; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, nargs, false);
    LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints),
                                         true, false, LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(b, type, code, args, nargs, "");
}

static LLVMValueRef conceal(LLVMBuilderRef b, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned bits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
    const char *constraints = kind == LLVMFloatTypeKind                   ? "=f,0"
                              : kind == LLVMDoubleTypeKind                ? "=d,0"
                              : kind == LLVMPointerTypeKind || bits == 64 ? "=l,0"
                              : bits == 32                                ? "=r,0"
                                                                          : NULL;
    return constraints ? assembly(b, "", constraints, type, &v, 1) : v;
}

/* Inline assembly, because the intrinsic's operand has no room for `offset`. LLVM would compute all
 * the sums before a loop and keep each in a register. */
static void copy_async(LLVMBuilderRef b, LLVMValueRef to, int offset, LLVMValueRef from,
                       int bytes) {
    LLVMContextRef context = LLVMGetTypeContext(tg_i32(b));
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
    LLVMValueRef args[] = {LLVMBuildPtrToInt(b, to, i64, ""), LLVMBuildPtrToInt(b, from, i64, "")};
    char text[96];
    snprintf(text, sizeof text, "cp.async.c%c.shared.global [$0+%d], [$1], %d;",
             bytes == 16 ? 'g' : 'a', offset, bytes);
    assembly(b, text, "l,l,~{memory}", LLVMVoidTypeInContext(context), args, 2);
}

static void copy_commit(LLVMBuilderRef b) {
    tg_intrinsic(b, "llvm.nvvm.cp.async.commit.group", NULL, 0, NULL, 0);
}

static void copy_wait(LLVMBuilderRef b, int pending) {
    LLVMValueRef args[] = {tg_int32(b, pending)};
    tg_intrinsic(b, "llvm.nvvm.cp.async.wait.group", NULL, 0, args, 1);
}

static bool has_copy_async(const char *arch) {
    return strcmp(arch, "sm_75") != 0;
}

/* Words of 16 bytes: PTX ISA, "ld" and "st" of type .b128, which are single accesses in its memory
 * model. */

static const char words_are_used[] = "stencilopt.words";

/* Asks for PTX 8.3, the first with such words. LLVM's default is older on some GPUs that have them.
 */
static void use_words(LLVMBuilderRef b) {
    LLVMModuleRef m = LLVMGetGlobalParent(tg_function_of(b));
    LLVMGetOrInsertNamedMetadata(m, words_are_used, sizeof words_are_used - 1);
}

static void word_store(LLVMBuilderRef b, LLVMValueRef to, LLVMValueRef const v[4]) {
    static const char text[] = "{ .reg .b64 x, y; .reg .b128 q; mov.b64 x, {$1, $2}; "
                               "mov.b64 y, {$3, $4}; mov.b128 q, {x, y}; "
                               "st.relaxed.gpu.global.b128 [$0], q; }";
    LLVMContextRef context = LLVMGetTypeContext(tg_i32(b));
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
    LLVMValueRef args[] = {LLVMBuildPtrToInt(b, to, i64, ""), v[0], v[1], v[2], v[3]};
    use_words(b);
    assembly(b, text, "l,r,r,r,r,~{memory}", LLVMVoidTypeInContext(context), args, 5);
}

static void word_load(LLVMBuilderRef b, LLVMValueRef from, LLVMValueRef v[4], LLVMValueRef on) {
    static const char text[] =
        "{ .reg .pred p; .reg .b64 x, y; .reg .b128 q; setp.ne.u32 p, $9, 0; "
        "mov.b64 x, {$0, $1}; mov.b64 y, {$2, $3}; mov.b128 q, {x, y}; "
        "@p ld.relaxed.gpu.global.b128 q, [$8]; mov.b128 {x, y}, q; "
        "mov.b64 {$0, $1}, x; mov.b64 {$2, $3}, y; }";
    LLVMTypeRef i32 = tg_i32(b), parts[] = {i32, i32, i32, i32};
    LLVMContextRef context = LLVMGetTypeContext(i32);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
    LLVMTypeRef four = LLVMStructTypeInContext(context, parts, 4, false);
    LLVMValueRef args[] = {v[0], v[1], v[2], v[3], LLVMBuildPtrToInt(b, from, i64, ""), on};
    use_words(b);
    LLVMValueRef all = assembly(b, text, "=r,=r,=r,=r,0,1,2,3,l,r,~{memory}", four, args, 6);
    for (unsigned i = 0; i < 4; i++)
        v[i] = LLVMBuildExtractValue(b, all, i, "");
}

static bool has_pairs(const char *arch) {
    (void)arch;
    return false;
}

/* libdevice */

static bool find_libdevice(char *out, size_t size) {
    static const char in_toolkit[] = "nvvm/libdevice/libdevice.10.bc";
    const char *const toolkits[] = {getenv("CUDA_PATH"), getenv("CUDA_HOME"), "/usr/local/cuda",
                                    "/opt/cuda"};
    for (size_t i = 0; i < sizeof toolkits / sizeof *toolkits; i++)
        if (tg_file_in(toolkits[i], in_toolkit, out, size))
            return true;
    if (tg_find_program("ptxas", out, size) &&
        tg_file_beside(out, "../nvvm/libdevice/libdevice.10.bc", size))
        return true;
    return tg_file_in("/usr/lib/nvidia-cuda-toolkit", "libdevice/libdevice.10.bc", out, size);
}

static bool has_math(void) {
    char path[TG_PATH];
    return find_libdevice(path, sizeof path);
}

static bool link_math(LLVMModuleRef m, const char *arch, char *error, size_t size) {
    char path[TG_PATH] = "libdevice";
    (void)arch;
    find_libdevice(path, sizeof path);
    return tg_link(m, path, LLVMPTXKernelCallConv, error, size);
}

static void math_name(const char *base, bool is_double, char *out, size_t size) {
    snprintf(out, size, "__nv_%s%s", base, is_double ? "" : "f");
}

/* Code */

/* Makes a cubin by ptxas, if ptxas is on PATH. Without it the driver compiles the PTX. */
static bool assemble(LLVMMemoryBufferRef ptx, const char *arch, LLVMMemoryBufferRef *out) {
    char ptxas[TG_PATH], option[32];
    if (!tg_find_program("ptxas", ptxas, sizeof ptxas))
        return false;
    snprintf(option, sizeof option, "-arch=%s", arch);
    const char *words[] = {ptxas, option, "--fmad=false", "-o", TG_OUT, TG_IN, NULL};
    return tg_convert(words, ptx, out);
}

static int capability(const char *cpu) {
    int number;
    return sscanf(cpu, "sm_%d", &number) == 1 ? number : 0;
}

static int emit(LLVMModuleRef m, const char *arch, bool named, tg_image *out, char *error,
                size_t size) {
    LLVMMemoryBufferRef bytes;
    tg_generation how = nvptx_generation(m);
    how.features =
        LLVMGetNamedMetadata(m, words_are_used, sizeof words_are_used - 1) && capability(arch) < 100
            ? "+ptx83"
            : "";
    if (!tg_generate(&back_end, arch, m, &how, &bytes, error, size))
        return 0;
    out[0].kind = TG_PTX;
    out[0].bytes = bytes;
    snprintf(out[0].arch, sizeof out[0].arch, "%s", arch);
    if (!named || !assemble(bytes, arch, &out[1].bytes))
        return 1;
    out[1].kind = TG_CUBIN;
    snprintf(out[1].arch, sizeof out[1].arch, "%s", arch);
    return 2;
}

static const tg_known_call calls[] = {
#define CALL(name, kind) {name, kind, TG_LAUNCH_VALUES},
#define LAUNCH(name, value) {name "*", TG_READS_LAUNCH, value},
#include "target/nvptx/intrinsics.def"
};

static const char *const arithmetic[] = {
#define ASM(name) name,
#include "target/nvptx/intrinsics.def"
};

static const char *const of_textures[] = {
#define TEXTURE(name) name,
#include "target/nvptx/intrinsics.def"
};

const tg_target tg_nvptx = {
    .name = "nvptx",
    .triple = "nvptx",
    .architectures = "sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_100, sm_101, sm_103, "
                     "sm_120, sm_121",
    .intrinsics = "llvm.nvvm.",
    .calls = calls,
    .ncalls = sizeof calls / sizeof *calls,
    .assembly = arithmetic,
    .nassembly = sizeof arithmetic / sizeof *arithmetic,
    .texture = of_textures,
    .ntexture = sizeof of_textures / sizeof *of_textures,
    .kernel_convention = LLVMPTXKernelCallConv,
    .is_marked = nvptx_is_annotated,
    .required_size = nvptx_required_size,
    .most_threads = nvptx_most_threads,
    .capability = capability,
    .scratchpad_size = 48 << 10, /* a block can have more only as dynamic scratchpad */
    .prepare = prepare,
    .mark_kernel = mark_kernel,
    .limit_registers = nvptx_limit_registers,
    .launch = nvptx_launch,
    .reciprocal = nvptx_reciprocal,
    .group = nvptx_group,
    .lane = nvptx_lane,
    .exchange = nvptx_exchange,
    .shift = nvptx_shift,
    .uniform = nvptx_uniform,
    .barrier = nvptx_barrier,
    .shuffle = nvptx_shuffle,
    .sync_pair = nvptx_sync_pair,
    .sync_warp = nvptx_sync_warp,
    .conceal = conceal,
    .word_store = word_store,
    .word_load = word_load,
    .copy_async = copy_async,
    .copy_commit = copy_commit,
    .copy_wait = copy_wait,
    .scratchpad_space = TG_SCRATCHPAD,
    .device_space = TG_DEVICE,
    .device_scope = "device",
    .has_copy_async = has_copy_async,
    .has_pairs = has_pairs,
    .has_math = has_math,
    .link_math = link_math,
    .math_name = math_name,
    .no_math = ST_NO_LIBDEVICE,
    .emit = emit,
};
