/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * stencil-offload. What: a nest of loops that updates each cell of a grid from its neighbours, and
 * the time loop around it, runs on a GPU when the program runs where there is one. When legal:
 * lib/detect says so, or gives the reason. When profitable: the runtime decides with the sizes
 * at hand; the loops stay in the program and run whenever it declines.
 */
#include "passes.h"

#include "codegen/kernel.h"
#include "detect/host/host.h"
#include "offload/enter.h"
#include "offload/offload.h"
#include "options/options.h"
#include "plan/plan.h"
#include "prepare/hoist.h"
#include "remark.h"
#include "target/host.h"

#include <llvm-c/BitWriter.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_IMAGES = 33 };

/* Code that was generated, for other regions with the same kernels. Programs repeat them. */
enum { MAX_MADE = 32 };
typedef struct made {
    LLVMMemoryBufferRef kernels; /* bitcode of what the code was made of */
    char arch[64];
    tg_image images[2];
    int count;
} made;

/* Everything on the way from a region to its images. */
typedef struct offload {
    LLVMModuleRef m;
    opt_values options;
    host_region *r;                       /* the region; of several sweeps, the first */
    host_region *sweeps[HOST_MAX_SWEEPS]; /* it alone, or all */
    size_t count;
    st_plan plans[HOST_MAX_SWEEPS]; /* one each */
    tg_image images[MAX_IMAGES];
    size_t nimages;
    made *made;   /* the latest MAX_MADE */
    size_t nmade; /* all there were */
    int number;   /* of the region, in its module */
    bool touched; /* the function, if only by giving a loop its canonical form */
    /* The last time loop whose sweep is offloaded without it, and why. */
    LLVMBasicBlockRef time;
    st_reason time_reason;
    char time_detail[HOST_DETAIL];
    /* Of a time loop of several sweeps: the one that is looked at; the last that was refused. */
    host_steps *steps;
    host_hoists *hoists;  /* what the loop that is looked at reads, taken out of it; or NULL */
    host_region *hoisted; /* the nest without what was taken out; or NULL */
    LLVMBasicBlockRef refused, told; /* ..; the last whose reason a remark told */
    LLVMBasicBlockRef kept;          /* the last loop where taking out did not help */
    LLVMBasicBlockRef hopeless; /* the last one whose sweeps are refused whatever is taken out */
    st_reason refused_reason;
    char refused_detail[HOST_DETAIL];
    pass_seen seen;
    pass_memory *memory; /* of the loop `outer`, the only one that may be offloaded then; or NULL */
    br_loop outer;
    LLVMValueRef *alone; /* functions with sweeps that are offloaded without a time loop */
    size_t nalone;
    char error[1024];
} offload;

const char *pass_offload_check(const char *parameters) {
    static _Thread_local char error[1024];
    return opt_check(parameters, error, sizeof error) ? NULL : error;
}

/* May library functions be the GPU's? */
static bool device_math(const offload *o) {
    return *o->options.value[OPT_DEVICE_MATH] == '1';
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
    return strcmp(options->value[OPT_ARCH], opt_fallback(OPT_ARCH)) != 0;
}

static LLVMModuleRef module_for(const offload *o, LLVMContextRef context, const char *arch,
                                bool math) {
    gen_sweep sweeps[HOST_MAX_SWEEPS];
    for (size_t i = 0; i < o->count; i++)
        sweeps[i] = (gen_sweep){o->sweeps[i]->stencil, &o->plans[i]};
    return gen_module(context, sweeps, o->count, tg_find(arch), arch, math);
}

/* A mathematical function that one of the sweeps calls, or NULL. */
static const char *math_function(const offload *o) {
    for (size_t i = 0; i < o->count; i++) {
        const st_stencil *s = o->sweeps[i]->stencil;
        int32_t math = st_math_node(s);
        if (math >= 0)
            return st_ops[s->nodes[math].op].text;
    }
    return NULL;
}

/* Before the architecture's device library. */
static LLVMModuleRef bare_module(const offload *o, LLVMContextRef context, const char *arch) {
    return module_for(o, context, arch, false);
}

/* The first architecture's; it is named where that says how many lanes a wave has. */
static void add_bitcode(offload *o) {
    char arch[64];
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef m = bare_module(o, context, first_arch(o, arch, sizeof arch));
    tg_image *image = &o->images[o->nimages++];
    image->kind = TG_BITCODE;
    image->arch[0] = 0;
    if (target_of(o)->lanes_by_arch)
        first_arch(o, image->arch, sizeof image->arch);
    image->bytes = LLVMWriteBitcodeToMemoryBuffer(m);
    LLVMDisposeModule(m);
    LLVMContextDispose(context);
}

