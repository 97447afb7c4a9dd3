/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Links stub/entry.c, which the build compiled to bitcode, into the user's module. Adds the path at
 * which the program looks for the runtime.
 */
#include "offload/enter.h"

#include "bridge/bridge.h"
#include "offload/layout.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "entry_bitcode.inc" /* written by stub/embed.c */

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

/* Folders of the runtime, relative to the plugin's. In the build folder the runtime is beside the
 * plugin. Where StencilOpt is installed, the plugin is in lib/stencilopt/llvm-<version> and the
 * runtime in lib. */
static const char *const places[] = {"", "/../.."};

/* The path of the runtime in such a folder; NULL if it is not there. */
static char *runtime_in(const char *here, const char *place, const char *name) {
    char *path = NULL, *folder = NULL, *there = NULL;
    if (asprintf(&path, "%s%s", here, place) >= 0)
        folder = realpath(path, NULL);
    if (folder && asprintf(&there, "%s/%s", folder, name) >= 0 && access(there, R_OK) != 0) {
        free(there);
        there = NULL;
    }
    free(path);
    free(folder);
    return there;
}

/* An absolute path, which the caller frees. Empty if the plugin's own path is not known. */
static char *runtime_path(void) {
    static const char name[] = "libstencilrt.so." TEXT(STENCILRT_ABI);
    Dl_info info;
    char *here = dladdr((void *)runtime_path, &info) ? realpath(info.dli_fname, NULL) : NULL;
    char *path = NULL;
    if (!here)
        return strdup("");
    *strrchr(here, '/') = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places && !path; i++)
        path = runtime_in(here, places[i], name);
    if (!path && asprintf(&path, "%s/%s", here, name) < 0)
        path = strdup("");
    free(here);
    return path;
}

/* Defines the path that stub/entry.c declares. */
static void define_path(LLVMModuleRef stub) {
    static const char name[] = "stencilopt.path";
    char *path = runtime_path();
    LLVMContextRef c = LLVMGetModuleContext(stub);
    LLVMValueRef declared = LLVMGetNamedGlobal(stub, name);
    LLVMValueRef text = LLVMConstStringInContext2(c, path, strlen(path), false);
    free(path);
    LLVMValueRef global = LLVMAddGlobal(stub, LLVMTypeOf(text), "");
    LLVMReplaceAllUsesWith(declared, global);
    LLVMDeleteGlobal(declared);
    LLVMSetValueName2(global, name, sizeof name - 1);
    LLVMSetInitializer(global, text);
    LLVMSetGlobalConstant(global, true);
    LLVMSetAlignment(global, 1);
    LLVMSetLinkage(global, LLVMWeakODRLinkage);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
    LLVMSetComdat(global, LLVMGetComdat(LLVMGetNamedFunction(stub, "stencilopt.enter")));
}

/* Is the module for Linux on x86-64 or AArch64? A module without a triple is for this machine. */
static bool fits(LLVMModuleRef m) {
    const char *triple = LLVMGetTarget(m);
    bool known = !strncmp(triple, "x86_64-", 7) || !strncmp(triple, "aarch64-", 8);
    return (!*triple || (known && strstr(triple, "-linux"))) &&
           layout_fits(LLVMGetModuleContext(m), LLVMGetModuleDataLayout(m));
}

bool enter_add_functions(LLVMModuleRef m) {
    LLVMModuleRef stub;
    /* Users did not write these functions. */
    br_hide_remarks(LLVMGetModuleContext(m), "stencilopt.");
    if (LLVMGetNamedFunction(m, "stencilopt.enter"))
        return true;
    if (!fits(m))
        return false;
    LLVMMemoryBufferRef bitcode = LLVMCreateMemoryBufferWithMemoryRange(
        (const char *)entry_bitcode, sizeof entry_bitcode, "stencilopt.enter", false);
    bool bad = LLVMParseBitcodeInContext2(LLVMGetModuleContext(m), bitcode, &stub);
    LLVMDisposeMemoryBuffer(bitcode);
    if (bad)
        return false;
    define_path(stub);
    LLVMSetTarget(stub, LLVMGetTarget(m));
    LLVMSetDataLayout(stub, LLVMGetDataLayoutStr(m));
    return !LLVMLinkModules2(m, stub);
}

bool enter_is_own(LLVMValueRef function) {
    static const char prefix[] = "stencilopt.";
    size_t length;
    return !strncmp(LLVMGetValueName2(function, &length), prefix, sizeof prefix - 1);
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
