/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels of whole steps against a plain evaluation of the step, byte by byte: programs, types,
 * plans, extents and chunks, on the simulator.
 *
 *     steps-test                              a fifth of them
 *     steps-test all | NAME                   all, or all of one program
 *     steps-test NAME TYPE BT V U WARPS UNROLL DEPTH WAITS ARCH NX NY NZ CHUNK    one
 *     steps-test plan ARCH                    prints what is planned
 *     steps-test emit NAME TYPE BT V U WARPS UNROLL DEPTH WAITS ARCH FILE         its kernel's code
 */
#include "../../model/step-programs.h"

#include "codegen/module.h"
#include "model/step_print.h"
#include "plan/parameters.h"
#include "plan/time/complete.h"
#include "plan/time/steps.h"
#include "stencilopt/sim.h"
#include "target/target.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 2, HALO = 8 };

typedef struct options {
    const program_maker *maker;
    st_type type;
    int bt, cells, rows, warps, unroll, depth, waits;
    const char *arch;
    int n[3], chunk;
} options;

static int failures, runs;

static void describe(const options *o) {
    printf("%s %s bT %d, V %d, U %d, %d warps, unroll %d, depth %d, waits %d, %s, %dx%dx%d, chunk %d: ",
           o->maker->name, st_type_name(o->type), o->bt, o->cells, o->rows, o->warps, o->unroll,
           o->depth, o->waits, o->arch, o->n[0], o->n[1], o->n[2], o->chunk);
}

/* Values */

typedef union value {
    double d;
    float f;
    int64_t i;
} value;

static value read_value(st_type t, const void *from) {
    value v = {.i = 0};
    switch (t) {
    case ST_I8:
        v.i = *(const int8_t *)from;
        break;
    case ST_I16:
        v.i = *(const int16_t *)from;
        break;
    case ST_I32:
        v.i = *(const int32_t *)from;
        break;
    default:
        memcpy(&v, from, st_type_size(t));
    }
    return v;
}

static void write_value(st_type t, void *to, value v) {
    memcpy(to, &v, st_type_size(t)); /* little-endian */
}

static int64_t wrap(st_type t, int64_t i) {
    return t == ST_I8 ? (int8_t)i : t == ST_I16 ? (int16_t)i : t == ST_I32 ? (int32_t)i : i;
}

static value arithmetic(const st_node *n, value a, value b, st_type from) {
    st_type t = (st_type)n->type;
    value v = {.i = 0};
#define FLOATS(sign)                                                                               \
    if (t == ST_F32)                                                                               \
        v.f = a.f sign b.f;                                                                        \
    else                                                                                           \
        v.d = a.d sign b.d;                                                                        \
    return v;
    switch (n->op) {
    case ST_FADD:
        FLOATS(+)
    case ST_FSUB:
        FLOATS(-)
    case ST_FMUL:
        FLOATS(*)
    case ST_ADD:
        v.i = wrap(t, (int64_t)((uint64_t)a.i + (uint64_t)b.i));
        return v;
    case ST_SUB:
        v.i = wrap(t, (int64_t)((uint64_t)a.i - (uint64_t)b.i));
        return v;
    case ST_MUL:
        v.i = wrap(t, (int64_t)((uint64_t)a.i * (uint64_t)b.i));
        return v;
    case ST_XOR:
        v.i = a.i ^ b.i;
        return v;
    case ST_ICMP:
        v.i = a.i == b.i;
        return v;
    case ST_TRUNC:
        v.i = wrap(t, a.i);
        return v;
    case ST_SITOFP:
        (void)from;
        if (t == ST_F32)
            v.f = (float)a.i;
        else
            v.d = (double)a.i;
        return v;
    default:
        printf("no operation %s\n", st_ops[n->op].text);
        exit(2);
    }
}

/* Arrays: the box and what is around it, `low` before and `high` behind each dimension. */

typedef struct layout {
    int n[3], low[3], high[3];
    int64_t row, plane; /* elements */
} layout;