/* All that code depends on, but options that hold for the whole module. */
static bool is_made_of(const made *made, LLVMMemoryBufferRef kernels, const char *arch) {
    size_t size = LLVMGetBufferSize(kernels);
    return !strcmp(made->arch, arch) && LLVMGetBufferSize(made->kernels) == size &&
           !memcmp(LLVMGetBufferStart(made->kernels), LLVMGetBufferStart(kernels), size);
}

static const made *find_made(const offload *o, LLVMMemoryBufferRef kernels, const char *arch) {
    for (size_t i = 0; i < o->nmade && i < MAX_MADE; i++)
        if (is_made_of(&o->made[i], kernels, arch))
            return &o->made[i];
    return NULL;
}

static void release_made(made *made) {
    LLVMDisposeMemoryBuffer(made->kernels);
    for (int i = 0; i < made->count; i++)
        LLVMDisposeMemoryBuffer(made->images[i].bytes);
}

static void release_all_made(offload *o) {
    for (size_t i = 0; i < o->nmade && i < MAX_MADE; i++)
        release_made(&o->made[i]);
    free(o->made);
}

/* NULL if it cannot be. */
static const made *make(offload *o, LLVMModuleRef m, LLVMMemoryBufferRef kernels,
                        const char *arch) {
    made new = {.kernels = kernels};
    const tg_target *t = tg_find(arch);
    snprintf(new.arch, sizeof new.arch, "%s", arch);
    if (!math_function(o) || t->link_math(m, arch, o->error, sizeof o->error))
        new.count = t->emit(m, arch, is_named(&o->options), new.images, o->error, sizeof o->error);
    if (new.count == 0)
        return NULL;
    if (!o->made)
        o->made = calloc(MAX_MADE, sizeof *o->made);
    made *place = &o->made[o->nmade % MAX_MADE];
    if (o->nmade++ >= MAX_MADE)
        release_made(place);
    *place = new;
    return place;
}

static LLVMMemoryBufferRef copy_of(LLVMMemoryBufferRef bytes, const char *name) {
    return LLVMCreateMemoryBufferWithMemoryRangeCopy(LLVMGetBufferStart(bytes),
                                                     LLVMGetBufferSize(bytes), name);
}

/* Without library functions, add_bitcode has written what the first architecture's code is of. */
static bool add_code(offload *o, const char *arch) {
    char first[64];
    bool math = math_function(o) != NULL;
    bool written = !math && !strcmp(first_arch(o, first, sizeof first), arch);
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef m = written ? NULL : module_for(o, context, arch, math);
    LLVMMemoryBufferRef kernels =
        written ? copy_of(o->images[0].bytes, arch) : LLVMWriteBitcodeToMemoryBuffer(m);
    const made *found = find_made(o, kernels, arch), *code = found;
    if (!found) {
        m = m ? m : module_for(o, context, arch, math);
        code = make(o, m, kernels, arch);
    }
    if (!code || found)
        LLVMDisposeMemoryBuffer(kernels);
    for (int i = 0; code && i < code->count; i++) {
        tg_image *image = &o->images[o->nimages++];
        *image = code->images[i];
        image->bytes = copy_of(image->bytes, arch);
    }
    if (m)
        LLVMDisposeModule(m);
    LLVMContextDispose(context);
    return code != NULL;
}

static int option_number(const opt_values *options, opt_id id) {
    return atoi(options->value[id]);
}

/* All kernels of a program have one plan, so warps are what the shortest has. 0: as the one that
 * there is. */
static int common_lanes(const opt_values *options) {
    const char *next = options->value[OPT_ARCH];
    char arch[64];
    int least = 0, count = 0;
    for (; opt_part(&next, arch, sizeof arch); count++)
        least = count && least < plan_lanes(arch) ? least : plan_lanes(arch);
    return count > 1 ? least : 0;
}

st_plan pass_plan(st_stencil *s, const opt_values *options) {
    const char *named = options->value[OPT_ARCH];
    char arch[64];
    plan_wish wish = {option_number(options, OPT_BT),     option_number(options, OPT_CELLS),
                      option_number(options, OPT_ROWS),   option_number(options, OPT_PREFETCH),
                      option_number(options, OPT_WARPS),  option_number(options, OPT_REGISTERS),
                      option_number(options, OPT_UNROLL), common_lanes(options)};
    opt_part(&named, arch, sizeof arch);
    st_divide(s);
    st_contract(s);
    return plan_choose(s, &wish, is_named(options) ? arch : NULL, "stencil");
}

