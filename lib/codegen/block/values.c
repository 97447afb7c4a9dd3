/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values that are the same for all threads, computed at the kernel's entry: sizes, strides,
 * addresses, scalars, conditions. The program may compute such a value later, or only on some
 * paths. The copy at the entry is made without promises (no wrapping, no zero divisor), because
 * these hold only at the program's place.
 */
#include "codegen/block/gen.h"
#include "target/uniform.h"

#include <stdlib.h>
#include <string.h>

static LLVMTypeRef pointer_type(const blk_gen *g) {
    return LLVMPointerTypeInContext(g->e.context, 0);
}

/* Is v computed before the place where uniform values are computed? */
static bool is_there(const blk_gen *g, LLVMValueRef v) {
    if (!LLVMIsAInstruction(v))
        return true;
    if (LLVMGetInstructionParent(v) != LLVMGetInstructionParent(g->cut))
        return false;
    for (LLVMValueRef i = g->cut; i; i = LLVMGetNextInstruction(i))
        if (i == v)
            return false;
    return true;
}

/* May the load be made although the program may not come to it? */
static bool is_readable(LLVMValueRef load) {
    LLVMValueRef p = LLVMGetOperand(load, 0);
    if (tg_is_constant_memory(load) || tg_is_read_first(load))
        return true;
    while (LLVMIsAGetElementPtrInst(p) || LLVMIsAAddrSpaceCastInst(p)) {
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(p); i++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(p, i)))
                return false;
        p = LLVMGetOperand(p, 0);
    }
    return LLVMIsACallInst(p) || tg_is_struct(p);
}

enum { MAX_DEPTH = ST_LIMIT(64, 4) };

static LLVMValueRef try_uniform(blk_gen *g, LLVMValueRef v);

static LLVMValueRef hoist(blk_gen *g, LLVMValueRef v, int depth) {
    if (is_there(g, v))
        return v;
    bool early = LLVMIsALoadInst(v) && !is_readable(v);
    if (depth == MAX_DEPTH || (early && !tg_is_read_early(v)))
        return NULL;
    if (early) {
        LLVMValueRef address = hoist(g, LLVMGetOperand(v, 0), depth + 1);
        return address ? blk_early(g, v, address, try_uniform) : NULL;
    }
    LLVMValueRef copy = LLVMInstructionClone(v);
    int count = tg_operand_count(v);
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        LLVMValueRef operand = hoist(g, LLVMGetOperand(v, (unsigned)i), depth + 1);
        good = operand != NULL;
        if (good && i == 1 && blk_divides(v) && !LLVMIsConstant(operand))
            operand = blk_safe_divisor(g, operand);
        if (good)
            LLVMSetOperand(copy, (unsigned)i, operand);
    }
    br_drop_promises(copy);
    LLVMInsertIntoBuilder(g->e.b, copy);
    if (good)
        return copy;
    LLVMInstructionEraseFromParent(copy);
    return NULL;
}

static LLVMValueRef try_uniform(blk_gen *g, LLVMValueRef v) {
    return hoist(g, v, 0);
}

static LLVMValueRef missing(blk_gen *g) {
    st_refuse(g->why, ST_NO_KERNEL_LATE, NULL);
    return NULL;
}

LLVMValueRef blk_uniform(blk_gen *g, LLVMValueRef v) {
    LLVMValueRef copy = hoist(g, v, 0);
    return copy ? copy : missing(g);
}

static LLVMValueRef pointer_atom(blk_gen *g, br_scev atom) {
    if (br_scev_kind(atom) != BR_UNKNOWN)
        return br_scev_expandable(g->l->f, atom, g->cut)
                   ? br_scev_expand(g->l->f, atom, pointer_type(g), g->cut)
                   : missing(g);
    return blk_uniform(g, br_scev_value(atom));
}

static LLVMValueRef number_atom(blk_gen *g, br_scev atom) {
    br_function *f = g->l->f;
    const st_launch_value *known = st_value_of(g->l, atom);
    if (known && known->size != ST_NO_SIZE)
        return blk_launched(g, known->size == ST_BLOCK_SIZE ? TG_BLOCK_SIZE : TG_BLOCK_COUNT,
                            known->dim);
    if (br_scev_bits(f, atom) > 64) {
        blk_refuse(g, "a number has more than 64 bits");
        return NULL;
    }
    if (br_scev_kind(atom) == BR_UNKNOWN)
        return blk_uniform(g, br_scev_value(atom));
    if (!br_scev_expandable(f, atom, g->cut))
        return missing(g);
    LLVMTypeRef type = LLVMIntTypeInContext(g->e.context, br_scev_bits(f, atom));
    return br_scev_expand(f, atom, type, g->cut);
}

/* Is the value read of the launch? Such numbers are small. Other numbers of few bits may be
 * negative for the program. Here they are unsigned, and checked to be small. */
