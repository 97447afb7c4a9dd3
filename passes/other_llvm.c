/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Refuses compilers of another LLVM. A plugin works only with the LLVM that it was built for,
 * because the structures of others differ. This file says which plugin to load instead, and ends
 * the compiler.
 */
#include "passes.h"

#include "bridge/bridge.h"
#include "stencilopt/version.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void version_function(unsigned *major, unsigned *minor, unsigned *patch);

static unsigned major_of(version_function *version) {
    unsigned major = 0, minor, patch;
    version(&major, &minor, &patch);
    return major;
}

/* The compiler's LLVMGetVersion: the one that code at this address would call. NULL if there is
 * none. */
static version_function *version_seen_from(const void *address) {
    Dl_info info;
    version_function *version = NULL;
    void *library = dladdr(address, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (library) {
        *(void **)&version = dlsym(library, "LLVMGetVersion");
        dlclose(library);
    }
    return version;
}

static char *own_path(void) {
    Dl_info info;
    char *path = dladdr((void *)own_path, &info) ? realpath(info.dli_fname, NULL) : NULL;
    return path ? path : strdup("libstencilopt.so");
}

/* The plugin for that LLVM, in the tree where this plugin is installed. NULL if there is none. The
 * caller frees it. */
static char *plugin_for(const char *own, unsigned llvm) {
    char *folder = strdup(own), *path = NULL;
    for (int up = 0; up < 2 && folder && strrchr(folder, '/'); up++)
        *strrchr(folder, '/') = 0;
    if (asprintf(&path, "%s/llvm-%u/libstencilopt.so", folder, llvm) < 0)
        path = NULL;
    if (path && access(path, R_OK) != 0) {
        free(path);
        path = NULL;
    }
    free(folder);
    return path;
}

/* Lists in words the versions of LLVM that have plugins there. */
static void list_installed(const char *own, char *out, size_t size) {
    size_t length = 0;
    for (unsigned llvm = STENCILOPT_OLDEST_LLVM; llvm <= STENCILOPT_NEWEST_LLVM && length < size;
         llvm++) {
        char *path = plugin_for(own, llvm);
        if (path)
            length +=
                (size_t)snprintf(out + length, size - length, "%s%u", length ? " or " : "", llvm);
        free(path);
    }
}

static void refuse(unsigned ours, unsigned theirs) {
    char text[2048], versions[128], *own = own_path(), *path = plugin_for(own, theirs);
    snprintf(versions, sizeof versions, "%u", ours);
    list_installed(own, versions, sizeof versions);
    int length = snprintf(
        text, sizeof text,
        "stencilopt: %s is for LLVM %u, and the compiler that loads it has its own LLVM %u. ", own,
        ours, theirs);
    char *rest = text + length;
    size_t room = length < (int)sizeof text ? sizeof text - (size_t)length : 0;
    if (path && ours != theirs)
        snprintf(rest, room, "Load %s", path);
    else
        snprintf(rest, room,
                 "Compile with clang %s, or build StencilOpt with -DLLVM_DIR= of the compiler's",
                 versions);
    br_fatal(text);
}

void pass_refuse_other_llvm(const void *caller) {
    version_function *theirs = version_seen_from(caller);
    if (theirs && theirs != &LLVMGetVersion)
        refuse(major_of(&LLVMGetVersion), major_of(theirs));
}