st_plan pass_plan_sweep(st_stencil *s, int number, const opt_values *options) {
    const char *named = options->value[OPT_ARCH];
    char arch[64], prefix[32];
    opt_part(&named, arch, sizeof arch);
    snprintf(prefix, sizeof prefix, "stencil_sweep%d", number + 1);
    st_divide(s);
    st_contract(s);
    return plan_cell(s, is_named(options) ? arch : NULL, prefix);
}

static bool generate(offload *o) {
    const char *next = o->options.value[OPT_ARCH];
    char arch[64];
    o->r->stencil->one_halo = o->r->copies_back; /* both have that of the array copied to */
    for (size_t i = 0; i < o->count; i++)
        o->plans[i] = o->r->steps ? pass_plan_sweep(o->sweeps[i]->stencil, (int)i, &o->options)
                                  : pass_plan(o->r->stencil, &o->options);
    o->nimages = 0;
    add_bitcode(o);
    while (*o->options.value[OPT_CODE] == '1' && opt_part(&next, arch, sizeof arch))
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

static void path_of(const offload *o, const char *ending, char *path, size_t size) {
    snprintf(path, size, "%s/%s.%d.%s", o->options.value[OPT_SAVE_TEMPS], o->r->stencil->function,
             o->number, ending);
}

static void cannot_write(const offload *o, const char *ending) {
    char path[1024], message[1200];
    path_of(o, ending, path, sizeof path);
    snprintf(message, sizeof message, "option 'save-temps': cannot write %s", path);
    br_error(LLVMGetModuleContext(o->m), message);
}

static FILE *open_temporary(const offload *o, const char *ending) {
    char path[1024];
    path_of(o, ending, path, sizeof path);
    FILE *file = fopen(path, "wb");
    if (!file)
        cannot_write(o, ending);
    return file;
}

/* What does not fit on the disk may show here only. */
static void close_temporary(const offload *o, FILE *file, const char *ending) {
    bool lost = ferror(file) != 0;
    lost |= fclose(file) != 0;
    if (lost)
        cannot_write(o, ending);
}

static void save_bytes(const offload *o, const char *ending, const char *bytes, size_t size) {
    FILE *file = open_temporary(o, ending);
    if (!file)
        return;
    fwrite(bytes, 1, size, file);
    close_temporary(o, file, ending);
}

static void save_model(const offload *o) {
    FILE *file = open_temporary(o, "stencil");
    if (file) {
        const st_stencil *stencils[HOST_MAX_SWEEPS];
        for (size_t i = 0; i < o->count; i++)
            stencils[i] = o->sweeps[i]->stencil;
        if (o->r->steps)
            st_print_sweeps(stencils, o->count, o->r->steps->where, file);
        else
            st_print(o->r->stencil, file);
        close_temporary(o, file, "stencil");
    }
    file = file ? open_temporary(o, "plan") : NULL;
    for (size_t i = 0; file && i < o->count; i++)
        plan_print(&o->plans[i], file);
    if (file)
        close_temporary(o, file, "plan");
}

/* One file an architecture; the first has no architecture in its name. */
static void save_of(const offload *o, const char *arch, const char *ending, const char *bytes,
                    size_t size) {
    char first[64], name[96];
    bool other = strcmp(first_arch(o, first, sizeof first), arch) != 0;
    snprintf(name, sizeof name, "%s%s%s", other ? arch : "", other ? "." : "", ending);
    save_bytes(o, name, bytes, size);
}

static void save_kernels(const offload *o) {
    const char *next = o->options.value[OPT_ARCH];
    char arch[64];
    while (opt_part(&next, arch, sizeof arch)) {
        LLVMContextRef context = LLVMContextCreate();
        LLVMModuleRef m = bare_module(o, context, arch);
        char *text = LLVMPrintModuleToString(m);
        save_of(o, arch, "ll", text, strlen(text));
        LLVMDisposeMessage(text);
        LLVMDisposeModule(m);
        LLVMContextDispose(context);
    }
}

static void save_images(const offload *o) {
    static const char *const endings[] = {[TG_PTX] = "ptx", [TG_CUBIN] = "o", [TG_HSACO] = "hsaco"};
    for (size_t i = 0; i < o->nimages; i++) {
        const tg_image *image = &o->images[i];
        if (image->kind != TG_BITCODE)
            save_of(o, image->arch, endings[image->kind], LLVMGetBufferStart(image->bytes),
                    LLVMGetBufferSize(image->bytes));
    }
}

static void save_temporaries(const offload *o) {
    if (!*o->options.value[OPT_SAVE_TEMPS])
        return;
    mkdir(o->options.value[OPT_SAVE_TEMPS], 0777);
    save_model(o);
    save_kernels(o);
    save_images(o);
}

/* Remark */

static void remark_missed(const offload *o) {
    const host_region *r = o->r;
    pass_remark out = {0};
    remark_text(&out, "loop nest not offloaded: ");
    remark_reason(&out, r->reason, r->detail);
    remark_send(&out, r->f, r->loops[0], BR_MISSED, st_reason_name(r->reason), r->reason);
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
    pass_remark out = {0};
    recall_time_loop(o);
    remark_text(&out, "the sweep is offloaded without the loop around it, so arrays are copied in "
                      "every iteration of that: ");
    remark_reason(&out, o->time_reason, o->time_detail);
    remark_send(&out, r->f, r->loops[0], BR_MISSED, "TimeLoop", o->time_reason);
}

/* Is it one that was put around sweeps? See sequence.c. */
static bool is_once(br_loop l) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(br_loop_latch(l));
    return LLVMIsConditional(end) && LLVMIsConstant(LLVMGetCondition(end));
}