static layout lay_out(const int n[3], const int low[3], const int high[3]) {
    layout l;
    for (int d = 0; d < 3; d++) {
        l.n[d] = n[d];
        l.low[d] = d ? low[d] : (low[d] + 15) / 16 * 16;
        l.high[d] = high[d];
    }
    l.row = (l.low[0] + n[0] + l.high[0] + 15) / 16 * 16;
    l.plane = l.row * (l.low[1] + n[1] + l.high[1]);
    return l;
}

static int64_t cells_of(const layout *l) {
    return l->plane * (l->low[2] + l->n[2] + l->high[2]);
}

static int64_t index_of(const layout *l, const int c[3]) {
    return (c[2] + l->low[2]) * l->plane + (c[1] + l->low[1]) * l->row + c[0] + l->low[0];
}

/* The next cell of first .. end; false: there was none. */
static bool go_on(int c[3], const int first[3], const int end[3]) {
    for (int d = 0; d < 3; d++) {
        if (++c[d] < end[d])
            return true;
        c[d] = first[d];
    }
    return false;
}

typedef struct world {
    const options *o;
    const st_step *step;
    layout l;
    char *now[ST_MAX_ARRAYS], *other[ST_MAX_ARRAYS]; /* the program's buffers */
    double table[64];                                /* what the CPU computes for each step */
    char *tables;                                    /* in the type of the cells */
} world;

static size_t size_of(const world *w, size_t a) {
    return st_type_size(w->step->arrays[a].type);
}

static uint32_t scramble(uint32_t h) {
    h = (h ^ h >> 15) * 2246822519u;
    h = (h ^ h >> 13) * 3266489917u;
    return h ^ h >> 16;
}

static value random_value(st_type t, uint32_t seed) {
    uint32_t h = scramble(seed * 2654435761u + 12345);
    value v = {.i = 0};
    if (t == ST_F32)
        v.f = (float)(h >> 8) / 16777216.f;
    else if (t == ST_F64)
        v.d = h / 4294967296.0;
    else
        v.i = wrap(t, t == ST_I8 ? h % 2 : h);
    return v;
}

/* False: it is empty. */
static bool find_domain(const st_step *step, const st_sweep *sweep, const int n[3], int first[3],
                        int end[3]) {
    bool some = true;
    for (int d = 0; d < 3; d++) {
        first[d] = sweep->at_high >> d & 1 ? n[d] - sweep->low[d] : sweep->low[d];
        end[d] = sweep->at_low >> d & 1 ? sweep->high[d] : n[d] - sweep->high[d];
        some &= d >= step->rank || first[d] < end[d];
    }
    return some;
}

static bool is_written(const world *w, const int c[3]) {
    int first[3], end[3];
    for (size_t i = 0; i < w->step->nsweeps; i++) {
        const int32_t *shift = st_sweep_shift(&w->step->sweeps[i]);
        bool in = find_domain(w->step, &w->step->sweeps[i], w->l.n, first, end);
        for (int d = 0; d < 3; d++)
            in &= c[d] - shift[d] >= first[d] && c[d] - shift[d] < end[d];
        if (in)
            return true;
    }
    return false;
}

static void bounds_of(const layout *l, int begin[3], int end[3]) {
    for (int d = 0; d < 3; d++) {
        begin[d] = -l->low[d];
        end[d] = l->n[d] + l->high[d];
    }
    end[0] = (int)l->row - l->low[0];
}

/* Arrays that take turns are equal around the box, and if they are three, wherever the step does
 * not write them. */
static void fill(world *w) {
    for (size_t a = 0; a < w->step->narrays; a++) {
        st_type t = w->step->arrays[a].type;
        size_t first = a;
        bool three = false;
        for (size_t i = (size_t)w->step->arrays[a].becomes; i != a;
             i = (size_t)w->step->arrays[i].becomes) {
            first = i < first ? i : first;
            three = w->step->arrays[i].swapped || w->step->arrays[a].swapped;
        }
        size_t bytes = (size_t)cells_of(&w->l) * size_of(w, a);
        w->now[a] = malloc(bytes);
        w->other[a] = malloc(bytes);
        int begin[3], end[3], c[3];
        bounds_of(&w->l, begin, end);
        memcpy(c, begin, sizeof c);
        do {
            bool in = !three || is_written(w, c);
            for (int d = 0; d < 3; d++)
                in &= c[d] >= 0 && c[d] < w->l.n[d];
            uint32_t seed = (uint32_t)((in ? (int)a : (int)first) * 7919 + (c[2] + 500) * 70001 +
                                       (c[1] + 500) * 4001 + c[0] + 500);
            write_value(t, w->now[a] + index_of(&w->l, c) * (int64_t)size_of(w, a),
                        random_value(t, seed));
        } while (go_on(c, begin, end));
        memcpy(w->other[a], w->now[a], bytes);
    }
    size_t size = st_type_size(w->o->type);
    w->tables = calloc(64, size);
    for (uint32_t i = 0; i < 64; i++)
        write_value(w->o->type, w->tables + i * size, random_value(w->o->type, 77 + i));
}