static bool is_of_launch(const blk_gen *g, LLVMValueRef v) {
    for (int i = 0; i < TG_LAUNCH_VALUES * ST_MAX_RANK; i++)
        if (g->launch[i / ST_MAX_RANK][i % ST_MAX_RANK] == v)
            return true;
    return false;
}

/* It need not be an expression of the program: see kernel_grid_size. */
static bool is_launch_size(const blk_gen *g, br_scev atom) {
    const st_launch_value *known = st_value_of(g->l, atom);
    return known && known->size != ST_NO_SIZE;
}

LLVMValueRef blk_atom(blk_gen *g, br_scev atom) {
    for (int i = 0; i < g->natoms; i++)
        if (g->atoms[i].atom == atom)
            return g->atoms[i].value;
    bool pointer = !is_launch_size(g, atom) && br_scev_is_pointer(atom);
    LLVMValueRef v = pointer ? pointer_atom(g, atom) : number_atom(g, atom);
    if (!v)
        return NULL;
    if (pointer) {
        v = LLVMBuildPtrToInt(g->e.b, v, gen_i64(&g->e), "");
    } else if (LLVMGetIntTypeWidth(LLVMTypeOf(v)) < 64) {
        bool checked = !is_of_launch(g, v);
        unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
        v = gen_widen(&g->e, v);
        if (checked && bits < 31) { /* a negative number of so few bits would look small */
            LLVMValueRef most = gen_int64(&g->e, INT64_C(1) << (bits - 1));
            blk_require(g, LLVMBuildICmp(g->e.b, LLVMIntULT, v, most, ""));
        }
        if (checked)
            blk_require_small(g, v);
    }
    if (g->natoms < BLK_MAX_ATOMS)
        g->atoms[g->natoms++] = (blk_known){atom, v};
    return v;
}

static LLVMValueRef term_value(blk_gen *g, const poly_term *t) {
    LLVMValueRef product = gen_int64(&g->e, t->factor);
    for (int i = 0; i < t->degree && product; i++) {
        LLVMValueRef v = blk_atom(g, t->atoms[i]);
        product = v ? LLVMBuildMul(g->e.b, product, v, "") : NULL;
    }
    return product;
}

LLVMValueRef blk_value(blk_gen *g, poly p) {
    LLVMValueRef sum = gen_int64(&g->e, 0);
    const poly_term *terms = blk_in_order(g, p);
    for (int i = 0; i < poly_count(p) && sum; i++) {
        LLVMValueRef v = term_value(g, &terms[i]);
        sum = v ? blk_add(g, sum, v) : NULL;
    }
    return sum;
}

/* The address as its base pointer plus bytes, so that alias analysis sees the base. */
static LLVMValueRef address_value(blk_gen *g, poly p) {
    poly rest = p;
    for (int i = 0; i < poly_count(p); i++) {
        const poly_term *t = &poly_terms(p)[i];
        if (t->degree != 1 || t->factor != 1 || !br_scev_is_pointer(t->atoms[0]))
            continue;
        poly atom = poly_atom(g->l->f, t->atoms[0]);
        rest = poly_sub(p, atom);
        LLVMValueRef base = pointer_atom(g, t->atoms[0]), bytes = blk_value(g, rest);
        return base && bytes ? blk_bytes(g, base, bytes) : NULL;
    }
    LLVMValueRef number = blk_value(g, p);
    return number ? LLVMBuildIntToPtr(g->e.b, number, pointer_type(g), "") : NULL;
}

static LLVMValueRef scalar_value(blk_gen *g, size_t i) {
    const st_launch_scalar *from = &g->l->scalars[i];
    if (from->value)
        return blk_uniform(g, from->value);
    LLVMValueRef v = blk_value(g, from->start);
    LLVMTypeRef type = gen_type(&g->e, g->s->scalars[i].type);
    return v ? LLVMBuildTrunc(g->e.b, v, type, "") : NULL;
}

bool blk_find_values(blk_gen *g) {
    const st_launch_grid *grids = g->l->grids;
    bool good = true;
    g->origin = calloc(g->s->ngrids, sizeof *g->origin);
    g->stride = calloc(g->s->ngrids, sizeof *g->stride);
    g->scalars = calloc(g->s->nscalars + 1, sizeof *g->scalars);
    for (size_t i = 0; i < g->s->ngrids && good; i++) {
        g->origin[i] = address_value(g, grids[i].origin);
        good = g->origin[i] != NULL;
        for (int d = 0; d < g->s->rank && good; d++) {
            g->stride[i][d] = blk_value(g, grids[i].stride[d]);
            good = g->stride[i][d] != NULL;
        }
    }
    for (size_t i = 0; i < g->s->nscalars && good; i++) {
        g->scalars[i] = scalar_value(g, i);
        good = g->scalars[i] != NULL;
    }
    return good;
}
