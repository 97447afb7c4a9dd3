/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * stencil-offload. What: a nest of loops that updates each cell of a grid from its neighbours, and
 * the time loop around it, runs on a GPU when the program runs where there is one. When legal:
 * lib/detect says so, or gives the reason. When profitable: the runtime decides with the sizes
 * at hand; the loops stay in the program and run whenever it declines.
 */
#include "passes.h"

#include "host.h"
#include "kernel.h"
#include "offload.h"
#include "options.h"
#include "plan.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Target.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char remarks[] = "stencil";

enum { MAX_IMAGES = 33 };

/* Everything on the way from a region to its images. */
typedef struct offload {
    LLVMModuleRef m;
    opt_values options;
    host_region *r;
    st_plan plan;
    tg_image images[MAX_IMAGES];
    size_t nimages;
    int number;   /* of the region, in its module */
    bool touched; /* the module, if only by giving a loop its canonical form */
    /* The last time loop whose sweep is offloaded without it, and why. */
    LLVMBasicBlockRef time;
    st_reason time_reason;
    char time_detail[160];
    char error[1024];
} offload;

const char *pass_offload_check(const char *parameters) {
    static _Thread_local char error[1024];
    opt_values ignored;
    return opt_read(parameters, &ignored, error, sizeof error) ? NULL : error;
}

/* Generate */

static const char *first_arch(const offload *o, char *arch, size_t size) {
    const char *next = o->options.value[OPT_ARCH];
    return opt_part(&next, arch, size);
}

static const tg_target *target_of(const offload *o) {
    char arch[64];
    return tg_find(first_arch(o, arch, sizeof arch));
}

/* Did the user name architectures, or is it the default, PTX for all? */
static bool is_named(const opt_values *options) {
    return strcmp(options->value[OPT_ARCH], "sm_80") != 0;
}

/* As for the first architecture, before its device library. */
static LLVMModuleRef first_module(const offload *o, LLVMContextRef context) {
    char arch[64];
    return gen_module(context, o->r->stencil, &o->plan, target_of(o),
                      first_arch(o, arch, sizeof arch), false);
}

/* Which names an architecture where that says how many lanes a wave has. */
static void add_bitcode(offload *o) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef m = first_module(o, context);
    tg_image *image = &o->images[o->nimages++];
    image->kind = TG_BITCODE;
    image->arch[0] = 0;
    if (target_of(o) == &tg_amdgcn)
        first_arch(o, image->arch, sizeof image->arch);
    image->bytes = LLVMWriteBitcodeToMemoryBuffer(m);
    LLVMDisposeModule(m);
    LLVMContextDispose(context);
}

static bool add_code(offload *o, const char *arch) {
    const tg_target *t = tg_find(arch);
    bool math = st_math_node(o->r->stencil) >= 0;
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef m = gen_module(context, o->r->stencil, &o->plan, t, arch, math);
    int made = 0;
    if (!math || t->link_math(m, arch, o->error, sizeof o->error))
        made = t->emit(m, arch, is_named(&o->options), &o->images[o->nimages], o->error,
                       sizeof o->error);
    o->nimages += (size_t)made;
    LLVMDisposeModule(m);
    LLVMContextDispose(context);
    return made > 0;
}

static int option_number(const opt_values *options, opt_id id) {
    return atoi(options->value[id]);
}

st_plan pass_plan(st_stencil *s, const opt_values *options) {
    const char *named = options->value[OPT_ARCH];
    char arch[64];
    plan_wish wish = {option_number(options, OPT_BT),    option_number(options, OPT_CELLS),
                      option_number(options, OPT_ROWS),  option_number(options, OPT_PREFETCH),
                      option_number(options, OPT_WARPS), option_number(options, OPT_REGISTERS),
                      option_number(options, OPT_UNROLL)};
    opt_part(&named, arch, sizeof arch);
    st_divide(s);
    st_contract(s);
    return plan_choose(s, &wish, is_named(options) ? arch : NULL, "stencil");
}

static bool generate(offload *o) {
    const char *next = o->options.value[OPT_ARCH];
    char arch[64];
    o->plan = pass_plan(o->r->stencil, &o->options);
    o->nimages = 0;
    add_bitcode(o);
    while (opt_part(&next, arch, sizeof arch))
        if (o->nimages + 2 > MAX_IMAGES || !add_code(o, arch))
            return false;
    return true;
}

static void release_images(offload *o) {
    for (size_t i = 0; i < o->nimages; i++)
        LLVMDisposeMemoryBuffer(o->images[i].bytes);
    o->nimages = 0;
}

/* Save what was generated */

static FILE *open_temporary(const offload *o, const char *ending) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.%d.%s", o->options.value[OPT_SAVE_TEMPS],
             o->r->stencil->function, o->number, ending);
    FILE *file = fopen(path, "wb");
    if (!file) {
        char message[1200];
        snprintf(message, sizeof message, "option 'save-temps': cannot write %s", path);
        br_error(LLVMGetModuleContext(o->m), message);
    }
    return file;
}