static void release(world *w) {
    for (size_t a = 0; a < w->step->narrays; a++) {
        free(w->now[a]);
        free(w->other[a]);
    }
    free(w->tables);
}

/* The plain program */

typedef struct cell {
    const world *w;
    const st_sweep *sweep;
    int c[3], step;
    const int *first; /* of the domain */
} cell;

static value evaluate(const cell *c, int32_t number) {
    const st_stencil *s = c->sweep->stencil;
    const st_node *n = &s->nodes[number];
    value v = {.i = 0};
    if (n->op == ST_CONST)
        return read_value((st_type)n->type, &n->bits);
    if (n->op == ST_COORD)
        return v.i = c->c[n->index] - c->first[n->index], v;
    if (n->op == ST_SCALAR && s->scalars[n->index].followed)
        return read_value((st_type)n->type,
                          c->w->tables + (size_t)c->step * st_type_size((st_type)n->type));
    if (n->op == ST_SCALAR)
        return v.i = 3 + 2 * c->step, v;
    if (n->op == ST_ACCESS) {
        const st_access *a = &s->accesses[n->index];
        const st_view *view = &c->sweep->views[a->grid];
        int32_t array = view->array[a->level];
        const st_array *of = &c->w->step->arrays[array];
        int at[3];
        for (int d = 0; d < 3; d++)
            at[d] = of->broadcast >> d & 1 ? 0 : c->c[d] + a->offset[d] + view->at[d];
        if (of->broadcast & 1)
            at[0] = a->offset[0] + view->at[0] + c->step * of->advance;
        const char *from = of->swapped && a->level ? c->w->other[array] : c->w->now[array];
        return read_value(of->type,
                          from + index_of(&c->w->l, at) * (int64_t)st_type_size(of->type));
    }
    if (n->op == ST_SELECT)
        return evaluate(c, n->args[evaluate(c, n->args[0]).i ? 1 : 2]);
    value a = evaluate(c, n->args[0]), b = {.i = 0};
    if (st_ops[n->op].arity > 1)
        b = evaluate(c, n->args[1]);
    return arithmetic(n, a, b, (st_type)s->nodes[n->args[0]].type);
}

static void do_cell(world *w, const cell *c) {
    const st_sweep *sweep = c->sweep;
    value made[8];
    for (size_t i = 0; i < st_sweep_stores(sweep); i++)
        made[i] = evaluate(c, st_sweep_store(sweep, i).root);
    for (size_t i = 0; i < st_sweep_stores(sweep); i++) {
        st_store to = st_sweep_store(sweep, i);
        const st_view *view = &sweep->views[to.grid];
        int32_t array = view->array[to.level];
        bool swapped = w->step->arrays[array].swapped;
        char *base = swapped ? w->other[array] : w->now[array];
        st_type t = w->step->arrays[array].type;
        int at[3];
        for (int d = 0; d < 3; d++)
            at[d] = c->c[d] + view->at[d];
        write_value(t, base + index_of(&w->l, at) * (int64_t)st_type_size(t), made[i]);
    }
}

static void do_sweep(world *w, const st_sweep *sweep, int step) {
    int first[3], end[3];
    if (!find_domain(w->step, sweep, w->l.n, first, end))
        return;
    cell c = {w, sweep, {first[0], first[1], first[2]}, step, first};
    do
        do_cell(w, &c);
    while (go_on(c.c, first, end));
}

static bool is_made(const st_stencil *s, int step) {
    return s->every == 0 || (uint32_t)step % s->every == s->phase;
}

