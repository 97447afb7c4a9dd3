/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From a kernel's IR to code: LLVM's target machine, its optimisation pipeline, libraries of
 * bitcode, and other programs such as ld.lld. Their files are in a private folder.
 */
#include "target/build.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Back ends */

/* The target machine for an architecture. NULL if LLVM was built without the back end. */
static LLVMTargetMachineRef create_machine(tg_back_end *e, const char *arch, const char *features,
                                           LLVMCodeGenOptLevel level) {
    LLVMTargetRef target;
    char *message = NULL;
    pthread_once(&e->once, e->initialise);
    if (LLVMGetTargetFromTriple(e->triple, &target, &message)) {
        LLVMDisposeMessage(message);
        return NULL;
    }
    return LLVMCreateTargetMachine(target, e->triple, arch, features ? features : "", level,
                                   e->reloc, LLVMCodeModelDefault);
}

void tg_set_layout(tg_back_end *e, const char *arch, LLVMModuleRef m) {
    LLVMTargetMachineRef machine = create_machine(e, arch, NULL, LLVMCodeGenLevelDefault);
    if (!machine)
        return;
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetTarget(m, e->triple);
    LLVMSetModuleDataLayout(m, layout);
    LLVMDisposeTargetData(layout);
    LLVMDisposeTargetMachine(machine);
}

/* LLVM's errors */

/* Errors in one context. An error without a handler would end the compiler. The text of the last
 * error goes to `out`. */
typedef struct diagnostics {
    LLVMContextRef context;
    bool failed;
    char *out;
    size_t size;
} diagnostics;

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
    diagnostics *d = context;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    snprintf(d->out, d->size, "%s", text);
    LLVMDisposeMessage(text);
    d->failed = true;
}

static void collect(diagnostics *d, LLVMModuleRef m, char *out, size_t size) {
    *d = (diagnostics){LLVMGetModuleContext(m), false, out, size};
    LLVMContextSetDiagnosticHandler(d->context, on_diagnostic, d);
}

/* Stops the collection. True if there was no error. */
static bool end_collection(const diagnostics *d) {
    LLVMContextSetDiagnosticHandler(d->context, NULL, NULL);
    return !d->failed;
}

/* Libraries */

static void hide_functions(LLVMModuleRef m, unsigned kernels) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetFunctionCallConv(f) != kernels)
            LLVMSetLinkage(f, LLVMInternalLinkage);
}

static bool link_file(LLVMModuleRef m, const char *path, unsigned kernels, char *error,
                      size_t size) {
    char *message = NULL;
    LLVMMemoryBufferRef file;
    LLVMModuleRef library;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &file, &message)) {
        snprintf(error, size, "%s cannot be read: %s", path, message ? message : "");
        LLVMDisposeMessage(message);
        return false;
    }
    bool bad = LLVMParseBitcodeInContext2(LLVMGetModuleContext(m), file, &library);
    LLVMDisposeMemoryBuffer(file);
    if (bad) {
        snprintf(error, size, "%s is not LLVM bitcode", path);
        return false;
    }
    LLVMSetTarget(library, LLVMGetTarget(m));
    LLVMSetDataLayout(library, LLVMGetDataLayoutStr(m));
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
    if (LLVMLinkModules2(m, library)) {
        snprintf(error, size, "linking %s failed", path);
        return false;
    }
    hide_functions(m, kernels);
    return true;
}

bool tg_link(LLVMModuleRef m, const char *path, unsigned kernels, char *error, size_t size) {
    char ignored[256];
    diagnostics d;
    collect(&d, m, ignored, sizeof ignored);
    bool good = link_file(m, path, kernels, error, size);
    return end_collection(&d) && good;
}

/* Code */

static bool generate(LLVMModuleRef m, LLVMTargetMachineRef machine, const tg_generation *how,
                     LLVMMemoryBufferRef *out, char *error, size_t size) {
    diagnostics d;
    char *message = NULL;
    collect(&d, m, error, size);
    br_optimise(m, machine, how->wants);
    tg_keep_zeros(m);
    if (how->mend)
        how->mend(m);
    bool good = br_generate(m, machine, how->type, how->wants, &message, out);
    if (!good) {
        snprintf(error, size, "%s", message);
        LLVMDisposeMessage(message);
    }
    if (end_collection(&d))
        return good;
    if (good)
        LLVMDisposeMemoryBuffer(*out);
    return false;
}

