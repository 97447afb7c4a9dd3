/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The baseline: one launch a time step, one thread a cell. What temporal blocking is measured
 * against, and what runs where it does not pay.
 */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

typedef struct generator {
    const st_stencil *s;
    const tg_target *target;
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef b;
    LLVMValueRef function;
    bool device_math;
    st_port ports[ST_MAX_PORTS];
    size_t nports;
    LLVMValueRef coordinate[ST_MAX_RANK]; /* i64 */
    LLVMValueRef *home;                   /* per grid: element index of the thread's own cell */
    LLVMValueRef *values;                 /* per node */
} generator;

static LLVMTypeRef i64(const generator *g) { return LLVMInt64TypeInContext(g->context); }

static LLVMTypeRef type_of(const generator *g, st_type t) {
    switch (t) {
    case ST_I1:
        return LLVMInt1TypeInContext(g->context);
    case ST_I8:
        return LLVMInt8TypeInContext(g->context);
    case ST_I16:
        return LLVMInt16TypeInContext(g->context);
    case ST_I32:
        return LLVMInt32TypeInContext(g->context);
    case ST_I64:
        return LLVMInt64TypeInContext(g->context);
    case ST_F32:
        return LLVMFloatTypeInContext(g->context);
    default:
        return LLVMDoubleTypeInContext(g->context);
    }
}

/* A boolean parameter is passed as a byte. */
static LLVMTypeRef parameter_type(const generator *g, st_type t) {
    return type_of(g, t == ST_I1 ? ST_I8 : t);
}

/* Parameters, in the order of region.h */

static LLVMValueRef first_parameter(const generator *g, int d) {
    return LLVMGetParam(g->function, (unsigned)(g->nports + (size_t)d));
}

static LLVMValueRef extent_parameter(const generator *g, int d) {
    return LLVMGetParam(g->function, (unsigned)(g->nports + (size_t)(g->s->rank + d)));
}

static LLVMValueRef stride_parameter(const generator *g, size_t grid, int d) {
    size_t rank = (size_t)g->s->rank;
    return LLVMGetParam(g->function,
                        (unsigned)(g->nports + 2 * rank + grid * (rank - 1) + (size_t)d - 1));
}

static LLVMValueRef scalar_parameter(const generator *g, size_t i) {
    size_t rank = (size_t)g->s->rank;
    return LLVMGetParam(g->function,
                        (unsigned)(g->nports + 2 * rank + g->s->ngrids * (rank - 1) + i));
}

static LLVMTypeRef kernel_type(const generator *g) {
    size_t rank = (size_t)g->s->rank;
    size_t integers = 2 * rank + g->s->ngrids * (rank - 1);
    size_t count = g->nports + integers + g->s->nscalars, n = 0;
    LLVMTypeRef *types = malloc(count * sizeof *types);
    for (size_t i = 0; i < g->nports; i++)
        types[n++] = LLVMPointerTypeInContext(g->context, 0);
    for (size_t i = 0; i < integers; i++)
        types[n++] = i64(g);
    for (size_t i = 0; i < g->s->nscalars; i++)
        types[n++] = parameter_type(g, g->s->scalars[i].type);
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, (unsigned)count, false);
    free(types);
    return type;
}

/* Ports are distinct buffers unless two levels of one grid share one; the runtime makes sure that
 * nothing else overlaps. What is only read may then come through the read-only cache. */
static void mark_port(const generator *g, size_t i) {
    static const char *const names[] = {"noalias", "readonly"};
    bool alone = true;
    for (size_t j = 0; j < g->nports; j++) {
        int32_t n = (int32_t)g->s->grids[g->ports[i].grid].buffers;
        int32_t distance = g->ports[i].level - g->ports[j].level;
        alone &= j == i || g->ports[j].grid != g->ports[i].grid || distance % n != 0;
    }
    for (int k = 0; k < 2 && alone; k++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(names[k], strlen(names[k]));
        if (k == 0 || !g->ports[i].writes)
            LLVMAddAttributeAtIndex(g->function, (LLVMAttributeIndex)(i + 1),
                                    LLVMCreateEnumAttribute(g->context, kind, 0));
    }
}

static void create_function(generator *g, const char *name, const st_plan *p) {
    g->function = LLVMAddFunction(g->module, name, kernel_type(g));
    g->target->mark_kernel(g->function, p->block);
    for (size_t i = 0; i < g->nports; i++)
        mark_port(g, i);
}

