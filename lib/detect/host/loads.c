/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Pointers and sizes that the nest reads from memory: fields of structs, tables of pointers. They
 * do not change if the nest does not write there. So they are loaded in front of the nest, where
 * its guards hold and each of them is read at least once. There it is checked, too, that none of
 * them is part of what the nest writes.
 *
 * During detection a stand-in is used for each: a freeze of poison in the function's first block.
 * So addresses that depend on it are sums like others.
 */
#include "detect/host/loads.h"
#include "detect/common/affine.h"
#include "detect/common/limits.h"
#include "detect/host/address.h"
#include "detect/host/region.h"
#include "detect/host/resolver.h"
#include "detect/host/tables.h"

#include <stdlib.h>

static LLVMValueRef loaded_from(host_region *r, poly address, LLVMValueRef like) {
    LLVMTypeRef type = LLVMTypeOf(like);
    for (int i = 0; i < r->nloads; i++)
        if (LLVMTypeOf(r->loads[i].value) == type && poly_equal(r->loads[i].address, address))
            return r->loads[i].value;
    if (r->nloads == HOST_MAX_LOADS)
        return NULL;
    r->loads = realloc(r->loads, ((size_t)r->nloads + 1) * sizeof *r->loads);
    host_load *l = &r->loads[r->nloads++];
    size_t length;
    const char *name = LLVMGetValueName2(like, &length);
    *l = (host_load){address, LLVMGetAlignment(like), host_stand_in(r->function, type, name)};
    return l->value;
}

static bool loaded(const host_query *q, LLVMValueRef load, host_affine *out) {
    host_region *r = q->r;
    host_affine at;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(load));
    bool number = kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(load)) >= 32 &&
                  LLVMGetIntTypeWidth(LLVMTypeOf(load)) <= 64;
    if (load == q->opaque) {
        *out = (host_affine){.base = poly_atom(r->f, br_scev_of(r->f, load))};
        return true;
    }
    if ((kind != LLVMPointerTypeKind && !number) || r->form || r->twin)
        return host_not_affine(q, "it uses a value read in the loop");
    if (host_moves(r, load))
        return number ? host_not_affine(q, "it uses an index read in the loop; compute it from the "
                                           "counters, or fill its table in this file")
                      : host_row(q, load, out);
    if (r->steps || q->scene)
        return host_not_affine(q, "it uses a value read in the loop");
    if (!host_evaluate(q, br_scev_of(r->f, LLVMGetOperand(load, 0)), &at))
        return false;
    if (!host_is_always_read(r, load))
        return host_not_affine(q, "it uses a value read under a condition");
    r->least_steps = q->step + 1 > r->least_steps ? q->step + 1 : r->least_steps;
    LLVMValueRef value = loaded_from(r, at.base, load);
    if (!value)
        return host_not_affine(q, "it uses too many values read in the loop");
    return host_evaluate(q, br_scev_of(r->f, value), out);
}

host_answer host_load_value(void *region, const host_query *q, LLVMValueRef v, host_affine *out) {
    (void)region;
    if (!LLVMIsALoadInst(v))
        return HOST_UNKNOWN;
    return loaded(q, v, out) ? HOST_KNOWN : HOST_REFUSED;
}

void host_forget_loads(host_region *r) {
    for (int i = r->nloads; i-- > 0;)
        if (r->loads[i].value)
            LLVMInstructionEraseFromParent(r->loads[i].value);
    free(r->loads);
    r->loads = NULL;
    r->nloads = 0;
    r->least_steps = 1;
    host_forget_table_uses(r);
}
