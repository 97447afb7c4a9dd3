/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The table of preparations: for each one whether it may help, how it is made, taken back and
 * finished.
 */
#include "prepare/prepare.h"

typedef struct preparation {
    /* May the preparation be made, for all that can be told cheaply? If so, apply may also change
     * the form of the loop, but not what it does. */
    bool (*applies)(br_function *f, LLVMValueRef function, br_loop l);
    /* False: there is nothing to change. */
    bool (*apply)(prep_change *out, br_function *f, LLVMValueRef function, br_loop l);
    void (*take_back)(prep_change *c);
    void (*finish)(prep_change *c);
} preparation;

static bool always(br_function *f, LLVMValueRef function, br_loop l) {
    (void)f, (void)function, (void)l;
    return true;
}

static bool nothing(prep_change *out, br_function *f, LLVMValueRef function, br_loop l) {
    (void)out, (void)f, (void)function, (void)l;
    return true;
}

static void forget(prep_change *c) {
    (void)c;
}

/* Temporary arrays */

static bool take_temporaries(prep_change *out, br_function *f, LLVMValueRef function, br_loop l) {
    out->temporaries = prep_take_temporaries(f, function, l);
    return out->temporaries != NULL;
}

static void put_temporaries_back(prep_change *c) {
    prep_put_temporaries_back(c->temporaries);
}

static void leave_temporaries(prep_change *c) {
    prep_leave_temporaries(c->temporaries);
}

/* Loads */

static bool may_hoist(br_function *f, LLVMValueRef function, br_loop l) {
    (void)f, (void)function;
    return prep_may_hoist(l);
}

static bool hoist(prep_change *out, br_function *f, LLVMValueRef function, br_loop l) {
    static const prep_hoist_mode modes[] = {
        [PREP_LOADS] = HOIST_PLAIN, [PREP_UNITS] = HOIST_UNITS, [PREP_SHAPES] = HOIST_SHAPES};
    out->hoists = prep_hoist(f, function, l, modes[out->id]);
    return out->hoists != NULL;
}

/* The original loop gets its loads back, whether or not it was offloaded. */
static void undo_hoists(prep_change *c) {
    prep_hoists_undo(c->hoists);
}

/* What a region must satisfy after each preparation, tested in front of its loops or at compile
 * time. Temporaries: there is memory for all of them at once. Loads: no sweep writes what the loop
 * reads in each step. Units: the same, and elements of an array have no gaps between them. Shapes:
 * the same, and all arrays have one shape. */
static const preparation preparations[PREP_COUNT] = {
    [PREP_NONE] = {always, nothing, forget, forget},
    [PREP_TEMPORARIES] = {always, take_temporaries, put_temporaries_back, leave_temporaries},
    [PREP_LOADS] = {may_hoist, hoist, undo_hoists, undo_hoists},
    [PREP_UNITS] = {may_hoist, hoist, undo_hoists, undo_hoists},
    [PREP_SHAPES] = {may_hoist, hoist, undo_hoists, undo_hoists},
};

bool prep_apply(prep_change *out, prep_id id, br_function *f, LLVMValueRef function, br_loop l,
                bool *touched) {
    const preparation *p = &preparations[id];
    *out = (prep_change){.id = id};
    bool may = p->applies(f, function, l), made = may && p->apply(out, f, function, l);
    *touched |= may && p->applies != always;
    *touched |= made && id != PREP_NONE;
    if (!made)
        *out = (prep_change){.id = PREP_NONE};
    return made;
}

void prep_take_back(prep_change *c) {
    preparations[c->id].take_back(c);
    *c = (prep_change){.id = PREP_NONE};
}

void prep_finish(prep_change *c) {
    preparations[c->id].finish(c);
    *c = (prep_change){.id = PREP_NONE};
}
