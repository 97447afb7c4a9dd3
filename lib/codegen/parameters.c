/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A kernel's function type from the plan's list of parameters, and each parameter by kind and
 * index.
 */
#include "codegen/parameters.h"

#include <assert.h>
#include <stdlib.h>

enum { POINTER, INTEGER, SCALAR };

/* `scalars`: their types, by number. */
static LLVMTypeRef type_of(const gen_expr *e, const st_type *scalars,
                           const stencilrt_parameter *p) {
    static const int types[] = {
#define STENCILRT_PARAMETER(id, type, of, kernels, doc) type,
#include "stencilopt/region.def"
    };
    switch (types[p->kind]) {
    case POINTER:
        return LLVMPointerTypeInContext(e->context, 0);
    case INTEGER:
        return gen_i64(e);
    default:
        return gen_parameter_type(
            e, scalars[p->kind == STENCILRT_ARG_VALUE ? p->index / STENCILRT_VALUES : p->index]);
    }
}

static LLVMValueRef declare(const gen_expr *e, const st_type *scalars, const st_kernel *k) {
    LLVMTypeRef *types = calloc(k->nparameters, sizeof *types);
    for (size_t i = 0; i < k->nparameters; i++)
        types[i] = type_of(e, scalars, &k->parameters[i]);
    LLVMTypeRef none = LLVMVoidTypeInContext(e->context);
    LLVMTypeRef type = LLVMFunctionType(none, types, (unsigned)k->nparameters, false);
    free(types);
    return LLVMAddFunction(e->module, k->name, type);
}

static size_t add_types(st_type *types, size_t count, const st_stencil *s) {
    for (size_t i = 0; i < s->nscalars; i++)
        types[count++] = s->scalars[i].type;
    return count;
}

LLVMValueRef gen_kernel_function(const gen_expr *e, const st_stencil *s, const st_kernel *k) {
    st_type *types = calloc(s->nscalars + 1, sizeof *types);
    add_types(types, 0, s);
    LLVMValueRef function = declare(e, types, k);
    free(types);
    return function;
}

LLVMValueRef gen_plain_function(const gen_expr *e, const st_kernel *k) {
    return declare(e, NULL, k);
}

LLVMValueRef gen_step_function(const gen_expr *e, const st_step *step, const st_kernel *k) {
    size_t count = 0, room = 1;
    for (size_t i = 0; i < step->nnests; i++)
        room += step->nests[i]->nscalars;
    st_type *types = calloc(room, sizeof *types);
    for (size_t i = 0; i < step->nnests; i++)
        count = add_types(types, count, step->nests[i]);
    LLVMValueRef function = declare(e, types, k);
    free(types);
    return function;
}

unsigned gen_parameter_number(const st_kernel *k, stencilrt_parameter_kind kind, size_t index) {
    size_t i = 0;
    while (i < k->nparameters &&
           (k->parameters[i].kind != (uint32_t)kind || k->parameters[i].index != index))
        i++;
    assert(i < k->nparameters);
    return (unsigned)i;
}

LLVMValueRef gen_parameter(LLVMValueRef function, const st_kernel *k, stencilrt_parameter_kind kind,
                           size_t index) {
    return LLVMGetParam(function, gen_parameter_number(k, kind, index));
}

LLVMValueRef gen_stride(LLVMValueRef function, const st_kernel *k, size_t grid, int d) {
    return gen_parameter(function, k, STENCILRT_ARG_STRIDE, 3 * grid + (size_t)d);
}