/* What the options say of the plan, where it has become another. */
static const char *unmet(const opt_values *options, const st_plan *p) {
    bool blocked = p->count > 1;
    const st_kernel *k = &p->kernels[blocked];
    int got[] = {k->bt, k->cells, k->rows, k->warps, k->depth};
    static const opt_id ids[] = {OPT_BT, OPT_CELLS, OPT_ROWS, OPT_WARPS, OPT_PREFETCH};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        int asked = option_number(options, ids[i]);
        if (asked && !(ids[i] == OPT_BT && asked == 1) && (!blocked || got[i] != asked))
            return "; a plan as the options want it does not fit";
    }
    return "";
}

static int radius_of(const st_stencil *s) {
    int32_t low[ST_MAX_RANK], high[ST_MAX_RANK], radius = 0;
    for (size_t g = 0; g < s->ngrids; g++) {
        st_halo(s, (int32_t)g, low, high);
        for (int d = 0; d < s->rank && !(s->grids[g].broadcast & 1); d++) {
            radius = -low[d] > radius ? -low[d] : radius;
            radius = high[d] > radius ? high[d] : radius;
        }
    }
    return radius;
}

static void remark_taken(const host_region *r) {
    const st_stencil *s = r->stencil;
    pass_remark out = {0};
    remark_value(&out, "Dimensions", "%d", s->rank);
    remark_text(&out, "-D stencil of radius ");
    remark_value(&out, "Radius", "%d", radius_of(s));
    remark_text(&out, ", ");
    remark_value(&out, "CellsRead", "%zu", s->naccesses);
    remark_text(&out, " cells read, ");
    remark_value(&out, "ElementType", "%s", st_type_name(s->grids[s->store_grid].type));
    remark_text(&out, ", runs on a GPU where there is one: ");
    remark_value(&out, "What", "%s",
                 !s->timed          ? "one sweep a call"
                 : r->copies_back   ? "the whole time loop, the copy after each sweep included"
                 : r->sweeps == 1   ? "the whole time loop"
                 : is_once(r->time) ? "two sweeps, one after the other, being two time steps"
                                    : "the whole time loop, its two sweeps being two time steps");
    remark_send(&out, r->f, r->loops[0], BR_PASSED, "Offloaded", ST_OK);
}

static void remark_unblocked(pass_remark *out, const st_kernel *k, const char *why) {
    remark_text(out, "plan: one kernel a time step, block ");
    remark_value(out, "Block", "%dx%dx%d", k->block[0], k->block[1], k->block[2]);
    if (why) {
        remark_text(out, "; time steps are not blocked: ");
        remark_value(out, "NotBlocked", "%s", why);
    }
}

static void remark_blocked(pass_remark *out, const st_kernel *k) {
    bool strip = k->kind == ST_STRIP;
    remark_text(out, "plan: bT ");
    remark_value(out, "bT", "%d", k->bt);
    remark_text(out, ", tile ");
    if (strip)
        remark_value(out, "Tile", "%d", k->tile[0]);
    else
        remark_value(out, "Tile", "%dx%d", k->tile[0], k->tile[1]);
    remark_text(out, ", ");
    remark_value(out, "Warps", "%d", k->warps);
    remark_text(out, " warps, ");
    remark_value(out, "CellsPerLane", "%d", k->cells);
    remark_text(out, " cells ");
    if (!strip) {
        remark_text(out, "of ");
        remark_value(out, "RowsPerLane", "%d", k->rows);
        remark_text(out, " rows ");
    }
    remark_text(out, "a lane; predicted ");
    remark_value(out, "PredictedRate", "%.0f", 1e-9 * k->rate);
    remark_text(out, " GCells/s, bound by ");
    remark_value(out, "Limit", "%s", k->bound);
}