/* The cell of this thread; control goes to the returned block if it is in the domain. */
static void locate_cell(generator *g, const st_plan *p) {
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(g->context, g->function, "entry");
    LLVMBasicBlockRef cell = LLVMAppendBasicBlockInContext(g->context, g->function, "cell");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(g->context, g->function, "done");
    LLVMValueRef inside = NULL;
    LLVMPositionBuilderAtEnd(g->b, entry);
    for (int d = 0; d < g->s->rank; d++) {
        LLVMValueRef block = LLVMBuildZExt(g->b, g->target->block_id(g->b, d), i64(g), "");
        LLVMValueRef thread = LLVMBuildZExt(g->b, g->target->thread_id(g->b, d), i64(g), "");
        LLVMValueRef size = LLVMConstInt(i64(g), (unsigned long long)p->block[d], false);
        LLVMValueRef start = LLVMBuildAdd(g->b, first_parameter(g, d),
                                          LLVMBuildMul(g->b, block, size, ""), "");
        g->coordinate[d] = LLVMBuildAdd(g->b, start, thread, "");
        LLVMValueRef test =
            LLVMBuildICmp(g->b, LLVMIntSLT, g->coordinate[d], extent_parameter(g, d), "");
        inside = inside ? LLVMBuildAnd(g->b, inside, test, "") : test;
    }
    LLVMBuildCondBr(g->b, inside, cell, done);
    LLVMPositionBuilderAtEnd(g->b, done);
    LLVMBuildRetVoid(g->b);
    LLVMPositionBuilderAtEnd(g->b, cell);
}

/* Element index of the thread's own cell in each grid. */
static void locate_homes(generator *g) {
    g->home = calloc(g->s->ngrids, sizeof *g->home);
    for (size_t i = 0; i < g->s->ngrids; i++) {
        LLVMValueRef at = LLVMConstInt(i64(g), 0, false);
        for (int d = 0; d < g->s->rank; d++) {
            if (g->s->grids[i].broadcast >> d & 1)
                continue;
            LLVMValueRef term = g->coordinate[d];
            if (d > 0)
                term = LLVMBuildMul(g->b, term, stride_parameter(g, i, d), "");
            at = LLVMBuildAdd(g->b, at, term, "");
        }
        g->home[i] = at;
    }
}

static LLVMValueRef address(generator *g, int32_t grid, int32_t level, const int32_t *offset) {
    size_t port = 0;
    while (g->ports[port].grid != grid || g->ports[port].level != level)
        port++;
    LLVMTypeRef element = type_of(g, g->s->grids[grid].type);
    LLVMValueRef at = g->home[grid];
    for (int d = g->s->rank - 1; d > 0; d--) {
        LLVMValueRef rows = LLVMConstInt(i64(g), (unsigned long long)(int64_t)offset[d], true);
        if (offset[d])
            at = LLVMBuildAdd(g->b, at,
                              LLVMBuildMul(g->b, rows, stride_parameter(g, (size_t)grid, d), ""),
                              "");
    }
    LLVMValueRef p = LLVMGetParam(g->function, (unsigned)port);
    p = LLVMBuildGEP2(g->b, element, p, &at, 1, "");
    LLVMValueRef x = LLVMConstInt(i64(g), (unsigned long long)(int64_t)offset[0], true);
    return offset[0] ? LLVMBuildGEP2(g->b, element, p, &x, 1, "") : p;
}

static LLVMValueRef constant(const generator *g, const st_node *n) {
    LLVMTypeRef type = type_of(g, (st_type)n->type);
    if (!st_type_is_float((st_type)n->type))
        return LLVMConstInt(type, n->bits, false);
    LLVMTypeRef raw = n->type == ST_F32 ? type_of(g, ST_I32) : i64(g);
    return LLVMConstBitCast(LLVMConstInt(raw, n->bits, false), type);
}

