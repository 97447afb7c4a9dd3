/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * other_llvm PLUGIN: loads it as a compiler with an LLVM 99 of its own would. As a library, that LLVM.
 */
#include <dlfcn.h>
#include <stdio.h>

#ifdef LIBRARY
typedef struct info {
    void *words[5];
} info;

void LLVMGetVersion(unsigned *major, unsigned *minor, unsigned *patch) {
    *major = 99;
    *minor = *patch = 0;
}

int load(const char *plugin) {
    void *library = dlopen(plugin, RTLD_LAZY);
    info (*entry)(void) = library ? (info(*)(void))dlsym(library, "llvmGetPassPluginInfo") : NULL;
    if (!entry)
        return puts(dlerror());
    volatile info got = entry();
    return got.words[0] ? puts("loaded") : 0;
}
#else
int main(int argc, char **argv) {
    void *llvm = argc > 2 ? dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL) : NULL;
    int (*load)(const char *) = llvm ? (int (*)(const char *))dlsym(llvm, "load") : NULL;
    return load ? load(argv[2]) : puts(dlerror());
}
#endif