static void remark_done(const offload *o) {
    const host_region *r = o->r;
    const st_stencil *s = r->stencil;
    const st_plan *p = &o->plans[0];
    pass_remark out = {0};
    remark_taken(r);
    const char *why = plan_why_not_blocked(s), *but = s->timed && !why ? unmet(&o->options, p) : "";
    const st_kernel *k = &p->kernels[p->count > 1];
    if (p->count == 1)
        remark_unblocked(&out, k, why);
    else
        remark_blocked(&out, k);
    remark_text(&out, "%s", but);
    if (k->takes)
        remark_hidden(&out, "Registers", "%d", k->takes);
    remark_send(&out, r->f, r->loops[0], BR_ANALYSIS, "Plan", ST_OK);
}

/* `nest`: the one that could not be a time loop with its own steps only, and so blocked. */
static void remark_steps(const offload *o, const host_region *nest) {
    const host_steps *s = o->r->steps;
    pass_remark what = {0}, plan = {0};
    remark_value(&what, "Dimensions", "%d", s->rank);
    remark_text(&what, "-D ");
    remark_value(&what, "What", "%s", is_once(s->time) ? "sequence" : "time loop");
    remark_text(&what, " of ");
    remark_value(&what, "Sweeps", "%d", s->count);
    remark_text(&what, " sweep%s%s runs on a GPU where there is one, a kernel a sweep",
                s->count > 1 ? "s" : "",
                s->stops ? ", which ends by what each step computes," : "");
    remark_hidden(&what, "Stops", "%s", s->stops ? "true" : "false");
    remark_send(&what, o->r->f, s->time, BR_PASSED, "Offloaded", ST_OK);
    bool pair = nest->time_reason == ST_NO_TWO_SWEEPS || nest->time_reason == ST_NO_COPY_BACK;
    remark_text(&plan, "plan: one kernel a sweep and time step");
    if (pair) {
        remark_text(&plan, "; time steps are not blocked: ");
        remark_reason(&plan, nest->time_reason, nest->time_detail);
    }
    remark_send(&plan, o->r->f, s->time, BR_ANALYSIS, "Plan", pair ? nest->time_reason : ST_OK);
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
            return refuse(o, t->no_math, function);
    }
    return true;
}

static bool check_target(offload *o) {
    const char *math = math_function(o);
    if (math && !check_math(o, math))
        return false;
    for (size_t i = 0; i < o->count; i++) {
        st_port ports[ST_MAX_PORTS];
        if (st_ports(o->sweeps[i]->stencil, ports) > ST_MAX_PORTS)
            return refuse(o, ST_NO_TOO_BIG, "128 arrays");
    }
    return true;
}

/* What o->sweeps hold; on failure the reason is in o->r. */
static bool offload_region(offload *o) {
    const offload_memory *memory = pass_memory_out(o->memory);
    if ((memory && o->r->outer != o->outer) || !check_target(o))
        return false;
    o->touched = true;
    host_region *bad = offload_prepare(o->sweeps, o->count, memory);
    if (bad)
        return bad != o->r && refuse(o, bad->reason, bad->detail);
    if (!generate(o))
        return refuse(o, ST_NO_CODE_GENERATION, o->error);
    save_temporaries(o);
    LLVMValueRef region = offload_describe(o->m, o->sweeps, o->plans, o->count, o->images,
                                           o->nimages, *o->options.value[OPT_COMPRESS] == '1');
    if (!offload_rewrite(o->sweeps, o->count, memory, region)) {
        LLVMDeleteGlobal(region);
        return refuse(o, ST_NO_CODE_GENERATION, "the functions that find the runtime do not link");
    }
    return true;
}

/* One sweep, with the time loop around it or without. */
static bool offload_nest(offload *o, host_region *r) {
    o->r = o->sweeps[0] = r;
    o->count = 1;
    return r->stencil && offload_region(o);
}

/* What was taken out of the loop, if anything, can be loaded in front of these sweeps. */
static bool may_hoist(offload *o) {
    return !o->hoists || host_hoists_place(o->hoists, o->sweeps, o->count);
}

