/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Descriptors of Fortran's arrays, as flang hands them to its runtime. A descriptor is
 * (flang/ISO_Fortran_binding.h, version 20240719): base address, bytes of an element, version (32
 * bits), rank, type, attribute, more (8 each); then of each dimension lower bound, extent, bytes
 * from one element to the next.
 */
#ifndef STENCILOPT_DESCRIPTOR_H
#define STENCILOPT_DESCRIPTOR_H

#include "bridge/bridge.h"
#include "model/stencil.h"

enum {
    DESC_BASE = 0,
    DESC_ELEMENT = 8,
    DESC_RANK = 20, /* may be read as 32 bits: rank, type, attribute and more */
    DESC_TYPE = 21,
    DESC_ATTRIBUTE = 22,
    DESC_MORE = 23,
    DESC_DIMENSIONS = 24,
    DESC_EXTENT = 8, /* in a dimension */
    DESC_STEP = 16,
    DESC_DIMENSION = 24,
    DESC_SIZE = DESC_DIMENSIONS + ST_MAX_RANK * DESC_DIMENSION,
    DESC_MAX_MARKERS = 8,
    DESC_MAX_ELEMENT = 8,
    /* CFI_type_float, CFI_type_double; the types before are numbers, too */
    DESC_FLOAT = 27,
    DESC_DOUBLE = 28,
    /* CFI_attribute_pointer, CFI_attribute_allocatable */
    DESC_POINTER = 1,
    DESC_ALLOCATABLE = 2
};

/* A descriptor on the stack that is written for one call: the store to each field, what the numbers
 * are that all descriptors have, and the lifetime markers of its memory. */
typedef struct prep_descriptor {
    LLVMValueRef at, field[DESC_SIZE], marker[DESC_MAX_MARKERS];
    int nmarkers, rank;
    int64_t element, type, attribute;
} prep_descriptor;

/* The rank of the array if the variable is a descriptor, as flang makes them; 0: it is none. */
int prep_rank_of(LLVMValueRef variable);
/* Reads the descriptor that the call gets as this operand. False: its memory may be used otherwise,
 * a field is not known, or it is of no array of numbers. `scope`: stores outside this loop do not
 * count, since the loop writes all fields anew; or NULL. */
bool prep_read_descriptor(prep_descriptor *d, br_function *f, br_loop scope, LLVMValueRef call,
                          unsigned operand);
/* The value of a field; NULL: the field is not written. */
LLVMValueRef prep_field(const prep_descriptor *d, int offset);
LLVMValueRef prep_extent(const prep_descriptor *d, int dimension);
LLVMValueRef prep_step(const prep_descriptor *d, int dimension);

/* The tag by which flang tells LLVM that a load or store is of some array's element, and so of no
 * descriptor; NULL: the function has no such tags. And the kind of metadata that tags are. */
LLVMValueRef prep_alias_data(LLVMValueRef function);
unsigned prep_alias_kind(LLVMTypeRef type);

#endif
