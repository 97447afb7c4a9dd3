/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The plugin's entry and its list of passes.
 */
#include "passes.h"
#include "prepare/own.h"
#include "prepare/whole.h"
#include "target/host.h"

#include "bridge/bridge.h"
#include "options/options.h"

#include "stencilopt/version.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *pass_own_check(const char *parameters) {
    return *parameters ? "it has no parameters" : NULL;
}

static bool pass_own_run(LLVMModuleRef m, void *analyses, const char *parameters) {
    (void)analyses, (void)parameters;
    return tg_has_runtime(m) && prep_own_variables(m);
}

static const br_pass passes[] = {
    {.name = "stencil-own-variables",
     .check = pass_own_check,
     .run = pass_own_run,
     .first = true,
     .optional = true},
    {"stencil-offload", pass_offload_check, pass_offload_run, true, false, true, true},
    {"stencil-remap", pass_remap_check, pass_remap_run, true, false, false, true},
    {"stencil-block", pass_block_check, pass_block_run, true, false, false, true},
    {"print<stencil>", pass_print_check, pass_print_run, false, false, false, false},
    {"print<plan>", pass_print_plan_check, pass_print_plan_run, false, false, false, false},
};

void pass_register(void *builder) {
    br_register_passes(builder, passes, sizeof passes / sizeof *passes, prep_keep_whole);
}

__attribute__((visibility("default"))) br_plugin_info llvmGetPassPluginInfo(void);

static void refuse_second_copy(void) {
    Dl_info info;
    char text[1200];
    bool found = dladdr((void *)refuse_second_copy, &info) != 0;
    snprintf(text, sizeof text,
             "stencilopt: two copies of the plugin are loaded; the second is %s. Load one of them",
             found ? info.dli_fname : "unknown");
    br_fatal(text);
}

/* Whether LLVM asked the library for its passes. clang's -fplugin= and -Xclang -load do not ask.
 * The message about that comes when the compiler ends. */
static bool is_asked;

static bool is_compiler(void) {
    char path[1024]; /* a longer one is no name of a compiler */
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    const char *name = strrchr(path, '/');
    return name && (!strncmp(name, "/clang", 6) || !strncmp(name, "/flang", 6));
}

__attribute__((destructor)) static void tell_if_unasked(void) {
    if (!is_asked && is_compiler())
        fputs("stencilopt: the plugin was opened, but none of its passes runs: load it with "
              "-fpass-plugin=\n",
              stderr);
}

br_plugin_info llvmGetPassPluginInfo(void) {
    is_asked = true;
    pass_refuse_other_llvm(__builtin_return_address(0));
    if (!opt_register())
        refuse_second_copy();
    return (br_plugin_info){.api_version = br_plugin_api_version(),
                            .name = "StencilOpt",
                            .version = STENCILOPT_VERSION,
                            .register_passes = pass_register};
}
