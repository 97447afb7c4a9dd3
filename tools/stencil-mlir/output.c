/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A file is written under a temporary name beside its own and then renamed: a build that is
 * interrupted leaves no half of an object. What is no regular file, such as /dev/null or a pipe, is
 * written directly.
 */
#include "output.h"

#include <llvm-c/Core.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(const char *path, const char *why) {
    fprintf(stderr, "stencil-mlir: cannot write %s: %s\n", path, why);
    return 1;
}

/* Of a module printed or compiled to a file that is there. */
static int write_to(LLVMModuleRef module, LLVMTargetMachineRef machine, output_kind kind,
                    const char *path, const char *told) {
    char *error = NULL;
    int failed;
    if (kind == OUTPUT_IR)
        failed = LLVMPrintModuleToFile(module, path, &error);
    else
        failed = LLVMTargetMachineEmitToFile(
            machine, module, path, kind == OUTPUT_OBJECT ? LLVMObjectFile : LLVMAssemblyFile,
            &error);
    if (failed)
        fail(told, error ? error : "unknown");
    LLVMDisposeMessage(error);
    return failed;
}

/* A new file beside `path`; NULL: not made, and errno says why. */
static char *make_temporary(const char *path) {
    size_t size = strlen(path) + sizeof "-XXXXXX";
    char *name = malloc(size);
    if (!name)
        return NULL;
    snprintf(name, size, "%s-XXXXXX", path);
    int fd = mkstemp(name);
    if (fd < 0) {
        free(name);
        return NULL;
    }
    close(fd);
    return name;
}

/* mkstemp lets only the owner read. The file gets the permissions of a new one, or its own. */
static int take_name(const char *name, const char *path, const struct stat *old) {
    mode_t mask = umask(0);
    umask(mask);
    return chmod(name, old ? old->st_mode & 0777 : 0666 & ~mask) || rename(name, path);
}

int output_write(LLVMModuleRef module, LLVMTargetMachineRef machine, output_kind kind,
                 const char *path) {
    struct stat old;
    bool is_there = stat(path, &old) == 0;
    if (!strcmp(path, "-") || (is_there && !S_ISREG(old.st_mode)))
        return write_to(module, machine, kind, path, path);
    if (is_there && access(path, W_OK))
        return fail(path, strerror(errno));
    char *name = make_temporary(path);
    if (!name)
        return fail(path, strerror(errno));
    int failed = write_to(module, machine, kind, name, path);
    if (!failed && take_name(name, path, is_there ? &old : NULL))
        failed = fail(path, strerror(errno));
    if (failed)
        unlink(name);
    free(name);
    return failed;
}