bool tg_generate(tg_back_end *e, const char *arch, LLVMModuleRef m, const tg_generation *how,
                 LLVMMemoryBufferRef *out, char *error, size_t size) {
    LLVMTargetMachineRef machine = create_machine(e, arch, how->features, how->level);
    *out = NULL;
    if (!machine) {
        snprintf(error, size, "this LLVM was built without the %s back end", e->name);
        return false;
    }
    bool good = generate(m, machine, how, out, error, size);
    LLVMDisposeTargetMachine(machine);
    return good;
}

/* Files and programs */

bool tg_file_in(const char *folder, const char *name, char *out, size_t size) {
    return folder && *folder && snprintf(out, size, "%s/%s", folder, name) < (int)size &&
           access(out, R_OK) == 0;
}

bool tg_file_beside(char *path, const char *name, size_t size) {
    char *end = strrchr(path, '/') + 1;
    size_t left = size - (size_t)(end - path);
    return snprintf(end, left, "%s", name) < (int)left && access(path, R_OK) == 0;
}

bool tg_find_program(const char *name, char *out, size_t size) {
    const char *path = getenv("PATH");
    char *folders = strdup(path ? path : ""), *rest;
    bool found = false;
    for (char *f = strtok_r(folders, ":", &rest); f && !found; f = strtok_r(NULL, ":", &rest))
        found = tg_file_in(f, name, out, size) && access(out, X_OK) == 0;
    free(folders);
    return found;
}

static bool run(char *const words[]) {
    pid_t child;
    int status;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    int error = posix_spawn(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return !error && waitpid(child, &status, 0) == child && status == 0;
}

/* A folder that only this process's user can read and write. */
typedef struct private_folder {
    char path[TG_PATH], in[TG_PATH + 8], out[TG_PATH + 8];
} private_folder;

/* NULL if no folder could be made. */
static private_folder *open_folder(void) {
    private_folder *p = malloc(sizeof *p);
    const char *parent = getenv("TMPDIR");
    parent = parent && *parent ? parent : P_tmpdir;
    int length = snprintf(p->path, sizeof p->path, "%s/stencilopt-XXXXXX", parent);
    if (length >= (int)sizeof p->path || !mkdtemp(p->path)) {
        free(p);
        return NULL;
    }
    snprintf(p->in, sizeof p->in, "%s/in", p->path);
    snprintf(p->out, sizeof p->out, "%s/out", p->path);
    return p;
}

/* Removes the folder and its files. */
static void remove_folder(private_folder *p) {
    DIR *folder = opendir(p->path);
    for (struct dirent *e; folder && (e = readdir(folder));)
        unlinkat(dirfd(folder), e->d_name, 0);
    if (folder)
        closedir(folder);
    rmdir(p->path);
    free(p);
}

static bool write_file(const char *path, LLVMMemoryBufferRef from) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const char *bytes = LLVMGetBufferStart(from);
    size_t left = LLVMGetBufferSize(from);
    bool good = file >= 0;
    while (good && left > 0) {
        ssize_t written = write(file, bytes, left);
        good = written > 0 || (written < 0 && errno == EINTR);
        bytes += written > 0 ? written : 0;
        left -= written > 0 ? (size_t)written : 0;
    }
    if (file >= 0)
        good = close(file) == 0 && good;
    return good;
}

bool tg_convert(const char *const *words, LLVMMemoryBufferRef in, LLVMMemoryBufferRef *out) {
    enum { MOST_WORDS = 16 };
    char *message = NULL, *list[MOST_WORDS] = {NULL};
    private_folder *p = open_folder();
    if (!p)
        return false;
    for (int i = 0; words[i] && i < MOST_WORDS - 1; i++)
        list[i] = !strcmp(words[i], TG_IN)    ? p->in
                  : !strcmp(words[i], TG_OUT) ? p->out
                                              : (char *)words[i];
    bool good = write_file(p->in, in) && run(list) &&
                !LLVMCreateMemoryBufferWithContentsOfFile(p->out, out, &message);
    LLVMDisposeMessage(message);
    remove_folder(p);
    return good;
}