static void do_step(world *w, int step) {
    char *turned[ST_MAX_ARRAYS];
    for (size_t i = 0; i < w->step->nsweeps; i++)
        if (is_made(w->step->sweeps[i].stencil, step))
            do_sweep(w, &w->step->sweeps[i], step);
    for (size_t a = 0; a < w->step->narrays; a++)
        if (w->step->arrays[a].swapped) {
            char *other = w->other[a];
            w->other[a] = w->now[a];
            w->now[a] = other;
        }
    for (size_t a = 0; a < w->step->narrays; a++)
        turned[w->step->arrays[a].becomes] = w->now[a];
    memcpy(w->now, turned, w->step->narrays * sizeof *turned);
}

/* The kernel */

typedef struct device {
    char *memory[ST_MAX_ARRAYS][2]; /* target and source */
} device;

static char *copy_in(const world *w, size_t a) {
    size_t bytes = (size_t)cells_of(&w->l) * size_of(w, a);
    char *p = stencilsim_alloc(bytes, w->step->arrays[a].name);
    memcpy(p, w->now[a], bytes);
    return p;
}

typedef struct words {
    const void *args[128];
    size_t sizes[128];
    int64_t numbers[128];
    uint32_t count;
} words;

static void pass(words *p, int64_t number, size_t size) {
    p->numbers[p->count] = number;
    p->sizes[p->count] = size;
    p->args[p->count] = &p->numbers[p->count];
    p->count++;
}

static int64_t address(const world *w, const char *memory, size_t a) {
    static const int zero[3];
    return (int64_t)(intptr_t)(memory + index_of(&w->l, zero) * (int64_t)size_of(w, a));
}

static void pass_scalar(const world *w, const st_scalar *c, int step, words *p) {
    for (int l = 0; l < w->o->bt && c->followed; l++) {
        int64_t bits = 0;
        memcpy(&bits, w->tables + (size_t)(step + l) * st_type_size(c->type),
               st_type_size(c->type));
        pass(p, bits, st_type_size(c->type));
    }
    if (c->followed)
        return;
    pass(p, 3 + 2 * step, st_type_size(c->type));
    if (c->stepped)
        pass(p, 2, st_type_size(c->type));
}

static void pass_all(const world *w, const device *d, int step, words *p) {
    for (size_t a = 0; a < w->step->narrays; a++) {
        int64_t moved = (int64_t)step * w->step->arrays[a].advance * (int64_t)size_of(w, a);
        for (int i = st_step_flows(w->step, (int32_t)a) ? 0 : 1; i < 2; i++)
            pass(p, address(w, d->memory[a][i], a) + moved, 8);
        if (st_step_alternates(w->step, (int32_t)a)) /* both buffers have the same borders */
            pass(p, address(w, d->memory[a][1], a) + moved, 8);
    }
    for (int k = 0; k < w->step->rank; k++)
        pass(p, w->l.n[k], 8);
    for (size_t a = 0; a < w->step->narrays; a++)
        for (int k = 1; k < w->step->rank; k++)
            pass(p, k == 1 ? w->l.row : w->l.plane, 8);
    pass(p, w->o->chunk, 8);
    for (size_t i = 0; i < w->step->nsweeps; i++) {
        const st_stencil *s = w->step->sweeps[i].stencil;
        for (size_t k = 0; k < s->nscalars; k++)
            pass_scalar(w, &s->scalars[k], step, p);
        int made = 0;
        for (int l = 0; l < w->o->bt; l++)
            made |= is_made(s, step + l) << l;
        if (s->every > 1)
            pass(p, made, 8);
    }
}

