/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From a module to code: LLVM's back ends, and the programs that assemble and link what they make.
 */
#ifndef STENCILOPT_TARGET_BUILD_H
#define STENCILOPT_TARGET_BUILD_H

#include "bridge/bridge.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* One of LLVM's back ends. This LLVM may have been built without it. */
typedef struct tg_back_end {
    const char *name, *triple;
    LLVMRelocMode reloc;
    void (*initialise)(void);
    pthread_once_t once; /* makes `initialise` run once */
} tg_back_end;

/* Sets the module's triple and data layout. Does nothing if LLVM does not have the back end. */
void tg_set_layout(tg_back_end *e, const char *arch, LLVMModuleRef m);

/* Links a library of bitcode into a module that calls it. Afterwards only functions of the calling
 * convention `kernels` are visible from outside. On failure false, and a message. */
bool tg_link(LLVMModuleRef m, const char *path, unsigned kernels, char *error, size_t size);

/* Keeps LLVM from making minima and maxima of choices that treat zeros otherwise. In zeros.c. */
void tg_keep_zeros(LLVMModuleRef m);

/* How code is generated for a target. */
typedef struct tg_generation {
    LLVMCodeGenFileType type;
    void (*mend)(LLVMModuleRef m); /* changes what code generation would get wrong; may be NULL */
    LLVMCodeGenOptLevel level;
    br_wants *wants;      /* used by br_optimise and br_generate */
    const char *features; /* features besides the architecture's, as LLVM names them; NULL: none */
} tg_generation;

/* Optimises the module, calls `mend`, and generates code for the architecture. On failure false,
 * and a message. */
bool tg_generate(tg_back_end *e, const char *arch, LLVMModuleRef m, const tg_generation *how,
                 LLVMMemoryBufferRef *out, char *error, size_t size);

enum { TG_PATH = 2048 }; /* bytes of a file's path; files with longer paths are not found */
/* Finds a readable file of that name in the folder: its path. `folder` may be NULL. */
bool tg_file_in(const char *folder, const char *name, char *out, size_t size);
/* Finds a file of that name in the folder of the file at `path`: its path replaces `path`. */
bool tg_file_beside(char *path, const char *name, size_t size);
/* Looks for a program in the folders of PATH. */
bool tg_find_program(const char *name, char *out, size_t size);

/* Runs the program words[0] with the words up to NULL. TG_IN stands for a file that contains `in`,
 * TG_OUT for the file that becomes *out. The program's messages are not shown. */
#define TG_IN "<in>"
#define TG_OUT "<out>"
bool tg_convert(const char *const *words, LLVMMemoryBufferRef in, LLVMMemoryBufferRef *out);

#endif
