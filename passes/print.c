/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * print<stencil> prints the stencil, or the reason why there is none. It does so for each loop nest
 * of a host module that writes an array, and for each kernel of a GPU's module. print<plan> prints
 * for each stencil the kernels that stencil-offload would make with the same options. It does not
 * generate them, so it takes a millisecond.
 */
#include "passes.h"

#include "detect/host/host.h"
#include "detect/host/steps/whole.h"
#include "detect/threads/product.h"
#include "kernels.h"
#include "model/step_print.h"

#include <stdlib.h>

/* Prints one nest. */
typedef void print_function(br_loop l, LLVMValueRef function, host_region *r,
                            const char *parameters);

/* Prints a time loop of several sweeps. */
typedef void print_steps_function(const host_steps *s, const char *parameters);

/* A time loop that was printed. Each of its nests leads to it, but it is printed once. */
typedef struct printed {
    LLVMBasicBlockRef header[256];
    size_t count;
} printed;

static bool was_printed(const printed *p, LLVMBasicBlockRef header) {
    for (size_t i = 0; i < p->count; i++)
        if (p->header[i] == header)
            return true;
    return false;
}

static void remember(printed *p, LLVMBasicBlockRef header) {
    if (p->count < sizeof p->header / sizeof *p->header)
        p->header[p->count++] = header;
}

/* If the nest is part of a time loop of several sweeps, prints that loop. */
static bool print_as_steps(br_function *f, LLVMValueRef function, br_loop l,
                           print_steps_function *print, printed *p, const char *parameters) {
    br_loop time = host_time_loop(f, l);
    if (!time || was_printed(p, br_loop_header(time)))
        return time != NULL;
    host_steps *s = host_detect_step(f, function, time, false, 0);
    bool good = s && s->reason == ST_OK;
    if (good) {
        remember(p, br_loop_header(time));
        print(s, parameters);
    }
    host_steps_destroy(s);
    return good;
}

/* Is the module changed? Blocks that are not reached are removed. */
static bool print_all(LLVMModuleRef m, void *analyses, print_function *print,
                      print_steps_function *print_steps, const char *parameters) {
    printed p = {.count = 0};
    bool changed = false;
    for (LLVMValueRef v = LLVMGetFirstFunction(m); v; v = LLVMGetNextFunction(v)) {
        if (LLVMIsDeclaration(v))
            continue;
        br_function *f = br_function_open(v, analyses);
        changed |= br_function_clean(f);
        size_t count = br_loops(f, NULL, 0);
        br_loop *loops = malloc((count + 1) * sizeof *loops);
        count = host_candidates(f, loops, count);
        for (size_t i = 0; i < count; i++) {
            host_region *r = host_detect(f, v, loops[i], false);
            bool whole = r->stencil && r->stencil->timed;
            if (!whole && print_as_steps(f, v, loops[i], print_steps, &p, parameters)) {
                host_region_destroy(r);
                continue;
            }
            /* The second of two sweeps is printed with the first. */
            if (!r->stencil || r->loops[0] == loops[i])
                print(loops[i], v, r, parameters);
            host_region_destroy(r);
        }
        free(loops);
        br_function_close(f);
    }
    fflush(stderr);
    return changed;
}

const char *pass_print_check(const char *parameters) {
    return *parameters ? "it takes no parameters" : NULL;
}

static void print_refusal(const st_refusal *why, const char *where) {
    char text[512];
    st_reason_text(why->reason, why->detail, text, sizeof text);
    fprintf(stderr, "no stencil in %s: %s: %s\n", where, st_reason_name(why->reason), text);
}

static void print_stencil(br_loop l, LLVMValueRef function, host_region *r,
                          const char *parameters) {
    char where[160];
    (void)parameters;
    br_location(l, function, where, sizeof where);
    if (r->stencil)
        st_print(r->stencil, stderr);
    else
        print_refusal(&r->why, where);
}

static void print_steps(const host_steps *s, const char *parameters) {
    (void)parameters;
    st_step *step = host_step_of_sweeps(s);
    st_step_print_all(step, stderr);
    st_step_destroy(step);
}