static void save_bytes(const offload *o, const char *ending, const char *bytes, size_t size) {
    FILE *file = open_temporary(o, ending);
    if (!file)
        return;
    fwrite(bytes, 1, size, file);
    fclose(file);
}

static void save_model(const offload *o) {
    FILE *file = open_temporary(o, "stencil");
    if (file) {
        st_print(o->r->stencil, file);
        fclose(file);
    }
    file = file ? open_temporary(o, "plan") : NULL;
    if (file) {
        plan_print(&o->plan, file);
        fclose(file);
    }
}

static void save_kernel(const offload *o) {
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef m = first_module(o, context);
    char *text = LLVMPrintModuleToString(m);
    save_bytes(o, "ll", text, strlen(text));
    LLVMDisposeMessage(text);
    LLVMDisposeModule(m);
    LLVMContextDispose(context);
}

/* One file an architecture; the first has no architecture in its name. */
static void save_images(const offload *o) {
    static const char *const endings[] = {[TG_PTX] = "ptx", [TG_CUBIN] = "o", [TG_HSACO] = "hsaco"};
    char first[16] = "";
    for (size_t i = 0; i < o->nimages; i++) {
        const tg_image *image = &o->images[i];
        char ending[32];
        if (image->kind == TG_BITCODE)
            continue;
        if (!*first)
            snprintf(first, sizeof first, "%s", image->arch);
        bool other = strcmp(first, image->arch) != 0;
        snprintf(ending, sizeof ending, "%s%s%s", other ? image->arch : "", other ? "." : "",
                 endings[image->kind]);
        save_bytes(o, ending, LLVMGetBufferStart(image->bytes), LLVMGetBufferSize(image->bytes));
    }
}

static void save_temporaries(const offload *o) {
    if (!*o->options.value[OPT_SAVE_TEMPS])
        return;
    mkdir(o->options.value[OPT_SAVE_TEMPS], 0777);
    save_model(o);
    save_kernel(o);
    save_images(o);
}

/* Remark */

static void remark_missed(const offload *o) {
    const host_region *r = o->r;
    char sentence[512], text[600];
    st_reason_text(r->reason, r->detail, sentence, sizeof sentence);
    snprintf(text, sizeof text, "loop nest not offloaded: %s", sentence);
    br_remark(r->f, r->loops[0], BR_MISSED, remarks, st_reason_name(r->reason), text);
}

/* Once its first sweep is rewritten, the second of a time loop would see that and not the reason.
 */
static void recall_time_loop(offload *o) {
    const host_region *r = o->r;
    LLVMBasicBlockRef time = br_loop_header(br_loop_parent(r->outer));
    if (o->time == time)
        return;
    o->time = time;
    o->time_reason = r->time_reason;
    memcpy(o->time_detail, r->time_detail, sizeof r->time_detail);
}

static void remark_time_loop(offload *o) {
    const host_region *r = o->r;
    char sentence[512], text[700];
    recall_time_loop(o);
    st_reason_text(o->time_reason, o->time_detail, sentence, sizeof sentence);
    snprintf(text, sizeof text,
             "the sweep is offloaded without the loop around it, so arrays are copied in every "
             "iteration of that: %s",
             sentence);
    br_remark(r->f, r->loops[0], BR_MISSED, remarks, "TimeLoop", text);
}

static void remark_done(const offload *o) {
    const host_region *r = o->r;
    const st_stencil *s = r->stencil;
    char text[400];
    int32_t low[ST_MAX_RANK], high[ST_MAX_RANK], radius = 0;
    for (size_t g = 0; g < s->ngrids; g++) {
        st_halo(s, (int32_t)g, low, high);
        for (int d = 0; d < s->rank && !(s->grids[g].broadcast & 1); d++) {
            radius = -low[d] > radius ? -low[d] : radius;
            radius = high[d] > radius ? high[d] : radius;
        }
    }
    snprintf(text, sizeof text,
             "%d-D stencil of radius %d, %zu cells read, %s, runs on a GPU where there is one: %s",
             s->rank, radius, s->naccesses, st_type_name(s->grids[s->store_grid].type),
             !s->timed        ? "one sweep a call"
             : r->copies      ? "the whole time loop, the copy after each sweep included"
             : r->sweeps == 1 ? "the whole time loop"
                              : "the whole time loop, its two sweeps being two time steps");
    br_remark(r->f, r->loops[0], BR_PASSED, remarks, "Offloaded", text);
    const char *why = plan_why_not_blocked(s);
    const st_kernel *k = &o->plan.kernels[o->plan.count > 1];
    if (o->plan.count == 1)
        snprintf(text, sizeof text, "plan: one kernel a time step, block %dx%dx%d%s%s", k->block[0],
                 k->block[1], k->block[2], why ? "; time steps are not blocked: " : "",
                 why ? why : "");
    else if (k->kind == ST_STRIP)
        snprintf(text, sizeof text,
                 "plan: bT %d, tile %d, %d warps, %d cells a lane; predicted %.0f GCells/s, bound "
                 "by %s",
                 k->bt, k->tile[0], k->warps, k->cells, 1e-9 * k->rate, k->bound);
    else
        snprintf(text, sizeof text,
                 "plan: bT %d, tile %dx%d, %d warps, %d cells of %d rows a lane; predicted %.0f "
                 "GCells/s, "
                 "bound by %s",
                 k->bt, k->tile[0], k->tile[1], k->warps, k->cells, k->rows, 1e-9 * k->rate,
                 k->bound);
    br_remark(r->f, r->loops[0], BR_ANALYSIS, remarks, "Plan", text);
}

