/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The structs of region.def as LLVM types, the offsets of their fields, and a check that the
 * module's data layout agrees with C's.
 */
#include "offload/layout.h"

#include <assert.h>

typedef struct field {
    size_t offset, bytes, count; /* bytes: of one element */
    bool is_array, is_pointer;
} field;

/* The fields of each struct, */
#define STENCILRT_STRUCT(name, size, doc) static const field fields_of_##name[] = {
#define STENCILRT_FIELD(name, type, field, doc)                                                    \
    {offsetof(name, field), sizeof(type), 1, false, false},
#define STENCILRT_ARRAY(name, type, field, count, doc)                                             \
    {offsetof(name, field), sizeof(type), count, true, false},
#define STENCILRT_POINTER(name, target, field, doc)                                                \
    {offsetof(name, field), sizeof(target *), 1, false, true},
#define STENCILRT_END(name)                                                                        \
    }                                                                                              \
    ;
#include "stencilopt/region.def"

/* And the list of all structs. */
static const struct {
    size_t size, slots, count;
    const field *fields;
} layouts[] = {
#define STENCILRT_STRUCT(name, size, doc)                                                          \
    {size, SLOTS_##name, sizeof fields_of_##name / sizeof *fields_of_##name, fields_of_##name},
#include "stencilopt/region.def"
};

enum { MAX_FIELDS = 32 };
_Static_assert(LAYOUT_COUNT == sizeof layouts / sizeof *layouts, "a struct is missing");
#define STENCILRT_STRUCT(name, size, doc)                                                          \
    _Static_assert(sizeof fields_of_##name / sizeof *fields_of_##name <= MAX_FIELDS, "too many");
#include "stencilopt/region.def"

static LLVMTypeRef element_type(LLVMContextRef c, const field *f) {
    return f->is_pointer ? LLVMPointerTypeInContext(c, 0)
                         : LLVMIntTypeInContext(c, (unsigned)(8 * f->bytes));
}

LLVMTypeRef layout_type(LLVMContextRef c, layout_id id) {
    LLVMTypeRef types[MAX_FIELDS];
    for (size_t i = 0; i < layouts[id].count; i++) {
        const field *f = &layouts[id].fields[i];
        LLVMTypeRef one = element_type(c, f);
        types[i] = f->is_array ? LLVMArrayType2(one, f->count) : one;
    }
    return LLVMStructTypeInContext(c, types, (unsigned)layouts[id].count, false);
}

bool layout_fits(LLVMContextRef c, LLVMTargetDataRef data) {
    bool fits = true;
    for (int id = 0; id < LAYOUT_COUNT; id++) {
        LLVMTypeRef type = layout_type(c, (layout_id)id);
        fits &= LLVMABISizeOfType(data, type) == layouts[id].size;
        for (size_t i = 0; i < layouts[id].count; i++)
            fits &= LLVMOffsetOfElement(data, type, (unsigned)i) == layouts[id].fields[i].offset;
    }
    return fits;
}

/* The field that a slot is in; *element: the slot's number in an array field. */
static const field *field_of(layout_id id, size_t slot, size_t *element) {
    const field *f = layouts[id].fields;
    while (slot >= f->count)
        slot -= f++->count;
    *element = slot;
    return f;
}

size_t layout_size(layout_id id) {
    return layouts[id].size;
}

size_t layout_slots(layout_id id) {
    return layouts[id].slots;
}

size_t layout_offset(layout_id id, size_t slot) {
    size_t element;
    const field *f = field_of(id, slot, &element);
    return f->offset + element * f->bytes;
}

LLVMTypeRef layout_slot_type(LLVMContextRef c, layout_id id, size_t slot) {
    size_t element;
    return element_type(c, field_of(id, slot, &element));
}

LLVMValueRef layout_constant(LLVMContextRef c, layout_id id, LLVMValueRef *slots) {
    LLVMValueRef values[MAX_FIELDS];
    size_t slot = 0;
    for (size_t i = 0; i < layouts[id].count; i++) {
        const field *f = &layouts[id].fields[i];
        LLVMTypeRef type = element_type(c, f);
        LLVMValueRef *first = slots + slot;
        for (size_t k = 0; k < f->count; k++, slot++) {
            if (!slots[slot])
                slots[slot] = LLVMConstNull(type);
            assert(LLVMTypeOf(slots[slot]) == type);
        }
        values[i] = f->is_array ? LLVMConstArray2(type, first, f->count) : *first;
    }
    return LLVMConstStructInContext(c, values, (unsigned)layouts[id].count, false);
}
