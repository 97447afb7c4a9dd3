/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A program needs no library at link time: dlopen and dlsym are weak, and without them, or without
 * a runtime, the loops run as written. So they do in a program linked statically with glibc, which
 * alone has _dl_non_dynamic_init: its dlopen would load a second C library, and crash. Every object
 * file carries these functions; the linker keeps one copy. What they print they print with glibc's
 * __write, a name that no program has for something else.
 *
 * stencilopt.state: 0 at start; 1: the device is chosen by cost, so small regions need not ask;
 * 2: a device is named or a report is wanted, so all regions ask; 3: no runtime or no device, none
 * asks. stencilopt.notify is what stencilopt.h calls; keeping something is the only thing to tell
 * a runtime that is not there yet. 65,536 cell updates take a CPU core some 30 microseconds, about
 * what one launch and its transfers cost at the very least.
 */
#include "enter.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char functions[] =
    "@stencilopt.state = weak_odr hidden global i32 0\n"
    "@stencilopt.function = weak_odr hidden global ptr null\n"
    "@stencilopt.told = weak_odr hidden global ptr null\n"
    "@stencilopt.kept = weak_odr hidden global i32 0\n"
    "@stencilopt.env.device = private constant [18 x i8] c\"STENCILOPT_DEVICE\\00\"\n"
    "@stencilopt.env.report = private constant [18 x i8] c\"STENCILOPT_REPORT\\00\"\n"
    "@stencilopt.env.runtime = private constant [19 x i8] c\"STENCILOPT_RUNTIME\\00\"\n"
    "@stencilopt.name.library = private constant [16 x i8] c\"libstencilrt.so\\00\"\n"
    "@stencilopt.name.run = private constant [14 x i8] c\"stencilrt_run\\00\"\n"
    "@stencilopt.name.notify = private constant [17 x i8] c\"stencilrt_notify\\00\"\n"
    "@stencilopt.no.runtime = private constant [60 x i8] c\"stencilopt: original loops ran: the "
    "runtime was not loaded (\"\n"
    "@stencilopt.is.static = private constant [73 x i8] c\"stencilopt: original loops ran: a "
    "static program cannot load the runtime\\0A\"\n"
    "@stencilopt.end = private constant [2 x i8] c\")\\0A\"\n"
    "declare extern_weak ptr @dlopen(ptr, i32)\n"
    "declare extern_weak ptr @dlsym(ptr, ptr)\n"
    "declare extern_weak ptr @getenv(ptr)\n"
    "declare extern_weak ptr @dlerror()\n"
    "declare extern_weak i64 @__write(i32, ptr, i64)\n"
    "declare extern_weak void @_dl_non_dynamic_init()\n"
    "\n"
    "define weak_odr hidden i32 @stencilopt.choose() noinline cold nounwind {\n"
    "  %none = icmp eq ptr @getenv, null\n"
    "  br i1 %none, label %never, label %look\n"
    "look:\n"
    "  %device = call ptr @getenv(ptr @stencilopt.env.device)\n"
    "  %unset = icmp eq ptr %device, null\n"
    "  br i1 %unset, label %report, label %named\n"
    "named:\n"
    "  %first = load i8, ptr %device\n"
    "  %auto = icmp eq i8 %first, 97\n"
    "  %empty = icmp eq i8 %first, 0\n"
    "  %free = or i1 %auto, %empty\n"
    "  br i1 %free, label %report, label %set\n"
    "report:\n"
    "  %wanted = call ptr @getenv(ptr @stencilopt.env.report)\n"
    "  %quiet = icmp eq ptr %wanted, null\n"
    "  br i1 %quiet, label %cost, label %set\n"
    "cost:\n"
    "  br label %set\n"
    "never:\n"
    "  br label %set\n"
    "set:\n"
    "  %state = phi i32 [ 2, %named ], [ 2, %report ], [ 1, %cost ], [ 3, %never ]\n"
    "  store atomic i32 %state, ptr @stencilopt.state monotonic, align 4\n"
    "  ret i32 %state\n"
    "}\n"
    "\n"
    "define weak_odr hidden i1 @stencilopt.ready(i64 %x, i64 %y, i64 %z, i64 %steps) nounwind {\n"
    "  %old = load atomic i32, ptr @stencilopt.state monotonic, align 4\n"
    "  %new = icmp eq i32 %old, 0\n"
    "  br i1 %new, label %choose, label %test\n"
    "choose:\n"
    "  %chosen = call i32 @stencilopt.choose()\n"
    "  br label %test\n"
    "test:\n"
    "  %state = phi i32 [ %old, %0 ], [ %chosen, %choose ]\n"
    "  %p1 = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %x, i64 %y)\n"
    "  %v1 = extractvalue { i64, i1 } %p1, 0\n"
    "  %o1 = extractvalue { i64, i1 } %p1, 1\n"
    "  %p2 = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %v1, i64 %z)\n"
    "  %v2 = extractvalue { i64, i1 } %p2, 0\n"
    "  %o2 = extractvalue { i64, i1 } %p2, 1\n"
    "  %p3 = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %v2, i64 %steps)\n"
    "  %v3 = extractvalue { i64, i1 } %p3, 0\n"
    "  %o3 = extractvalue { i64, i1 } %p3, 1\n"
    "  %much = icmp uge i64 %v3, 65536\n"
    "  %o12 = or i1 %o1, %o2\n"
    "  %o123 = or i1 %o12, %o3\n"
    "  %large = or i1 %much, %o123\n"
    "  %cost = icmp eq i32 %state, 1\n"
    "  %pays = and i1 %cost, %large\n"
    "  %asked = icmp eq i32 %state, 2\n"
    "  %ready = or i1 %pays, %asked\n"
    "  ret i1 %ready\n"
    "}\n"
    "declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)\n"
    "\n"
    "define weak_odr hidden void @stencilopt.report(ptr %text, i64 %length, ptr %why) noinline "
    "cold nounwind \"no-builtins\" {\n"
    "  %no.env = icmp eq ptr @getenv, null\n"
    "  %no.write = icmp eq ptr @__write, null\n"
    "  %no = or i1 %no.env, %no.write\n"
    "  br i1 %no, label %done, label %look\n"
    "look:\n"
    "  %wanted = call ptr @getenv(ptr @stencilopt.env.report)\n"
    "  %unset = icmp eq ptr %wanted, null\n"
    "  br i1 %unset, label %done, label %given\n"
    "given:\n"
    "  %first = load i8, ptr %wanted\n"
    "  %yes = icmp eq i8 %first, 49\n"
    "  br i1 %yes, label %tell, label %done\n"
    "tell:\n"
    "  %said = call i64 @__write(i32 2, ptr %text, i64 %length)\n"
    "  %all = icmp eq ptr %why, null\n"
    "  br i1 %all, label %done, label %measure\n"
    "measure:\n"
    "  %n = phi i64 [ 0, %tell ], [ %next, %measure ]\n"
    "  %at = getelementptr i8, ptr %why, i64 %n\n"
    "  %letter = load i8, ptr %at\n"
    "  %end = icmp eq i8 %letter, 0\n"
    "  %next = add i64 %n, 1\n"
    "  br i1 %end, label %reason, label %measure\n"
    "reason:\n"
    "  %told = call i64 @__write(i32 2, ptr %why, i64 %n)\n"
    "  %ended = call i64 @__write(i32 2, ptr @stencilopt.end, i64 2)\n"
    "  br label %done\n"
    "done:\n"
    "  ret void\n"
    "}\n"
    "\n"
    "define weak_odr hidden ptr @stencilopt.find() noinline cold nounwind {\n"
    "  %no.open = icmp eq ptr @dlopen, null\n"
    "  %no.sym = icmp eq ptr @dlsym, null\n"
    "  %no = or i1 %no.open, %no.sym\n"
    "  %static = icmp ne ptr @_dl_non_dynamic_init, null\n"
    "  %no.either = or i1 %no, %static\n"
    "  br i1 %no.either, label %alone, label %override\n"
    "override:\n"
    "  %path = call ptr @getenv(ptr @stencilopt.env.runtime)\n"
    "  %given = icmp ne ptr %path, null\n"
    "  br i1 %given, label %open.given, label %recorded\n"
    "open.given:\n"
    "  %h1 = call ptr @dlopen(ptr %path, i32 2)\n"
    "  br label %opened\n"
    "recorded:\n"
    "  %h2 = call ptr @dlopen(ptr @stencilopt.path, i32 2)\n"
    "  %found = icmp ne ptr %h2, null\n"
    "  br i1 %found, label %opened, label %by.name\n"
    "by.name:\n"
    "  %h3 = call ptr @dlopen(ptr @stencilopt.name.library, i32 2)\n"
    "  br label %opened\n"
    "opened:\n"
    "  %h = phi ptr [ %h1, %open.given ], [ %h2, %recorded ], [ %h3, %by.name ]\n"
    "  %missing = icmp eq ptr %h, null\n"
    "  br i1 %missing, label %failed, label %symbol\n"
    "symbol:\n"
    "  %f = call ptr @dlsym(ptr %h, ptr @stencilopt.name.run)\n"
    "  %absent = icmp eq ptr %f, null\n"
    "  br i1 %absent, label %failed, label %good\n"
    "good:\n"
    "  %told = call ptr @dlsym(ptr %h, ptr @stencilopt.name.notify)\n"
    "  store atomic ptr %told, ptr @stencilopt.told release, align 8\n"
    "  store atomic ptr %f, ptr @stencilopt.function release, align 8\n"
    "  ret ptr %f\n"
    "alone:\n"
    "  call void @stencilopt.report(ptr @stencilopt.is.static, i64 73, ptr null)\n"
    "  br label %none\n"
    "failed:\n"
    "  %no.error = icmp eq ptr @dlerror, null\n"
    "  br i1 %no.error, label %none, label %say\n"
    "say:\n"
    "  %why = call ptr @dlerror()\n"
    "  call void @stencilopt.report(ptr @stencilopt.no.runtime, i64 60, ptr %why)\n"
    "  br label %none\n"
    "none:\n"
    "  store atomic i32 3, ptr @stencilopt.state monotonic, align 4\n"
    "  ret ptr null\n"
    "}\n"
    "\n"
    "define weak_odr hidden i1 @stencilopt.enter(ptr %region, ptr %call) noinline cold nounwind {\n"
    "  %old = load atomic ptr, ptr @stencilopt.function acquire, align 8\n"
    "  %new = icmp eq ptr %old, null\n"
    "  br i1 %new, label %find, label %have\n"
    "find:\n"
    "  %found = call ptr @stencilopt.find()\n"
    "  br label %have\n"
    "have:\n"
    "  %f = phi ptr [ %old, %0 ], [ %found, %find ]\n"
    "  %none = icmp eq ptr %f, null\n"
    "  br i1 %none, label %no, label %run\n"
    "run:\n"
    "  %r = call i32 %f(ptr %region, ptr %call)\n"
    "  %never = icmp eq i32 %r, -1\n"
    "  br i1 %never, label %stop, label %done\n"
    "stop:\n"
    "  store atomic i32 3, ptr @stencilopt.state monotonic, align 4\n"
    "  br label %no\n"
    "done:\n"
    "  %ran = icmp eq i32 %r, 1\n"
    "  ret i1 %ran\n"
    "no:\n"
    "  ret i1 false\n"
    "}\n"
    "\n"
    "define weak_odr hidden void @stencilopt.notify(i32 %what, ptr %memory, i64 %bytes) noinline "
    "nounwind {\n"
    "  %known = load atomic ptr, ptr @stencilopt.function acquire, align 8\n"
    "  %new = icmp eq ptr %known, null\n"
    "  %keep = icmp eq i32 %what, 1\n"
    "  %state = load atomic i32, ptr @stencilopt.state monotonic, align 4\n"
    "  %may = icmp ne i32 %state, 3\n"
    "  %early = and i1 %new, %keep\n"
    "  %look = and i1 %early, %may\n"
    "  br i1 %look, label %find, label %have\n"
    "find:\n"
    "  %found = call ptr @stencilopt.find()\n"
    "  br label %have\n"
    "have:\n"
    "  %f = load atomic ptr, ptr @stencilopt.told acquire, align 8\n"
    "  %none = icmp eq ptr %f, null\n"
    "  br i1 %none, label %done, label %tell\n"
    "tell:\n"
    "  %r = call i32 %f(i32 %what, ptr %memory, i64 %bytes)\n"
    "  br i1 %keep, label %kept, label %done\n"
    "kept:\n"
    "  store atomic i32 1, ptr @stencilopt.kept monotonic, align 4\n"
    "  br label %done\n"
    "done:\n"
    "  ret void\n"
    "}\n"
    "\n"
    "define weak_odr hidden void @stencilopt.settle(i1 %ready) nounwind {\n"
    "  %kept = load atomic i32, ptr @stencilopt.kept monotonic, align 4\n"
    "  %any = icmp ne i32 %kept, 0\n"
    "  %loops = xor i1 %ready, true\n"
    "  %must = and i1 %any, %loops\n"
    "  br i1 %must, label %tell, label %done\n"
    "tell:\n"
    "  call void @stencilopt.notify(i32 6, ptr null, i64 0)\n"
    "  br label %done\n"
    "done:\n"
    "  ret void\n"
    "}\n";

