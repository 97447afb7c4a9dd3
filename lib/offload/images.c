/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes the code of a region's kernels: for each GPU that the options name, and bitcode for the
 * simulator. Code is kept, so that a later region with equal kernels can use it again.
 */
#include "offload/images.h"

#include <llvm-c/BitWriter.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *offload_first_arch(const opt_values *options, char *arch, size_t size) {
    const char *next = options->value[OPT_ARCH];
    return opt_part(&next, arch, size);
}

bool offload_is_named(const opt_values *options) {
    return strcmp(options->value[OPT_ARCH], opt_fallback(OPT_ARCH)) != 0;
}

static const tg_target *first_target(const offload_kernels *k) {
    char arch[64];
    return tg_find(offload_first_arch(k->options, arch, sizeof arch));
}

static LLVMModuleRef module_for(const offload_kernels *k, LLVMContextRef context, const char *arch,
                                bool math) {
    return gen_module(context, k->step, k->plan, tg_find(arch), arch, math);
}

LLVMModuleRef offload_bare_module(const offload_kernels *k, LLVMContextRef context,
                                  const char *arch) {
    return module_for(k, context, arch, false);
}

/* The name of a mathematical function that one of the sweeps calls; NULL if there is none. */
static const char *math_function(const offload_kernels *k) {
    for (size_t i = 0; i < k->step->nnests; i++) {
        const char *math = st_math_function(k->step->nests[i]);
        if (math)
            return math;
    }
    return NULL;
}

/* Adds bitcode for the first architecture. It has the architecture's name if the name tells the
 * number of lanes. Returns the module, whose context the caller destroys with it. */
static LLVMModuleRef add_bitcode(const offload_kernels *k, offload_images *out) {
    char arch[64];
    offload_first_arch(k->options, arch, sizeof arch);
    LLVMModuleRef m = offload_bare_module(k, LLVMContextCreate(), arch);
    tg_image *image = &out->image[out->count++];
    image->kind = TG_BITCODE;
    image->arch[0] = 0;
    if (first_target(k)->lanes_by_arch)
        offload_first_arch(k->options, image->arch, sizeof image->arch);
    image->bytes = LLVMWriteBitcodeToMemoryBuffer(m);
    return m;
}

static void destroy_module(LLVMModuleRef m) {
    LLVMContextRef context = LLVMGetModuleContext(m);
    LLVMDisposeModule(m);
    LLVMContextDispose(context);
}

/* Code that was made before */

enum { MAX_MADE = 32 };
typedef struct made {
    LLVMMemoryBufferRef kernels; /* the kernels' bitcode, from which the code was made */
    char arch[64];
    tg_image images[2];
    int count;
} made;

struct offload_code {
    made *made;   /* the last MAX_MADE; NULL: none yet */
    size_t count; /* the number of all that were made */
};

offload_code *offload_code_create(void) {
    return calloc(1, sizeof(offload_code));
}

static void release_made(made *made) {
    LLVMDisposeMemoryBuffer(made->kernels);
    for (int i = 0; i < made->count; i++)
        LLVMDisposeMemoryBuffer(made->images[i].bytes);
}

void offload_code_destroy(offload_code *c) {
    for (size_t i = 0; i < c->count && i < MAX_MADE; i++)
        release_made(&c->made[i]);
    free(c->made);
    free(c);
}

/* Was this code made of these kernels for this architecture? The module's options are the same for
 * all. */
static bool is_made_of(const made *made, LLVMMemoryBufferRef kernels, const char *arch) {
    size_t size = LLVMGetBufferSize(kernels);
    return !strcmp(made->arch, arch) && LLVMGetBufferSize(made->kernels) == size &&
           !memcmp(LLVMGetBufferStart(made->kernels), LLVMGetBufferStart(kernels), size);
}

static const made *find_made(const offload_code *c, LLVMMemoryBufferRef kernels, const char *arch) {
    for (size_t i = 0; i < c->count && i < MAX_MADE; i++)
        if (is_made_of(&c->made[i], kernels, arch))
            return &c->made[i];
    return NULL;
}

static const made *keep(offload_code *c, const made *new) {
    if (!c->made)
        c->made = calloc(MAX_MADE, sizeof *c->made);
    made *place = &c->made[c->count % MAX_MADE];
    if (c->count++ >= MAX_MADE)
        release_made(place);
    *place = *new;
    return place;
}

/* The place for an error message. */
typedef struct message {
    char *text;
    size_t size;
} message;

/* Makes the code. NULL on failure. */
static const made *make(const offload_kernels *k, offload_code *c, LLVMModuleRef m,
                        LLVMMemoryBufferRef kernels, const char *arch, message *error) {
    made new = {.kernels = kernels};
    const tg_target *t = tg_find(arch);
    snprintf(new.arch, sizeof new.arch, "%s", arch);
    if (!math_function(k) || t->link_math(m, arch, error->text, error->size))
        new.count =
            t->emit(m, arch, offload_is_named(k->options), new.images, error->text, error->size);
    return new.count == 0 ? NULL : keep(c, &new);
}

static LLVMMemoryBufferRef copy_of(LLVMMemoryBufferRef bytes, const char *name) {
    return LLVMCreateMemoryBufferWithMemoryRangeCopy(LLVMGetBufferStart(bytes),
                                                     LLVMGetBufferSize(bytes), name);
}

/* Adds code for an architecture, made of the module, whose bitcode is `kernels`. */
static bool add_code(const offload_kernels *k, offload_code *c, LLVMModuleRef m,
                     LLVMMemoryBufferRef kernels, const char *arch, offload_images *out,
                     message *error) {
    const made *found = find_made(c, kernels, arch);
    const made *code = found ? found : make(k, c, m, kernels, arch, error);
    if (!code || found)
        LLVMDisposeMemoryBuffer(kernels);
    for (int i = 0; code && i < code->count; i++) {
        tg_image *image = &out->image[out->count++];
        *image = code->images[i];
        image->bytes = copy_of(image->bytes, arch);
    }
    return code != NULL;
}

/* As add_code. The first architecture's code is made of the module that add_bitcode wrote, unless a
 * library function is called. */
static bool add_code_for(const offload_kernels *k, offload_code *c, LLVMModuleRef *first,
                         const char *arch, offload_images *out, message *error) {
    bool math = math_function(k) != NULL;
    LLVMModuleRef m = math ? NULL : *first;
    *first = m ? NULL : *first;
    LLVMMemoryBufferRef kernels = m ? copy_of(out->image[0].bytes, arch) : NULL;
    if (!m) {
        m = module_for(k, LLVMContextCreate(), arch, math);
        kernels = LLVMWriteBitcodeToMemoryBuffer(m);
    }
    bool good = add_code(k, c, m, kernels, arch, out, error);
    destroy_module(m);
    return good;
}

bool offload_make_images(const offload_kernels *k, offload_code *made, offload_images *out,
                         char *error, size_t size) {
    const char *next = k->options->value[OPT_ARCH];
    char arch[64];
    message text = {error, size};
    bool good = true;
    out->count = 0;
    LLVMModuleRef first = add_bitcode(k, out);
    while (good && *k->options->value[OPT_CODE] == '1' && opt_part(&next, arch, sizeof arch))
        good =
            out->count + 2 <= OFFLOAD_MAX_IMAGES && add_code_for(k, made, &first, arch, out, &text);
    if (first)
        destroy_module(first);
    return good;
}

void offload_release_images(offload_images *images) {
    for (size_t i = 0; i < images->count; i++)
        LLVMDisposeMemoryBuffer(images->image[i].bytes);
    images->count = 0;
}
