/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "codegen/parameters.h"

#include <assert.h>
#include <stdlib.h>

enum { POINTER, INTEGER, SCALAR };

static LLVMTypeRef type_of(const gen_expr *e, const st_stencil *s, const stencilrt_parameter *p) {
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
        return gen_parameter_type(e, s->scalars[p->index].type);
    }
}

LLVMValueRef gen_kernel_function(const gen_expr *e, const st_stencil *s, const st_kernel *k) {
    LLVMTypeRef *types = calloc(k->nparameters, sizeof *types);
    for (size_t i = 0; i < k->nparameters; i++)
        types[i] = type_of(e, s, &k->parameters[i]);
    LLVMTypeRef none = LLVMVoidTypeInContext(e->context);
    LLVMTypeRef type = LLVMFunctionType(none, types, (unsigned)k->nparameters, false);
    free(types);
    return LLVMAddFunction(e->module, k->name, type);
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
