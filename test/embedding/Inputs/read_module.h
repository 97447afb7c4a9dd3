/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads a module from a file: what the front ends of these tests share.
 */
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>

/* NULL: it cannot be read, and standard error has why. */
static LLVMModuleRef read_module(LLVMContextRef context, const char *path) {
    LLVMMemoryBufferRef text;
    LLVMModuleRef module = NULL;
    char *error = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &text, &error) ||
        LLVMParseIRInContext(context, text, &module, &error))
        fprintf(stderr, "%s: %s\n", path, error);
    LLVMDisposeMessage(error);
    return module;
}
