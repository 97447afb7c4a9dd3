/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Cells of 8 and 16 bits, several to a 32-bit word.
 *
 * A group of cells that share a word of the grid that rotates, four bytes or two halves, is
 * computed together where that gives the same bits. A word then has a field for each cell, which
 * holds the value less `low`, the least it may be: no field is negative or exceeds its bits, so
 * that one addition of words adds all fields, and carries never leave one. How far values reach is
 * found by intervals from the leaves up. Fields have the bits of a cell where that suffices; else
 * 16, and a group of four is two words, of its even and of its odd cells. What fits neither, or has
 * no operation on words, is computed cell by cell, of unpacked operands.
 *
 * A value of which only the low bits are wanted may be any that agrees in these: a narrowed sum of
 * sign-extended bytes needs no signs, and a narrowed logical shift is an arithmetic one.
 */
#ifndef STENCILOPT_PACK_H
#define STENCILOPT_PACK_H

#include "model/stencil.h"

enum { PK_CELL = 32 }; /* bits: computed cell by cell */

typedef struct pk_range {
    bool known;
    int64_t low, high;
} pk_range;

typedef struct pk_node {
    int bits;       /* of a field; or PK_CELL */
    pk_range range; /* known of all that is packed */
    bool boolean;   /* two values: the field's top bit says which one, whatever the other bits
                     * are */
    bool loose;     /* only the wanted bits agree with the program's value */
    int wanted;     /* low bits that the result depends on */
} pk_node;

typedef struct pk_pack {
    int group; /* cells of a word; 1: cells are words or more, and nothing is packed */
    pk_node *nodes;
} pk_pack;

/* Can cells of this type share a word? */
bool pk_is_small(st_type t);
/* `greatest`: of the cells read one step back, as unsigned numbers; negative: whatever fits. */
pk_pack *pk_create(const st_stencil *s, int64_t greatest);
/* A packing with all nodes computed cell by cell, whatever their type. */
pk_pack *pk_create_single(const st_stencil *s);
void pk_destroy(pk_pack *p);

/* The greatest value that the statement stores, as an unsigned number. */
int64_t pk_greatest(const st_stencil *s, const pk_pack *p);

/* How an operand's value is read: as it is in any way, or as an instruction takes its bits. */
typedef enum pk_sense { PK_ANY, PK_UNSIGNED, PK_SIGNED } pk_sense;

/* The sense in which node n takes its operands; of a comparison for equality, one that both have.
 */
pk_sense pk_sense_of(const st_stencil *s, const pk_pack *p, int32_t n);
/* The range of node n's values in this sense. */
pk_range pk_view(const st_stencil *s, const pk_pack *p, int32_t n, pk_sense sense);
/* Division of a range's values by a constant c > 0. Fields of 16 bits hold a value less c `low`;
 * where it is negative c - 1 is added, for C rounds to zero; times `factor` / 2^16 it is the
 * quotient less `low`. */
typedef struct pk_division {
    bool exact; /* this multiplication gives the quotient for all values of the range */
    bool mixed; /* some are negative */
    int64_t low, factor;
} pk_division;
pk_division pk_divide(pk_range a, int64_t c);
/* The least range that contains both. */
pk_range pk_hull(pk_range a, pk_range b);
/* Words that a group of cells takes for node n; if n is computed cell by cell, the group's
 * cells. */
int pk_words(const pk_pack *p, int32_t n);

#endif