static bool try_steps(offload *o, LLVMValueRef function, br_function *f, br_loop time) {
    bool math = device_math(o);
    host_steps_destroy(o->steps);
    host_steps *s = o->steps = host_detect_steps(f, function, time, math);
    o->refused_reason = ST_OK;
    if (!s)
        return false;
    o->r = s->sweeps[0];
    o->count = (size_t)s->count;
    memcpy(o->sweeps, s->sweeps, sizeof s->sweeps);
    bool placed = s->reason == ST_OK && may_hoist(o);
    if (placed && offload_region(o))
        return true;
    bool found = s->reason == ST_OK;
    o->refused_reason = found ? o->r->reason : s->reason;
    o->hopeless = host_stays_refused(s->cause) ? br_loop_header(time) : NULL;
    memcpy(o->refused_detail, found ? o->r->detail : s->detail, sizeof o->refused_detail);
    return false;
}

/* All sweeps of the time loop around the nest. If it cannot be, and there are several, that is the
 * reason why the nest runs without the loop; it is looked for once. */
static bool offload_steps(offload *o, LLVMValueRef function, br_function *f, br_loop l,
                          host_region *nest) {
    br_loop time = host_time_loop(f, l);
    if (!time)
        return false;
    if (o->refused != br_loop_header(time) && try_steps(o, function, f, time))
        return true;
    o->refused = br_loop_header(time);
    if (o->refused_reason != ST_OK) {
        nest->time_reason = o->refused_reason;
        memcpy(nest->time_detail, o->refused_detail, sizeof nest->time_detail);
    }
    return false;
}

static br_loop outermost(br_loop l) {
    while (br_loop_parent(l))
        l = br_loop_parent(l);
    return l;
}

static void forget_hoisted(offload *o) {
    host_hoists_undo(o->hoists);
    o->hoists = NULL;
    host_region_destroy(o->hoisted);
    o->hoisted = NULL;
}

/* The nest looked at without what it, or the loop around it, reads at addresses that do not change.
 * NULL: nothing of that is there. */
static host_region *detect_hoisted(offload *o, LLVMValueRef function, br_function *f, br_loop l,
                                   br_loop time, host_hoist_mode mode) {
    bool math = device_math(o);
    forget_hoisted(o);
    br_loop scope = time ? time : outermost(l);
    if (!host_may_hoist(scope))
        return NULL;
    o->touched = true;
    o->hoists = host_hoist(f, function, scope, mode);
    if (!o->hoists)
        return NULL;
    o->r = o->sweeps[0] = o->hoisted = host_detect(f, function, l, math);
    o->count = 1;
    return o->hoisted;
}

static bool try_hoisted(offload *o, LLVMValueRef function, br_function *f, br_loop l, br_loop time,
                        host_hoist_mode mode) {
    host_region *r = detect_hoisted(o, function, f, l, time, mode);
    return r && ((r->stencil && may_hoist(o) && offload_region(o)) ||
                 (time && try_steps(o, function, f, time)));
}

/* The nest and a copy, or another one, as a time loop that can be blocked, if arrays are alike. */
static bool offload_alike(offload *o, LLVMValueRef function, br_function *f, br_loop l) {
    br_loop time = host_time_loop(f, l), first;
    while (time && br_loop_children(l, &first, 1) > 0) /* l holds a nest, and a copy beside it */
        l = first;
    host_region *r = time && host_may_hold_pair(time)
                         ? detect_hoisted(o, function, f, l, time, HOIST_SHAPES)
                         : NULL;
    if (r && r->stencil && r->stencil->timed && may_hoist(o) && offload_region(o))
        return true;
    forget_hoisted(o);
    return false;
}

static bool is_for_gaps(st_reason reason) {
    return reason == ST_NO_NOT_CONTIGUOUS || reason == ST_NO_STEP;
}

/* Was the nest, or a sweep, refused for gaps between elements? */
static bool has_gaps(const offload *o, const host_region *nest) {
    bool has = is_for_gaps((o->hoisted ? o->hoisted : nest)->reason);
    for (int k = 0; o->steps && k < o->steps->count; k++)
        has |= is_for_gaps(o->steps->sweeps[k]->reason);
    return has;
}

