/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The structs of include/stencilopt/region.def for emitted code: LLVM types, constants, and offsets
 * of fields. The values of a struct are given as an array of slots: one slot for an integer or
 * pointer, `count` neighbouring slots for an array. A slot that is NULL stands for zero.
 *
 *   LLVMValueRef slots[SLOTS(scalar)] = {[AT(scalar, size)] = four, [AT(scalar, kind)] = fixed};
 *   LLVMValueRef constant = layout_constant(context, LAYOUT(scalar), slots);
 */
#ifndef STENCILOPT_LAYOUT_H
#define STENCILOPT_LAYOUT_H

#include "stencilopt/region.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdbool.h>
#include <stddef.h>

/* The id of struct stencilrt_<name>. */
#define LAYOUT(name) LAYOUT_stencilrt_##name
#define SLOTS(name) SLOTS_stencilrt_##name
#define AT(name, field) AT_stencilrt_##name##_##field

typedef enum layout_id {
#define STENCILRT_STRUCT(name, size, doc) LAYOUT_##name,
#include "stencilopt/region.def"
    LAYOUT_COUNT
} layout_id;

#define STENCILRT_STRUCT(name, size, doc) enum {
#define STENCILRT_FIELD(name, type, field, doc) AT_##name##_##field,
#define STENCILRT_ARRAY(name, type, field, count, doc)                                             \
    AT_##name##_##field, AT_##name##_##field##_last = AT_##name##_##field + (count) - 1,
#define STENCILRT_POINTER(name, target, field, doc) AT_##name##_##field,
#define STENCILRT_END(name)                                                                        \
    SLOTS_##name                                                                                   \
    }                                                                                              \
    ;
#include "stencilopt/region.def"

/* Does the module's data layout put every field of every struct where C puts it? */
bool layout_fits(LLVMContextRef c, LLVMTargetDataRef data);

LLVMTypeRef layout_type(LLVMContextRef c, layout_id id);
size_t layout_size(layout_id id);
size_t layout_slots(layout_id id);
size_t layout_offset(layout_id id, size_t slot); /* bytes */
LLVMTypeRef layout_slot_type(LLVMContextRef c, layout_id id, size_t slot);
LLVMValueRef layout_constant(LLVMContextRef c, layout_id id, LLVMValueRef *slots);

#endif
