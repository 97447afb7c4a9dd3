/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tells by a module's triple whether the runtime exists for its system, and whether it is for a
 * GPU.
 */
#include "target/host.h"

#include "target/target.h"

#include <llvm-c/Target.h>

#include <string.h>

static bool starts_with_one(const char *text, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!strncmp(text, list[i], strlen(list[i])))
            return true;
    return false;
}

/* False for x32 and aarch64_be, whose triples do not always tell. */
static bool is_processor(LLVMModuleRef m) {
    static const char *const names[] = {"x86_64", "aarch64"};
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(m);
    return starts_with_one(LLVMGetTarget(m), names, sizeof names / sizeof *names) &&
           LLVMPointerSize(layout) == 8 && LLVMByteOrder(layout) == LLVMLittleEndian;
}

/* A triple is processor-vendor-system-environment; the vendor may be left out, a version may
 * follow a name, and the environment may end with the object format. */
static bool is_linux(const char *triple) {
    static const char *const others[] = {"macho", "coff", "wasm"};
    size_t length = strlen(triple);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        size_t end = strlen(others[i]);
        if (length >= end && !strcmp(triple + length - end, others[i]))
            return false;
    }
    const char *system = strchr(triple, '-');
    while (system && strncmp(system, "-linux", 6) != 0)
        system = strchr(system + 1, '-');
    return system != NULL;
}

bool tg_has_runtime(LLVMModuleRef m) {
    return is_processor(m) && is_linux(LLVMGetTarget(m));
}

bool tg_is_device(LLVMModuleRef m) {
    static const char *const others[] = {"spir", "r600", "dxil"};
    return tg_of_module(m) ||
           starts_with_one(LLVMGetTarget(m), others, sizeof others / sizeof *others);
}
