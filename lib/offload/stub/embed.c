/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A program of the build: embed entry.bc entry.inc. It makes the bitcode that clang wrote of
 * entry.c fit for any user's module, and writes it as the bytes of a C array.
 *
 * Three things are removed: target, CPU and features; module flags, which would clash with the
 * user's; and what clang says of parameters, because the calls that the plugin emits do not say it.
 * All functions and variables become weak_odr, in one COMDAT group. Then the linker keeps the whole
 * group of one object file, even if two versions of the plugin compiled the files. A constructor is
 * in the group, too.
 */
#include "bridge/bridge_run.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Comdat.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ATTRIBUTES = 64 };

static LLVMModuleRef read(LLVMContextRef c, const char *path) {
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef m;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
        fprintf(stderr, "embed: %s: %s\n", path, message);
        exit(1);
    }
    if (LLVMParseBitcodeInContext2(c, buffer, &m)) {
        fprintf(stderr, "embed: %s: no bitcode\n", path);
        exit(1);
    }
    LLVMDisposeMemoryBuffer(buffer);
    return m;
}

/* Removes attributes of a function, its result or a parameter. Of a function: all text attributes
 * but the one that keeps loops from becoming calls of libc. Of results and parameters: all. */
static void drop_attributes(LLVMValueRef f, LLVMAttributeIndex at) {
    static const char kept[] = "no-builtins";
    LLVMAttributeRef list[MAX_ATTRIBUTES];
    unsigned count = LLVMGetAttributeCountAtIndex(f, at), length;
    if (count > MAX_ATTRIBUTES)
        exit(1);
    LLVMGetAttributesAtIndex(f, at, list);
    for (unsigned i = 0; i < count; i++) {
        if (!LLVMIsStringAttribute(list[i])) {
            if (at != (LLVMAttributeIndex)LLVMAttributeFunctionIndex)
                LLVMRemoveEnumAttributeAtIndex(f, at, LLVMGetEnumAttributeKind(list[i]));
            continue;
        }
        const char *name = LLVMGetStringAttributeKind(list[i], &length);
        if (length != sizeof kept - 1 || memcmp(name, kept, length))
            LLVMRemoveStringAttributeAtIndex(f, at, name, length);
    }
}

/* Functions that are called at a program's start, or where a region enters the runtime, are
 * optimised already. The user's compiler shall not do it again: that took a third of the time that
 * small files take. */
static void leave_as_it_is(LLVMContextRef c, LLVMValueRef f) {
    const LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned cold = LLVMGetEnumAttributeKindForName("cold", 4);
    unsigned size = LLVMGetEnumAttributeKindForName("optsize", 7);
    unsigned none = LLVMGetEnumAttributeKindForName("optnone", 7);
    if (LLVMIsDeclaration(f) || !LLVMGetEnumAttributeAtIndex(f, whole, cold))
        return;
    LLVMRemoveEnumAttributeAtIndex(f, whole, size); /* the two exclude each other */
    LLVMAddAttributeAtIndex(f, whole, LLVMCreateEnumAttribute(c, none, 0));
}

static void share(LLVMValueRef global, LLVMComdatRef group) {
    LLVMLinkage linkage = LLVMGetLinkage(global);
    if (linkage == LLVMAppendingLinkage || LLVMIsDeclaration(global) ||
        linkage == LLVMPrivateLinkage)
        return;
    if (linkage == LLVMInternalLinkage) {
        /* A linker that drops the group would keep what is not in the group. */
        size_t length;
        fprintf(stderr, "embed: %s is static\n", LLVMGetValueName2(global, &length));
        exit(1);
    }
    LLVMSetLinkage(global, LLVMWeakODRLinkage);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
    LLVMSetComdat(global, group);
}

/* Makes a function a constructor. The entry belongs to the group, so it goes with it. */
static void add_constructor(LLVMModuleRef m, const char *name, const char *group) {
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMValueRef fields[] = {LLVMConstInt(LLVMInt32TypeInContext(c), 65535, false),
                             LLVMGetNamedFunction(m, name), LLVMGetNamedFunction(m, group)};
    LLVMValueRef entry = LLVMConstStructInContext(c, fields, 3, false);
    LLVMValueRef list = LLVMConstArray2(LLVMTypeOf(entry), &entry, 1);
    LLVMValueRef global = LLVMAddGlobal(m, LLVMTypeOf(list), "llvm.global_ctors");
    LLVMSetInitializer(global, list);
    LLVMSetLinkage(global, LLVMAppendingLinkage);
}

static void generalise(LLVMModuleRef m) {
    LLVMComdatRef group = LLVMGetOrInsertComdat(m, "stencilopt.enter");
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        drop_attributes(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
        for (unsigned i = 0; !LLVMGetIntrinsicID(f) && i <= LLVMCountParams(f); i++)
            drop_attributes(f, i);
        leave_as_it_is(LLVMGetModuleContext(m), f);
        share(f, group);
    }
    for (LLVMValueRef v = LLVMGetFirstGlobal(m); v; v = LLVMGetNextGlobal(v))
        share(v, group);
    add_constructor(m, "stencilopt.start", "stencilopt.enter");
    br_drop_named_metadata(m);
    LLVMSetTarget(m, "");
    LLVMSetDataLayout(m, "");
    LLVMSetSourceFileName(m, "stencilopt", strlen("stencilopt"));
}

static bool write_array(LLVMModuleRef m, const char *path) {
    LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(m);
    const unsigned char *bytes = (const unsigned char *)LLVMGetBufferStart(bitcode);
    size_t size = LLVMGetBufferSize(bitcode);
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    fprintf(out, "static const unsigned char entry_bitcode[] = {");
    for (size_t i = 0; i < size; i++)
        fprintf(out, "%s%d,", i % 20 ? "" : "\n", bytes[i]);
    fprintf(out, "\n};\n");
    LLVMDisposeMemoryBuffer(bitcode);
    bool good = !ferror(out);
    return fclose(out) == 0 && good;
}

int main(int argc, char **argv) {
    char *message = NULL;
    if (argc != 3) {
        fprintf(stderr, "usage: embed entry.bc entry.inc\n");
        return 1;
    }
    LLVMContextRef c = LLVMContextCreate();
    LLVMModuleRef m = read(c, argv[1]);
    generalise(m);
    if (LLVMVerifyModule(m, LLVMReturnStatusAction, &message)) {
        fprintf(stderr, "embed: %s: %s\n", argv[1], message);
        return 1;
    }
    LLVMDisposeMessage(message);
    if (!write_array(m, argv[2])) {
        fprintf(stderr, "embed: cannot write %s\n", argv[2]);
        return 1;
    }
    LLVMDisposeModule(m);
    LLVMContextDispose(c);
    return 0;
}
