/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * known-calls TRIPLE: reads names of functions, one a line, and writes each with what the target's
 * table says of it; --list writes the table's own names. For intrinsics.py.
 */
#include "target/target.h"

#include <stdio.h>
#include <string.h>

static const char *const kinds[] = {
    [TG_COMPUTES] = "computes", [TG_UNIFORM] = "uniform",     [TG_READS_LAUNCH] = "launch",
    [TG_HINT] = "hint",         [TG_EXCHANGES] = "exchanges", [TG_WAITS] = "waits",
    [TG_LOCATES] = "locates",   [TG_UPDATES] = "updates",     [TG_SAMPLES] = "samples"};

int main(int argc, char **argv) {
    char name[1024];
    LLVMContextRef c = LLVMContextCreate();
    LLVMModuleRef m = LLVMModuleCreateWithNameInContext("empty", c);
    LLVMSetTarget(m, argc > 1 ? argv[1] : "");
    const tg_target *t = tg_of_module(m);
    if (!t)
        return 2;
    for (size_t i = 0; argc > 2 && i < t->ncalls; i++)
        printf("%s %s\n", t->calls[i].name, kinds[t->calls[i].kind]);
    while (argc <= 2 && fgets(name, sizeof name, stdin)) {
        name[strcspn(name, "\n")] = 0;
        const tg_known_call *known = tg_known(t, name);
        printf("%s %s\n", name, known ? kinds[known->kind] : "unknown");
    }
    LLVMDisposeModule(m);
    LLVMContextDispose(c);
    return 0;
}