/* The loop around the nest, or the nest, looked at so. */
static bool offload_hoisted(offload *o, LLVMValueRef function, br_function *f, br_loop l,
                            host_region *nest) {
    br_loop time = host_time_loop(f, l);
    LLVMBasicBlockRef scope = br_loop_header(time ? time : outermost(l));
    bool refused = host_stays_refused(nest->reason);
    if (o->kept == scope || (!time && nest->stencil) ||
        (refused && (!time || o->hopeless == scope)))
        return false;
    if (try_hoisted(o, function, f, l, time, HOIST_PLAIN))
        return true;
    bool gaps = has_gaps(o, nest);
    if (gaps && try_hoisted(o, function, f, l, time, HOIST_UNITS))
        return true;
    if (gaps && o->hoisted && is_for_gaps(nest->reason))
        host_refuse(nest, o->hoisted->reason, o->hoisted->detail);
    o->kept = scope;
    if (o->hoists && time && o->refused_reason != ST_OK) {
        nest->time_reason = o->refused_reason;
        memcpy(nest->time_detail, o->refused_detail, sizeof nest->time_detail);
    }
    return false;
}

/* Where no nest says why its time loop is not offloaded, that does. */
static void remark_refused(offload *o, const host_region *nest, br_loop l) {
    pass_remark out = {0};
    br_loop time = nest->time_reason == ST_NO_SWEEPS ? host_time_loop(nest->f, l) : NULL;
    if (!time || o->told == br_loop_header(time))
        return;
    o->told = br_loop_header(time);
    remark_text(&out, "time loop not offloaded: ");
    remark_reason(&out, nest->time_reason, nest->time_detail);
    remark_send(&out, nest->f, time, BR_MISSED, "TimeLoop", nest->time_reason);
}

static void remark(offload *o, const host_region *nest, br_loop l, bool done) {
    if (done && o->r->steps) {
        remark_steps(o, nest);
        return;
    }
    if (done && o->r->time_reason != ST_OK)
        remark_time_loop(o);
    if (done) {
        remark_done(o);
    } else {
        remark_missed(o);
        remark_refused(o, nest, l);
    }
}

static void recall_alone(offload *o, LLVMValueRef function) {
    if (o->nalone > 0 && o->alone[o->nalone - 1] == function)
        return;
    o->alone = realloc(o->alone, (o->nalone + 1) * sizeof(LLVMValueRef));
    o->alone[o->nalone++] = function;
}

/* The nest with its time loop; if that cannot be, the time loop with all of its sweeps; else the
 * nest by itself. */
static bool offload_somehow(offload *o, LLVMValueRef function, br_function *f, br_loop l,
                            host_region *r) {
    bool whole = r->stencil && r->stencil->timed;
    bool done = (whole && offload_nest(o, r)) || (!whole && offload_alike(o, function, f, l)) ||
                (!whole && offload_steps(o, function, f, l, r)) ||
                (!whole && offload_hoisted(o, function, f, l, r));
    host_hoists_undo(o->hoists);
    o->hoists = NULL;
    return done || (!whole && offload_nest(o, r));
}

/* After the remarks. */
static void forget_candidate(offload *o, host_region *r) {
    release_images(o);
    host_steps_destroy(o->steps);
    o->steps = NULL;
    host_region_destroy(o->hoisted);
    o->hoisted = NULL;
    host_region_destroy(r);
}

static bool finish_candidate(offload *o, LLVMValueRef function, br_loop l, host_region *r,
                             bool done) {
    remark(o, r, l, done);
    if (done && !o->r->stencil->timed)
        recall_alone(o, function);
    o->number += done;
    forget_candidate(o, r);
    return done;
}

/* A loop around the nest whose iterations allocate memory and free it, with memory for all of them.
 * False: there is none, or it cannot be; *seen then is the nest as it was seen, or NULL. */
static bool offload_with_memory(offload *o, LLVMValueRef function, br_function *f, br_loop l,
                                host_region **seen) {
    bool math = device_math(o), done = false;
    *seen = NULL;
    for (o->outer = l; o->outer && !done; o->outer = br_loop_parent(o->outer)) {
        o->memory = pass_take_memory(f, function, o->outer);
        if (!o->memory)
            continue;
        o->touched = true;
        host_region *r = host_detect(f, function, l, math);
        done = offload_somehow(o, function, f, l, r);
        if (done) {
            pass_leave_memory(o->memory);
            finish_candidate(o, function, l, r, true);
        } else {
            pass_put_memory_back(o->memory);
            host_region_destroy(*seen);
            *seen = r;
            forget_candidate(o, NULL);
        }
        o->memory = NULL;
    }
    return done;
}