static LLVMValueRef leaf(generator *g, const st_node *n) {
    LLVMTypeRef type = type_of(g, (st_type)n->type);
    LLVMValueRef v;
    switch (n->op) {
    case ST_CONST:
        return constant(g, n);
    case ST_COORD:
        return g->coordinate[n->index];
    case ST_SCALAR:
        v = scalar_parameter(g, (size_t)n->index);
        return n->type == ST_I1 ? LLVMBuildTrunc(g->b, v, type, "") : v;
    default: {
        const st_access *a = &g->s->accesses[n->index];
        v = LLVMBuildLoad2(g->b, type, address(g, a->grid, a->level, a->offset), "");
        LLVMSetAlignment(v, (unsigned)st_type_size((st_type)n->type));
        return v;
    }
    }
}

static LLVMValueRef call(generator *g, const st_node *n, LLVMValueRef *args) {
    const st_op_info *op = &st_ops[n->op];
    LLVMTypeRef type = type_of(g, (st_type)n->type), types[3];
    LLVMValueRef f;
    if (op->cls == ST_MATH && g->device_math) {
        char name[64];
        g->target->math_name(op->libdevice, n->type == ST_F64, name, sizeof name);
        for (int i = 0; i < op->arity; i++)
            types[i] = type;
        f = LLVMGetNamedFunction(g->module, name);
        if (!f)
            f = LLVMAddFunction(g->module, name,
                                LLVMFunctionType(type, types, (unsigned)op->arity, false));
    } else {
        unsigned id = LLVMLookupIntrinsicID(op->intrinsic, strlen(op->intrinsic));
        f = LLVMGetIntrinsicDeclaration(g->module, id, &type, 1);
    }
    return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, args, (unsigned)op->arity, "");
}

static LLVMValueRef operation(generator *g, const st_node *n) {
    const st_op_info *op = &st_ops[n->op];
    LLVMTypeRef type = type_of(g, (st_type)n->type);
    LLVMValueRef args[3], v;
    for (int i = 0; i < op->arity; i++)
        args[i] = g->values[n->args[i]];
    if (op->intrinsic)
        v = call(g, n, args);
    else if (n->op == ST_ICMP)
        v = LLVMBuildICmp(g->b, (LLVMIntPredicate)n->predicate, args[0], args[1], "");
    else if (n->op == ST_FCMP)
        v = LLVMBuildFCmp(g->b, (LLVMRealPredicate)n->predicate, args[0], args[1], "");
    else if (n->op == ST_SELECT)
        v = LLVMBuildSelect(g->b, args[0], args[1], args[2], "");
    else if (n->op == ST_FNEG)
        v = LLVMBuildFNeg(g->b, args[0], "");
    else if (n->op == ST_FREEZE)
        v = LLVMBuildFreeze(g->b, args[0], "");
    else if (op->arity == 2)
        v = LLVMBuildBinOp(g->b, (LLVMOpcode)op->opcode, args[0], args[1], "");
    else
        v = LLVMBuildCast(g->b, (LLVMOpcode)op->opcode, args[0], type, "");
    if (n->flags && LLVMIsAInstruction(v) && LLVMCanValueUseFastMathFlags(v))
        LLVMSetFastMathFlags(v, n->flags);
    return v;
}

static void compute(generator *g) {
    static const int32_t here[ST_MAX_RANK];
    g->values = calloc(g->s->nnodes, sizeof *g->values);
    for (size_t i = 0; i < g->s->nnodes; i++) {
        const st_node *n = &g->s->nodes[i];
        g->values[i] = st_ops[n->op].cls == ST_LEAF ? leaf(g, n) : operation(g, n);
    }
    LLVMValueRef to = address(g, g->s->store_grid, g->s->store_level, here);
    LLVMValueRef store = LLVMBuildStore(g->b, g->values[g->s->root], to);
    LLVMSetAlignment(store, (unsigned)st_type_size(g->s->grids[g->s->store_grid].type));
    LLVMBuildRetVoid(g->b);
}

LLVMModuleRef gen_kernel(LLVMContextRef context, const st_stencil *s, const st_plan *p,
                         const tg_target *t, const char *name, bool device_math) {
    generator g = {.s = s, .target = t, .context = context, .device_math = device_math};
    g.module = LLVMModuleCreateWithNameInContext(name, context);
    g.b = LLVMCreateBuilderInContext(context);
    t->prepare(g.module);
    g.nports = st_ports(s, g.ports);
    create_function(&g, name, p);
    locate_cell(&g, p);
    locate_homes(&g);
    compute(&g);
    LLVMDisposeBuilder(g.b);
    free(g.home);
    free(g.values);
    return g.module;
}