static bool launch(const world *w, const st_kernel *k, stencilsim_module *m, device *d, int step) {
    words p = {.count = 0};
    char error[512];
    pass_all(w, d, step, &p);
    int stream = w->step->rank - 1;
    uint32_t strips = (uint32_t)((w->l.n[0] + k->tile[0] - 1) / k->tile[0]);
    uint32_t rows = (uint32_t)((w->l.n[1] + k->tile[1] - 1) / k->tile[1]);
    uint32_t chunks = (uint32_t)((w->l.n[stream] + w->o->chunk - 1) / w->o->chunk);
    if (stream == 1 && w->o->chunk % 2) /* outermost strips in chunks of half the rows */
        strips += strips < 2 ? strips : 2;
    stencilsim_launch launch = {.kernel = k->name,
                                .grid = {strips, stream == 2 ? rows : chunks,
                                         stream == 2 ? chunks : 1},
                                .block = {(uint32_t)k->block[0], 1, 1},
                                .dynamic_scratchpad = (uint32_t)k->scratchpad,
                                .wave = (uint32_t)k->lanes,
                                .args = p.args,
                                .arg_sizes = p.sizes,
                                .nargs = p.count};
    if (stencilsim_run(m, &launch, error, sizeof error)) {
        describe(w->o);
        printf("%s\n", error);
        return false;
    }
    for (size_t a = 0; a < w->step->narrays; a++)
        if (st_step_flows(w->step, (int32_t)a)) {
            char *target = d->memory[a][0];
            d->memory[a][0] = d->memory[a][1];
            d->memory[a][1] = target;
        }
    return true;
}

static bool compare(const world *w, const device *d) {
    int begin[3], end[3], c[3];
    bounds_of(&w->l, begin, end);
    end[0] = w->l.n[0] + w->l.high[0];
    for (size_t a = 0; a < w->step->narrays; a++) {
        memcpy(c, begin, sizeof c);
        do {
            int64_t i = index_of(&w->l, c) * (int64_t)size_of(w, a);
            if (!memcmp(w->now[a] + i, d->memory[a][1] + i, size_of(w, a)))
                continue;
            describe(w->o);
            printf("%s differs at %d,%d,%d\n", w->step->arrays[a].name, c[0], c[1], c[2]);
            return false;
        } while (go_on(c, begin, end));
    }
    return true;
}

static stencilsim_module *load(LLVMModuleRef m) {
    char error[512], *message = NULL;
    if (LLVMVerifyModule(m, LLVMReturnStatusAction, &message)) {
        printf("%s\n", message);
        exit(2);
    }
    LLVMDisposeMessage(message);
    LLVMMemoryBufferRef b = LLVMWriteBitcodeToMemoryBuffer(m);
    stencilsim_module *loaded =
        stencilsim_load(LLVMGetBufferStart(b), LLVMGetBufferSize(b), error, sizeof error);
    if (!loaded)
        printf("%s\n", error);
    LLVMDisposeMemoryBuffer(b);
    return loaded;
}

/* A program and its kernel. */
typedef struct made {
    program p;
    st_dependences d;
    st_kernel k;
    LLVMContextRef context;
    LLVMModuleRef module;
} made;

/* False if there is no such kernel. */
static bool make(const options *o, made *m) {
    const char *registers = getenv("STEPS_TEST_REGISTERS"); /* the most a thread may use */
    m->p = o->maker->make(o->type);
    const char *why = st_step_why_not_whole(m->p.step);
    if (why && ST_MAX_SWEEPS > 8) {
        printf("%s: %s\n", o->maker->name, why);
        exit(2);
    }
    if (why) { /* built with tiny limits */
        program_free(&m->p);
        return false;
    }
    st_step_dependences(m->p.step, st_step_stream(m->p.step), &m->d);
    m->k = (st_kernel){.bt = o->bt,
                       .cells = o->cells,
                       .rows = o->rows,
                       .warps = o->warps,
                       .unroll = o->unroll,
                       .depth = o->depth,
                       .waits = o->waits,
                       .registers = registers ? atoi(registers) : 0,
                       .lanes = plan_lanes(o->arch)};
    snprintf(m->k.name, sizeof m->k.name, "steps");
    if (!steps_complete(m->p.step, &m->d, &m->k)) {
        program_free(&m->p);
        return false;
    }
    plan_list_step_parameters(&m->k, m->p.step);
    m->context = LLVMContextCreate();
    plan_of_step plan = {.whole = {.kernels = {m->k}, .count = 1}};
    m->module = gen_module(m->context, m->p.step, &plan, tg_find(o->arch), o->arch, false);
    return true;
}

static void unmake(made *m) {
    LLVMContextDispose(m->context);
    free(m->k.parameters);
    program_free(&m->p);
}