static bool offload_candidate(offload *o, LLVMValueRef function, br_function *f, br_loop l) {
    bool math = device_math(o);
    host_region *seen;
    if (offload_with_memory(o, function, f, l, &seen)) {
        host_region_destroy(seen);
        return true;
    }
    host_region *r = pass_detect(&o->seen, f, function, l, math);
    bool done = offload_somehow(o, function, f, l, r);
    if (seen && seen->stencil && !(r->stencil && r->stencil->timed)) {
        r->time_reason = seen->time_reason;
        memcpy(r->time_detail, seen->time_detail, sizeof r->time_detail);
    }
    host_region_destroy(seen);
    return finish_candidate(o, function, l, r, done);
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
        changed = offload_candidate(o, function, f, loops[*next]);
    }
    free(loops);
    return changed;
}

static size_t count_sweeps(const offload *o, LLVMValueRef function, br_function *f) {
    bool math = device_math(o);
    size_t count = br_loops(f, NULL, 0), found = 0;
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    count = host_candidates(f, loops, count);
    for (size_t i = 0; i < count; i++) {
        host_region *r = host_detect(f, function, loops[i], math);
        found += r->stencil != NULL;
        host_region_destroy(r);
    }
    free(loops);
    return found;
}

/* If there are more sweeps without loops over neighbours, the function gets the body without. */
static void unroll_taps(offload *o, LLVMValueRef function, br_function *f) {
    LLVMValueRef unrolled;
    br_function *copy = host_unroll_taps(f, function, &unrolled);
    if (!copy)
        return;
    if (count_sweeps(o, unrolled, copy) > count_sweeps(o, function, f)) {
        br_function_adopt(copy, LLVMGetEntryBasicBlock(unrolled));
        br_function_invalidate(f);
        o->touched = true;
    }
    br_function_erase(copy);
}

/* All nests, from the first one on. */
static bool offload_nests(offload *o, LLVMValueRef function, br_function *f) {
    bool changed = false;
    size_t next = 0;
    while (offload_next(o, function, f, &next)) {
        changed = true;
        pass_forget_seen(&o->seen);
        br_function_invalidate(f);
    }
    pass_forget_seen(&o->seen);
    return changed;
}

static bool offload_function(offload *o, LLVMValueRef function, void *analyses) {
    bool changed = false;
    if (LLVMIsDeclaration(function) || br_is_optnone(function) || enter_is_own(function))
        return false;
    br_function *f = br_function_open(function, analyses);
    bool loops = br_may_loop(function);
    o->refused = o->told = o->kept = o->hopeless = NULL;
    o->touched = false;
    if (loops && pass_mend_counters(f)) {
        o->touched = true;
        br_function_invalidate(f);
    }
    if (loops)
        unroll_taps(o, function, f);
    bool math = device_math(o);
    LLVMValueRef back = loops ? pass_wrap_sweeps(f, function, math, &o->seen) : NULL;
    changed = loops && offload_nests(o, function, f);
    if (back) {
        pass_unwrap(f, back);
        br_function_invalidate(f);
        changed = true;
    }
    if (o->touched) /* by what was refused then */
        br_function_invalidate(f);
    changed |= o->touched;
    changed |= br_function_split(f);
    br_function_close(f);
    return changed;
}

/* Host modules only; device modules of CUDA, HIP and OpenMP pass through the same pipeline. */
bool pass_is_host(LLVMModuleRef m) {
    return tg_has_runtime(m);
}

/* At the module's first loop, of which there may be none. */
static void remark_no_runtime(LLVMModuleRef m, void *analyses) {
    char detail[256];
    pass_remark out = {0};
    const char *triple = LLVMGetTarget(m);
    bool told = tg_is_device(m);
    snprintf(detail, sizeof detail, *triple ? "'%s'" : "a target that is not named", triple);
    remark_text(&out, "no loop of this module is offloaded: ");
    remark_reason(&out, ST_NO_RUNTIME, detail);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f && !told; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !br_may_loop(f))
            continue;
        br_function *open = br_function_open(f, analyses);
        br_loop first;
        told = br_loops(open, &first, 1) > 0;
        if (told)
            remark_send(&out, open, first, BR_MISSED, st_reason_name(ST_NO_RUNTIME), ST_NO_RUNTIME);
        br_function_close(open);
    }
}

bool pass_offload_run(LLVMModuleRef m, void *analyses, const char *parameters) {
    offload *o = calloc(1, sizeof *o);
    bool changed = false;
    o->m = m;
    if (!pass_is_host(m)) {
        remark_no_runtime(m, analyses);
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
    for (size_t i = 0; i < o->nalone; i++)
        pass_remark_calls(o->alone[i], analyses);
    release_all_made(o);
    free(o->alone);
    free(o);
    return changed;
}
