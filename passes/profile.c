/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Option profile: the plan of a region that stencil-tune measured. A region is known by where it is
 * in the source, and its model by a fingerprint, because after a change of the source another
 * loop may be there.
 */
#include "offloading.h"

#include "model/step_print.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool profile_open(offload *o, char *error, size_t size) {
    static const char start[] = "option 'profile': ";
    const char *path = o->options.value[OPT_PROFILE];
    size_t used = (size_t)snprintf(error, size, "%s", start);
    return !*path || profile_read(&o->tuned, path, error + used, size - used);
}

/* FNV-1a of the text, without the region's place in the source. */
static uint64_t fingerprint_of(const char *text, const char *where) {
    uint64_t hash = 0xcbf29ce484222325u;
    size_t skipped = strlen(where);
    while (*text) {
        if (skipped && !strncmp(text, where, skipped)) {
            text += skipped;
            continue;
        }
        hash = (hash ^ (unsigned char)*text++) * 0x100000001b3u;
    }
    return hash ? hash : 1;
}

static uint64_t fingerprint(const st_step *step, const char *where) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    st_step_print_all(step, out);
    fclose(out);
    uint64_t hash = fingerprint_of(text, where);
    free(text);
    return hash;
}

void profile_apply(offload *o) {
    const char *where = o->region.sweeps[0]->stencil->where;
    const profile_region *found = profile_find(&o->tuned, where);
    char error[1024];
    o->wanted = o->options;
    o->advice = "";
    o->region.model = fingerprint(o->region.step, where);
    if (!found || !*found->compile)
        return;
    bool same = !found->model || found->model == o->region.model;
    o->advice = same ? "; by the profile"
                     : "; the profile has a plan for what was here before, which is not taken: run "
                       "stencil-tune again";
    if (same && !opt_fill(&o->wanted, found->compile, error, sizeof error))
        br_error(LLVMGetModuleContext(o->m), error);
}