/* The runtime lies beside the plugin, in the build folder as where it is installed. */
static void runtime_path(char *out, size_t size) {
    Dl_info info;
    char here[PATH_MAX];
    snprintf(out, size, "libstencilrt.so");
    if (!dladdr((void *)runtime_path, &info) || !realpath(info.dli_fname, here))
        return;
    char *slash = strrchr(here, '/');
    if (slash)
        snprintf(out, size, "%.*s/libstencilrt.so", (int)(slash - here), here);
}

static void print_path(char *out, size_t size) {
    char path[PATH_MAX + 32];
    runtime_path(path, sizeof path);
    size_t n = (size_t)snprintf(
        out, size, "@stencilopt.path = weak_odr hidden constant [%zu x i8] c\"", strlen(path) + 1);
    for (const char *c = path; *c && n + 8 < size; c++)
        n += (size_t)snprintf(out + n, size - n, "\\%02X", (unsigned char)*c);
    snprintf(out + n, size - n, "\\00\"\n");
}

/* By way of bitcode: a context that drops the names of values, as clang's does, reads no text. */
static LLVMMemoryBufferRef compile_functions(void) {
    static const size_t path_size = 4 * PATH_MAX;
    LLVMContextRef c = LLVMContextCreate();
    LLVMMemoryBufferRef bitcode = NULL;
    LLVMModuleRef m;
    char *text = malloc(path_size + sizeof functions), *message = NULL;
    print_path(text, path_size);
    strcat(text, functions);
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "stencilopt.enter");
    free(text);
    if (!LLVMParseIRInContext(c, buffer, &m, &message)) {
        bitcode = LLVMWriteBitcodeToMemoryBuffer(m);
        LLVMDisposeModule(m);
    }
    LLVMDisposeMessage(message);
    LLVMContextDispose(c);
    return bitcode;
}

bool enter_add_functions(LLVMModuleRef m) {
    LLVMModuleRef parsed;
    if (LLVMGetNamedFunction(m, "stencilopt.enter"))
        return true;
    LLVMMemoryBufferRef bitcode = compile_functions();
    if (!bitcode)
        return false;
    bool bad = LLVMParseBitcodeInContext2(LLVMGetModuleContext(m), bitcode, &parsed);
    LLVMDisposeMemoryBuffer(bitcode);
    if (bad)
        return false;
    LLVMSetTarget(parsed, LLVMGetTarget(m));
    LLVMSetDataLayout(parsed, LLVMGetDataLayoutStr(m));
    return !LLVMLinkModules2(m, parsed);
}

LLVMValueRef enter_ready(LLVMModuleRef m) {
    return LLVMGetNamedFunction(m, "stencilopt.ready");
}
LLVMValueRef enter_settle(LLVMModuleRef m) {
    return LLVMGetNamedFunction(m, "stencilopt.settle");
}
LLVMValueRef enter_run(LLVMModuleRef m) {
    return LLVMGetNamedFunction(m, "stencilopt.enter");
}
