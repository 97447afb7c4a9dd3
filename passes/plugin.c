/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The plugin's entry and its list of passes.
 */
#include "passes.h"

#include "bridge.h"
#include "options.h"

#include "stencilopt/version.h"

static const br_pass passes[] = {
    {"stencil-offload", pass_offload_check, pass_offload_run, true, true},
    {"stencil-remap", pass_remap_check, pass_remap_run, true, false},
    {"stencil-block", pass_block_check, pass_block_run, true, false},
    {"print<stencil>", pass_print_check, pass_print_run, false, false},
    {"print<plan>", pass_print_plan_check, pass_print_plan_run, false, false},
};

static void register_passes(void *builder) {
    br_register_passes(builder, passes, sizeof passes / sizeof *passes, pass_whole_loops);
}

__attribute__((visibility("default"))) br_plugin_info llvmGetPassPluginInfo(void);

br_plugin_info llvmGetPassPluginInfo(void) {
    opt_register();
    return (br_plugin_info){br_plugin_api_version(), "StencilOpt", STENCILOPT_VERSION,
                            register_passes, NULL};
}
