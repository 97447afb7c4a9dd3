/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values that a loop loads, taken out of it while it is looked at: see hoist.c.
 */
#ifndef STENCILOPT_HOIST_H
#define STENCILOPT_HOIST_H

#include "detect/common/calls.h"
#include "detect/common/flow.h"

enum {
    HOIST_MAX_BLOCKS = ST_LIMIT(256, 6),
    HOIST_MAX = ST_LIMIT(96, 2),
    HOIST_MAX_UNITS = ST_LIMIT(32, 2),
    HOIST_MAX_EQUALS = ST_LIMIT(96, 2),
    HOIST_MAX_DETACHED = ST_LIMIT(1024, 4)
};

typedef struct prep_hoisted {
    LLVMValueRef value; /* the stand-in; NULL once it is loaded */
    LLVMValueRef load;  /* the first load of the program */
    br_scev address;    /* does not change in the scope */
    unsigned alignment;
    int sweep; /* the sweep under whose guards the program reads it; -1: it reads it in any case */
} prep_hoisted;

typedef struct prep_hoisted_use {
    LLVMValueRef user, load;
    unsigned operand;
} prep_hoisted_use;

/* A phi's start value as LLVM knows it. The region requires that the hoisted load gives the same
 * value. */
typedef struct prep_hoisted_start {
    LLVMValueRef phi, start, value; /* `value`: the stand-in, later the load */
} prep_hoisted_start;
/* A number on which the places of array elements depend, and the value that is assumed of it: see
 * units.c. */
typedef struct prep_unit {
    LLVMValueRef value,
        is;      /* both are entries or values from outside the scope; `is` may be a literal */
    int missing; /* how many of the two are still to be loaded */
} prep_unit;

/* A condition checked in front of the region: two values are equal, or with `differs` not equal. */
typedef struct prep_equal {
    LLVMValueRef instruction; /* one of `added`: the difference of the two */
    br_scev difference;       /* once loads have stand-ins */
    bool differs;
} prep_equal;

/* An instruction that is taken out while the scope is looked at. */
typedef struct prep_detached {
    LLVMValueRef instruction, next;
} prep_detached;

typedef struct prep_hoists {
    br_function *f;
    LLVMValueRef function;
    br_loop scope;
    prep_hoisted entries[HOIST_MAX]; /* once placed: in the order in which they can be loaded */
    int count;
    prep_hoisted_use *uses; /* operands that have a stand-in now */
    size_t nuses;
    prep_hoisted_start starts[HOIST_MAX];
    int nstarts;
    prep_unit units[HOIST_MAX_UNITS];
    int nunits;
    /* Conditions under which an assignment of whole arrays is a memmove: see assign.c. */
    prep_equal equals[HOIST_MAX_EQUALS];
    int nequals;
    prep_detached *detached; /* allocated with the first: instructions taken out, and how many */
    int ndetached;
    LLVMValueRef *added; /* instructions put in their place, in order */
    int nadded;
} prep_hoists;

/* Assumptions about arrays whose shape is known only at run time. HOIST_UNITS: innermost loops walk
 * arrays without gaps. HOIST_SHAPES: in addition, all arrays have rows of equal length. */
typedef enum prep_hoist_mode { HOIST_PLAIN, HOIST_UNITS, HOIST_SHAPES } prep_hoist_mode;

/* May the loop be a region, as far as can be told without addresses? If not, hoisting does not
 * help. This test is cheap. */
bool prep_may_hoist(br_loop scope);
/* Does hoisting never help a nest refused for this reason? */
bool prep_stays_refused(st_reason reason);
/* Is the reason a gap between elements? */
bool prep_is_for_gaps(st_reason reason);
/* Does the address advance in its innermost loop by a step that cannot be one element? */
bool prep_has_gaps(br_scev address);
/* How an innermost loop walks arrays, as far as its addresses tell: by one element; by a number of
 * elements that is known at run time only, which may be the length of a row; and does it then also
 * access cells beside one another? */
typedef struct prep_walks {
    bool elements, rows, beside;
    br_scev seen[8]; /* addresses in rows, in the first iteration */
    int nseen;
} prep_walks;
prep_walks prep_walks_of(br_function *f, br_loop innermost);
/* Does it walk columns? If so, the length of a row is hardly one element. */
bool prep_walks_columns(br_function *f, br_loop innermost);
/* Replaces loads from addresses that do not change in the loop by stand-ins. NULL: the loop has no
 * such loads and needs no assumption of this mode. */
prep_hoists *prep_hoist(br_function *f, LLVMValueRef function, br_loop scope, prep_hoist_mode mode);
/* The loop gets its loads back. */
void prep_hoists_undo(prep_hoists *h);
/* The address that a stand-in's value is loaded from; NULL: it is no stand-in. */
br_scev prep_loaded_from(const prep_hoists *h, LLVMValueRef value);
/* The start value of a hoisted value as LLVM knows it, or NULL. */
LLVMValueRef prep_hoisted_start_of(const prep_hoists *h, LLVMValueRef value);

/* In an iteration of the scope, can control get from a to b, and never from b to a? */
bool prep_precedes(const prep_hoists *h, LLVMValueRef a, LLVMValueRef b);
/* Does the value depend on an entry from number `first` on? `known`: those known before the first
 * step do not count. */
bool prep_depends_on(const prep_hoists *h, br_scev s, int first, bool known);

/* Between the files that do this. */
void prep_replace_use(prep_hoists *h, LLVMValueRef user, unsigned operand, LLVMValueRef was,
                      LLVMValueRef by);
bool prep_replace_uses(prep_hoists *h, LLVMValueRef v, LLVMValueRef by); /* uses in the scope */
/* Does control pass the block each time that it runs through the loop? prep_always_passed: not
 * asked of loops of more than HOIST_MAX_BLOCKS blocks. prep_is_passed_or_fails: or does the program
 * end, as behind a check? */
bool prep_is_passed(br_function *f, br_loop l, LLVMBasicBlockRef block);
bool prep_is_passed_or_fails(br_function *f, br_loop l, LLVMBasicBlockRef block);
/* Does the program load the same place on each way to the loop, and free nothing afterwards? Then
 * there is memory. */
bool prep_is_loaded_before(br_function *f, LLVMValueRef function, br_loop l, LLVMValueRef load);
bool prep_always_passed(br_function *f, br_loop scope, LLVMBasicBlockRef block);
/* Does the value depend on a stand-in? Then it is not there in front of the scope yet. */
bool prep_hoists_in(const prep_hoists *h, br_scev s);
bool prep_is_stand_in(const prep_hoists *h, LLVMValueRef v);
/* Takes v to be `is`, unless something is assumed of v already. */
void prep_assume(prep_hoists *h, LLVMValueRef v, LLVMValueRef is);
void prep_assume_units(prep_hoists *h);
void prep_assume_shapes(prep_hoists *h);
/* Visits the accesses of innermost loops whose addresses change there. `look_at` gets the address,
 * a recurrence over the loop. */
typedef struct prep_accesses {
    prep_hoists *h;
    br_scev step[ST_MAX_RANK]; /* the step of the first access, for each loop from the innermost on;
                                  or NULL */
    void (*look_at)(struct prep_accesses *a, br_scev at, int64_t size);
    prep_walks walks;
} prep_accesses;
void prep_look_in(prep_accesses *a, br_loop l);
void prep_detach_assignments(prep_hoists *h);
bool prep_read_assignments(prep_hoists *h); /* once loads have stand-ins: sets h->equals */
void prep_attach_assignments(prep_hoists *h);

#endif