static void run_on(const options *o, made *m, stencilsim_module *loaded) {
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    steps_padding(m->p.step, &m->d, &m->k, low, high);
    world w = {.o = o, .step = m->p.step, .l = lay_out(o->n, low, high)};
    device d;
    fill(&w);
    for (size_t a = 0; a < w.step->narrays; a++)
        for (int i = st_step_flows(w.step, (int32_t)a) ? 0 : 1; i < 2; i++)
            d.memory[a][i] = copy_in(&w, a);
    bool good = true;
    for (int i = 0; i < LAUNCHES && good; i++)
        good = launch(&w, &m->k, loaded, &d, i * o->bt);
    for (int i = 0; i < LAUNCHES * o->bt; i++)
        do_step(&w, i);
    failures += !(good && compare(&w, &d));
    runs++;
    for (size_t a = 0; a < w.step->narrays; a++)
        for (int i = st_step_flows(w.step, (int32_t)a) ? 0 : 1; i < 2; i++)
            stencilsim_free(d.memory[a][i]);
    release(&w);
}

/* On several extents, with several chunks. */
static void run_sizes(options *o) {
    static const int flat[][4] = {{1, 1, 1, 1},   {70, 53, 1, 20}, {31, 40, 1, 17}, {3, 2, 1, 5},
                                  {129, 9, 1, 3}, {17, 70, 1, 33}, {64, 26, 1, 26}, {260, 5, 1, 64}};
    static const int deep[][4] = {{1, 1, 1, 1}, {70, 13, 6, 4}, {5, 25, 7, 7}, {3, 2, 9, 5}};
    made m;
    if (!make(o, &m))
        return;
    bool box = m.p.step->rank == 3;
    stencilsim_module *loaded = load(m.module);
    for (size_t i = 0; i < (box ? sizeof deep / sizeof *deep : sizeof flat / sizeof *flat); i++) {
        const int *size = box ? deep[i] : flat[i];
        bool fits = loaded != NULL;
        for (int d = 0; d < 3; d++) {
            o->n[d] = size[d];
            fits &= d >= m.p.step->rank || o->n[d] >= least_extent(m.p.step, d);
        }
        o->chunk = size[3];
        if (fits)
            run_on(o, &m, loaded);
    }
    failures += !loaded;
    stencilsim_unload(loaded);
    unmake(&m);
}

/* A plan, and of 3-D ones the rows of a thread and the warps. */
typedef struct tried {
    int bt, cells, unroll, depth, waits, rows, warps;
} tried;

/* Of the programs' types and plans, one of so many, others in each turn (tools/check). */
static size_t share_of(bool all, size_t *turn) {
    const char *tests = getenv("STENCIL_TESTS"), *now = getenv("STENCIL_TURN");
    bool few = tests && !strcmp(tests, "few");
    *turn = few && now ? (size_t)atoi(now) : 0;
    return all ? 1 : few ? 15 : 5;
}

/* `all`: each program with each type and plan; else a share of that. */
static void run_all(const char *only, bool all) {
    static const tried flat[] = {{1, 4, 1, 3, 0, 1, 1}, {2, 4, 2, 4, 0, 1, 1}, {3, 2, 1, 0, 1, 1, 1},
                                 {8, 4, 2, 6, 0, 1, 1}, {5, 1, 3, 0, 2, 1, 1}, {4, 2, 2, 2, 0, 1, 1},
                                 {4, 4, 4, 4, 0, 1, 1}, {6, 2, 2, 8, 0, 1, 1}};
    static const tried deep[] = {{1, 2, 1, 3, 0, 4, 4}, {2, 2, 2, 4, 0, 4, 3}, {2, 2, 1, 0, 1, 3, 3},
                                 {3, 1, 2, 2, 0, 2, 6}, {1, 4, 2, 4, 0, 1, 5}};
    static const size_t counts[] = {sizeof flat / sizeof *flat, sizeof deep / sizeof *deep};
    static const char *const archs[] = {"sm_90", "gfx942", "gfx1100", "sm_100"};
    static const st_type types[] = {ST_F32, ST_F64, ST_I32, ST_I64, ST_I16};
    size_t count = 0, turn, share = share_of(all, &turn);
    for (size_t i = 0; i < nprograms; i++)
        for (size_t t = 0; t < 5; t++)
            for (size_t k = 0; k < counts[programs[i].deep]; k++) {
                if (programs[i].integers == st_type_is_float(types[t]))
                    continue;
                if ((only && strcmp(only, programs[i].name)) || (i + t + k + 5 * turn) % share)
                    continue;
                const tried *p = programs[i].deep ? &deep[k] : &flat[k];
                options o = {&programs[i], types[t], p->bt,    p->cells, p->rows, p->warps,
                             p->unroll,    p->depth, p->waits, archs[0], {0},     0};
                if (count % 6 == 4)
                    o.arch = archs[3];
                if (count++ % 4 == 3) {
                    o.arch = archs[1 + count % 8 / 4];
                    o.waits = o.waits ? o.waits : 1 + (int)count % 2;
                }
                run_sizes(&o);
            }
}