/* One nest: detect, check, plan, generate, replace, remark. */

static bool refuse(offload *o, st_reason reason, const char *detail) {
    host_refuse(o->r, reason, detail);
    return false;
}

/* Have all GPUs the function that a node is? */
static bool check_math(offload *o, const char *function) {
    const char *next = o->options.value[OPT_ARCH];
    char arch[64];
    while (opt_part(&next, arch, sizeof arch)) {
        const tg_target *t = tg_find(arch);
        if (!t->has_math())
            return refuse(o, t == &tg_amdgcn ? ST_NO_OCML : ST_NO_LIBDEVICE, function);
    }
    return true;
}

static bool check_target(offload *o) {
    const st_stencil *s = o->r->stencil;
    st_port ports[ST_MAX_PORTS];
    int32_t math = st_math_node(s);
    if (math >= 0 && !check_math(o, st_ops[s->nodes[math].op].text))
        return false;
    if (st_ports(s, ports) > ST_MAX_PORTS)
        return refuse(o, ST_NO_TOO_BIG, "128 arrays");
    return true;
}

static bool offload_nest(offload *o) {
    host_region *r = o->r;
    if (!r->stencil || !check_target(o))
        return false;
    o->touched = true;
    if (!offload_prepare(r))
        return false;
    if (!generate(o))
        return refuse(o, ST_NO_CODE_GENERATION, o->error);
    save_temporaries(o);
    LLVMValueRef region = offload_describe(o->m, r, &o->plan, o->images, o->nimages);
    if (!offload_rewrite(r, region)) {
        LLVMDeleteGlobal(region);
        return refuse(o, ST_NO_CODE_GENERATION, "the functions that find the runtime do not link");
    }
    return true;
}

/* The first nest from number `*next` on that changes the function. False when there is none. */
static bool offload_next(offload *o, LLVMValueRef function, br_function *f, size_t *next) {
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    bool changed = false;
    count = host_candidates(f, loops, count);
    for (; *next < count && !changed; ++*next) {
        if (offload_done(loops[*next]))
            continue;
        bool math = *o->options.value[OPT_DEVICE_MATH] == '1';
        o->r = host_detect(f, function, loops[*next], math);
        changed = offload_nest(o);
        if (!changed)
            remark_missed(o);
        else if (o->r->time_reason != ST_OK)
            remark_time_loop(o);
        if (changed) {
            remark_done(o);
            o->number++;
        }
        release_images(o);
        host_region_destroy(o->r);
    }
    free(loops);
    return changed;
}

static bool has_attribute(LLVMValueRef f, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind) != NULL;
}

static bool offload_function(offload *o, LLVMValueRef function, void *analyses) {
    bool changed = false;
    size_t next = 0;
    if (LLVMIsDeclaration(function) || has_attribute(function, "optnone"))
        return false;
    br_function *f = br_function_open(function, analyses);
    if (pass_mend_counters(f)) {
        o->touched = true;
        br_function_invalidate(f);
    }
    while (offload_next(o, function, f, &next)) {
        changed = true;
        br_function_invalidate(f);
    }
    changed |= pass_split_loops(f);
    br_function_close(f);
    return changed || o->touched;
}

/* Host modules only; device modules of CUDA, HIP and OpenMP pass through the same pipeline. */
bool pass_is_host(LLVMModuleRef m) {
    const char *triple = LLVMGetTarget(m);
    static const char *const hosts[] = {"x86_64", "aarch64"};
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(m); /* not of x32, nor of aarch64_be */
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        if (!strncmp(triple, hosts[i], strlen(hosts[i])))
            return LLVMPointerSize(layout) == 8 && LLVMByteOrder(layout) == LLVMLittleEndian;
    return false;
}

bool pass_offload_run(LLVMModuleRef m, void *analyses, const char *parameters) {
    offload *o = calloc(1, sizeof *o);
    bool changed = false;
    o->m = m;
    if (!pass_is_host(m)) {
        free(o);
        return false;
    }
    if (!opt_read(parameters, &o->options, o->error, sizeof o->error)) {
        br_error(LLVMGetModuleContext(m), o->error);
        free(o);
        return false;
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        changed |= offload_function(o, f, analyses);
    free(o);
    return changed;
}
