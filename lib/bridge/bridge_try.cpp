// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs LLVM so that a lack of memory in LLVM does not end the process.
#include "bridge/bridge_try.h"

#include "llvm/Support/ErrorHandling.h"
#include <mutex>
#include <new>

static thread_local bool Tries;

// In other threads, does what LLVM does without a handler.
static void outOfMemory(void *, const char *Reason, bool) {
    if (Tries)
        throw std::bad_alloc();
    llvm::report_fatal_error(Reason, false);
}

bool br_has_memory(void (*Work)(void *), void *Context) {
    static std::once_flag Once;
    std::call_once(Once, [] { llvm::install_bad_alloc_error_handler(outOfMemory); });
    bool Good = true;
    Tries = true;
    try {
        Work(Context);
    } catch (const std::bad_alloc &) {
        Good = false;
    }
    Tries = false;
    return Good;
}