static bool print_product(br_function *f, LLVMValueRef function, const char *where) {
    st_threads form;
    threads_product product;
    bool found = kernels_find_product(f, function, &form, &product);
    if (found)
        threads_print_product(&product, &form, where, stderr);
    return found;
}

static void print_known(const kernel_region *k) {
    kernel_print(k, stderr);
    st_print(k->stencil, stderr);
}

/* Would the kernel be refused for that reason whatever its width is? */
static bool lasts(st_reason reason) {
    return reason == ST_NO_KERNEL_RANK || reason == ST_NO_KERNEL_STEP;
}

/* Prints the first version of the kernel, by its width, that is a stencil. If none is, *why says
 * what else than the width prevents that. */
static bool print_version(br_function *f, LLVMValueRef function, st_refusal *why) {
    prep_width w;
    bool found = false;
    bool has_width = prep_find_width(&w, f, function);
    for (int i = 0; has_width && i < w.nvalues && !found; i++) {
        prep_shadow shadow;
        kernel_region *k = kernels_detect_version(f, &w, w.values[i], &shadow);
        found = k && k->stencil;
        if (found) {
            fprintf(stderr, "where argument %u is %d:\n", w.arguments[0] + 1, w.values[i]);
            print_known(k);
        } else if (k && lasts(k->why.reason)) {
            *why = k->why;
        }
        if (k)
            kernels_forget(k, &shadow);
    }
    return found;
}

static void print_kernel(br_function *f, LLVMValueRef function) {
    char where[160];
    br_function_location(function, where, sizeof where);
    prep_shadow shadow;
    kernel_region *k = kernels_detect(f, function, &shadow);
    st_refusal why = k->why;
    bool by_width = why.reason == ST_NO_KERNEL_COUNT;
    if (k->stencil)
        print_known(k);
    else if (!print_product(f, function, where) && !(by_width && print_version(f, function, &why)))
        print_refusal(&why, where);
    kernels_forget(k, &shadow);
}

static bool print_kernels(LLVMModuleRef m, void *analyses) {
    bool changed = false;
    for (LLVMValueRef v = LLVMGetFirstFunction(m); v; v = LLVMGetNextFunction(v)) {
        if (!tg_is_kernel(v))
            continue;
        br_function *f = br_function_open(v, analyses);
        changed |= br_function_clean(f);
        print_kernel(f, v);
        br_function_close(f);
    }
    fflush(stderr);
    return changed;
}

bool pass_print_run(LLVMModuleRef m, void *analyses, const char *parameters) {
    if (tg_of_module(m))
        return print_kernels(m, analyses);
    return print_all(m, analyses, print_stencil, print_steps, parameters);
}

const char *pass_print_plan_check(const char *parameters) {
    return pass_offload_check(parameters);
}

/* Reads the options. NULL if the text is not one of options. */
static opt_values *read_options(const char *parameters) {
    char ignored[1024];
    opt_values *options = malloc(sizeof *options);
    if (opt_read(parameters, options, ignored, sizeof ignored))
        return options;
    free(options);
    return NULL;
}

static void print_step_plan(host_region *r, const char *where, const char *parameters) {
    opt_values *options = read_options(parameters);
    if (!options)
        return;
    fprintf(stderr, "plan of %s%s%s\n", where, *parameters ? ", " : "", parameters);
    st_step *step = host_step_of(r);
    plan_of_step plan = pass_plan(step, options, true, 1);
    plan_step_print(&plan, stderr);
    plan_step_free(&plan);
    st_step_destroy(step);
    free(options);
}

static void print_plan(br_loop l, LLVMValueRef function, host_region *r, const char *parameters) {
    char where[160];
    br_location(l, function, where, sizeof where);
    if (r->stencil)
        print_step_plan(r, where, parameters);
}

static void print_plans(const host_steps *s, const char *parameters) {
    print_step_plan(s->sweeps[0], s->where, parameters);
}

bool pass_print_plan_run(LLVMModuleRef m, void *analyses, const char *parameters) {
    return print_all(m, analyses, print_plan, print_plans, parameters);
}