static options parse(char **words) {
    options o = {.maker = programs};
    for (size_t i = 0; i < nprograms; i++)
        if (!strcmp(programs[i].name, words[0]))
            o.maker = &programs[i];
    for (int t = 0; t <= ST_F64; t++)
        if (!strcmp(st_type_name((st_type)t), words[1]))
            o.type = (st_type)t;
    o.bt = atoi(words[2]);
    o.cells = atoi(words[3]);
    o.rows = atoi(words[4]);
    o.warps = atoi(words[5]);
    o.unroll = atoi(words[6]);
    o.depth = atoi(words[7]);
    o.waits = atoi(words[8]);
    o.arch = words[9];
    return o;
}

static int emit(char **words) {
    options o = parse(words);
    char error[512] = "no such plan";
    tg_image image[2];
    made m;
    if (!make(&o, &m) || !tg_find(o.arch)->emit(m.module, o.arch, false, image, error, 512)) {
        printf("%s\n", error);
        return 1;
    }
    FILE *out = fopen(words[10], "wb");
    fwrite(LLVMGetBufferStart(image[0].bytes), 1, LLVMGetBufferSize(image[0].bytes), out);
    fclose(out);
    int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    steps_padding(m.p.step, &m.d, &m.k, low, high);
    printf("tile %d %d halo %d %d lead %d overlap %d scratchpad %d pad %d %d %d %d %d %d\n",
           m.k.tile[0], m.k.tile[1], m.k.halo[0], m.k.halo[1], m.k.lead, m.k.overlap,
           m.k.scratchpad, low[0], high[0], low[1], high[1], low[2], high[2]);
    return 0;
}

/* The plans for an architecture. */
static int plan(char **words) {
    const char *why = NULL;
    for (size_t i = 0; i < nprograms; i++)
        for (int type = ST_F32; type <= ST_F64; type++) {
            program p = programs[i].make(programs[i].integers ? ST_I32 : (st_type)type);
            plan_wish wish = {0};
            st_plan plan = plan_steps(p.step, &wish, words[0], programs[i].name, &why);
            plan_print(&plan, stdout);
            plan_free(&plan);
            if (why)
                printf("%s: %s\n", programs[i].name, why);
            program_free(&p);
        }
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 2 && !strcmp(argv[1], "plan"))
        return plan(&argv[2]);
    if (argc > 12 && !strcmp(argv[1], "emit"))
        return emit(&argv[2]);
    if (argc > 14) {
        options o = parse(&argv[1]);
        made m;
        for (int d = 0; d < 3; d++)
            o.n[d] = atoi(argv[11 + d]);
        o.chunk = atoi(argv[14]);
        if (!make(&o, &m))
            return 2;
        if (getenv("STEPS_TEST_IR"))
            LLVMPrintModuleToFile(m.module, getenv("STEPS_TEST_IR"), NULL);
        st_step_print(m.p.step, stdout);
        stencilsim_module *loaded = load(m.module);
        run_on(&o, &m, loaded);
    } else {
        bool all = argc > 1 && !strcmp(argv[1], "all");
        run_all(argc > 1 && !all ? argv[1] : NULL, all || argc > 1);
    }
    printf("%d runs, %d failed\n", runs, failures);
    return failures != 0 || runs == 0;
}
