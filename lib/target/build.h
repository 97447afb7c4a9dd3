/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From a module to code: LLVM's back ends, and programs that go on from there.
 */
#ifndef STENCILOPT_TARGET_BUILD_H
#define STENCILOPT_TARGET_BUILD_H

#include "bridge/bridge.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* One of LLVM's back ends, perhaps one that this LLVM was built without. */
typedef struct tg_back_end {
    const char *name, *triple;
    LLVMRelocMode reloc;
    void (*initialise)(void);
    pthread_once_t once; /* for `initialise` */
} tg_back_end;

/* Gives a module the triple and the data layout; without the back end nothing. */
void tg_set_layout(tg_back_end *e, const char *arch, LLVMModuleRef m);

/* Links a library of bitcode into a module that calls it. Only functions of this calling
 * convention, kernels, are seen from outside then. On failure a message. */
bool tg_link(LLVMModuleRef m, const char *path, unsigned kernels, char *error, size_t size);

/* Keeps code generation from taking choices between zeros for minima and maxima. zeros.c */
void tg_keep_zeros(LLVMModuleRef m);

/* How a target has its code generated. */
typedef struct tg_generation {
    LLVMCodeGenFileType type;
    void (*mend)(LLVMModuleRef m); /* what code generation would get wrong; may be NULL */
    LLVMCodeGenOptLevel level;
    br_wants *wants;      /* of br_optimise and br_generate */
    const char *features; /* beside the architecture's, as LLVM names them; NULL: none */
} tg_generation;

/* Optimises the module, lets the target mend it, and generates code for the architecture. On
 * failure a message. */
bool tg_generate(tg_back_end *e, const char *arch, LLVMModuleRef m, const tg_generation *how,
                 LLVMMemoryBufferRef *out, char *error, size_t size);

enum { TG_PATH = 2048 }; /* of a file: longer ones are not found */
/* A readable file of that name in the folder, which may be NULL: its path. */
bool tg_file_in(const char *folder, const char *name, char *out, size_t size);
/* The same for a file of that name beside the one at `path`, which becomes its path. */
bool tg_file_beside(char *path, const char *name, size_t size);
/* Looks for a program in the folders of PATH. */
bool tg_find_program(const char *name, char *out, size_t size);

/* Runs the program words[0], up to NULL, with `in` as the file that TG_IN stands for; what it
 * leaves in TG_OUT becomes *out. Of its messages nothing is seen. */
#define TG_IN "<in>"
#define TG_OUT "<out>"
bool tg_convert(const char *const *words, LLVMMemoryBufferRef in, LLVMMemoryBufferRef *out);

#endif
