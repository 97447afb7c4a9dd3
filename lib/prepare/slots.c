/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop whose arrays are swapped in memory: in members of structs that functions get the
 * address of, in global variables, or as whole structs. While the pointers are in memory they are
 * stores among the sweeps, and each sweep's arrays are unknown:
 *
 *     for (t = 0; t < T; t++) {            a = x.data; b = y.data;
 *         sweep(x.data, y.data);           for (t = 0; t < T; t++) {
 *         if (t % 100 == 0)                    sweep(a, b);
 *             print(&x);           ->          if (t % 100 == 0) {
 *         swap(&x.data, &y.data);                  x.data = a; y.data = b; print(&x);
 *     }                                            a = x.data; b = y.data;
 *                                              }
 *                                              swap(a, b);
 *                                          }
 *                                          x.data = a; y.data = b;
 *
 * A slot is memory at an address that does not change in the loop, of which all accesses in the
 * loop have this address and one type. Legal when
 *   1. it overlaps no other slot, as LLVM's alias analysis proves;
 *   2. what else may touch it finds it as it would be, and what calls leave there is read again;
 *   3. the program stores to it in each iteration, so that storing it at the end is nothing new.
 * Copies of a constant number of bytes between slots, as of whole structs, are made word by word
 * first.
 */
#include "prepare/slots.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "model/fixed_limits.h"
#include "prepare/exits.h"
#include "prepare/hoist.h"
#include "prepare/sequence.h"

#include <stdlib.h>

enum {
    MAX_SLOTS = ST_LIMIT(64, 3),
    MAX_ACCESSES = ST_LIMIT(512, 16),
    MAX_MEETINGS = ST_LIMIT(256, 8),
    MAX_COPY = 128, /* bytes */
    WORD = 8
};

typedef struct slot {
    LLVMValueRef base;
    int64_t offset;
    LLVMTypeRef type;
    bool stored, bad;
    LLVMValueRef address, copy;
} slot;

typedef struct access {
    LLVMValueRef i;
    int slot;    /* -1: it is refused */
    bool passed; /* is_passed */
} access;

/* An instruction before which slots are stored, and after which they are loaded again. */
typedef struct meeting {
    LLVMValueRef i;
    uint64_t slots; /* bit s: slot s */
} meeting;

typedef struct slots {
    br_function *f;
    LLVMValueRef function;
    LLVMBasicBlockRef head;
    br_loop l;
    LLVMBuilderRef b;
    slot slot[MAX_SLOTS];
    access access[MAX_ACCESSES];
    prep_exits exits;
    meeting meeting[MAX_MEETINGS];
    int count, naccesses, nmeetings;
} slots;

static LLVMContextRef context_of(const slots *s) {
    return LLVMGetTypeContext(LLVMTypeOf(s->function));
}

static bool is_access(LLVMValueRef i) {
    return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
}

static LLVMValueRef address_of(LLVMValueRef i) {
    return LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
}

static LLVMTypeRef type_of(LLVMValueRef i) {
    return LLVMTypeOf(LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i);
}

/* The bytes of a pointer or number that may be a slot; 0: it may not. */
static int bytes_of(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
        return LLVMGetPointerAddressSpace(type) == 0 ? 8 : 0;
    case LLVMDoubleTypeKind:
        return 8;
    case LLVMFloatTypeKind:
        return 4;
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) % 8 == 0 && LLVMGetIntTypeWidth(type) <= 64
                   ? (int)LLVMGetIntTypeWidth(type) / 8
                   : 0;
    case LLVMVectorTypeKind: /* as LLVM copies a struct's small members */
        return LLVMGetElementType(type) == LLVMInt8TypeInContext(LLVMGetTypeContext(type)) &&
                       LLVMGetVectorSize(type) <= WORD
                   ? (int)LLVMGetVectorSize(type)
                   : 0;
    default:
        return 0;
    }
}

/* Is the address the same in all iterations, as a base outside the loop and a constant tell? */
static bool find_place(br_loop l, LLVMValueRef address, LLVMValueRef *base, int64_t *offset) {
    *base = br_base_and_offset(address, offset);
    bool kind = LLVMIsAInstruction(*base) || LLVMIsAArgument(*base) || LLVMIsAGlobalVariable(*base);
    return kind && !host_in_loop(l, *base) && LLVMGetPointerAddressSpace(LLVMTypeOf(*base)) == 0;
}

static bool is_nested(br_function *f, br_loop l, LLVMValueRef i) {
    return br_loop_of(f, LLVMGetInstructionParent(i)) != l;
}

/* Copies word by word */

/* A copy of a known number of bytes from one place to another. */
static bool is_small_copy(const slots *s, LLVMValueRef i, int64_t *size) {
    LLVMValueRef base;
    int64_t offset;
    bool copies = host_calls(i, "llvm.memcpy.") || host_calls(i, "llvm.memmove.");
    if (!copies || is_nested(s->f, s->l, i) || !LLVMIsAConstantInt(LLVMGetOperand(i, 2)) ||
        !LLVMIsNull(LLVMGetOperand(i, 3)))
        return false;
    *size = (int64_t)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2));
    return *size > 0 && *size <= MAX_COPY &&
           find_place(s->l, LLVMGetOperand(i, 0), &base, &offset) &&
           find_place(s->l, LLVMGetOperand(i, 1), &base, &offset);
}

/* The type that the loop has for what is at this place, or NULL. */
static LLVMTypeRef known_type(const slots *s, LLVMValueRef of, int64_t behind) {
    LLVMBasicBlockRef block;
    LLVMValueRef base, other;
    int64_t offset, at;
    find_place(s->l, of, &base, &offset);
    for (size_t b = 0; (block = br_loop_block(s->l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (is_access(i) && bytes_of(type_of(i)) &&
                find_place(s->l, address_of(i), &other, &at) && other == base &&
                at == offset + behind)
                return type_of(i);
    return NULL;
}

static bool is_word(int64_t bytes) {
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/* Does the loop access something that begins within these bytes, but not with the first? */
static bool is_divided(const slots *s, LLVMValueRef copy, int64_t at, int64_t bytes) {
    bool divided = false;
    for (int64_t k = 1; k < bytes && !divided; k++)
        divided = known_type(s, LLVMGetOperand(copy, 0), at + k) ||
                  known_type(s, LLVMGetOperand(copy, 1), at + k);
    return divided;
}

/* What is copied at this place: as the loop has it, else as the struct has it, else as many bytes
 * as the loop has in one. */
static LLVMTypeRef word_type(const slots *s, LLVMValueRef copy, int64_t at, int64_t size) {
    int64_t bytes = br_member_size(copy, at);
    for (unsigned k = 0; k < 2; k++) {
        LLVMTypeRef known = known_type(s, LLVMGetOperand(copy, k), at);
        if (known && at + bytes_of(known) <= size)
            return known;
    }
    if (!is_word(bytes) || is_divided(s, copy, at, bytes))
        for (bytes = WORD; bytes > 1; bytes /= 2)
            if (at % bytes == 0 && at + bytes <= size && !is_divided(s, copy, at, bytes))
                break;
    return LLVMIntTypeInContext(context_of(s), (unsigned)bytes * 8);
}

static LLVMValueRef behind(const slots *s, LLVMValueRef base, int64_t offset) {
    LLVMValueRef by = LLVMConstInt(LLVMInt64TypeInContext(context_of(s)), (uint64_t)offset, true);
    return offset ? LLVMBuildGEP2(s->b, LLVMInt8TypeInContext(context_of(s)), base, &by, 1, "")
                  : base;
}

/* Loads what a copy copies: *count words. What the struct has between its members is not copied. */
static void load_words(const slots *s, LLVMValueRef copy, int64_t size, LLVMValueRef *word,
                       int64_t *place, int *count) {
    bool described = br_member_size(copy, 0) > 0;
    int64_t at = 0, end = 0;
    while (at < size) {
        int64_t member = br_member_size(copy, at);
        end = member ? at + member : end;
        if (described && at >= end) {
            at++;
            continue;
        }
        LLVMTypeRef type = word_type(s, copy, at, size);
        LLVMValueRef load = LLVMBuildLoad2(s->b, type, behind(s, LLVMGetOperand(copy, 1), at), "");
        LLVMSetAlignment(load, 1);
        if (member == bytes_of(type))
            br_tag_member(copy, at, load);
        word[*count] = load;
        place[(*count)++] = at;
        at += bytes_of(type);
    }
}

static void split_copy(const slots *s, LLVMValueRef copy, int64_t size) {
    LLVMValueRef word[MAX_COPY];
    int64_t place[MAX_COPY];
    int count = 0;
    LLVMPositionBuilderBefore(s->b, copy);
    load_words(s, copy, size, word, place, &count);
    for (int i = 0; i < count; i++) {
        LLVMValueRef to = behind(s, LLVMGetOperand(copy, 0), place[i]);
        LLVMValueRef store = LLVMBuildStore(s->b, word[i], to);
        LLVMSetAlignment(store, 1);
        if (br_member_size(copy, place[i]) == bytes_of(LLVMTypeOf(word[i])))
            br_tag_member(copy, place[i], store);
    }
    LLVMInstructionEraseFromParent(copy);
}

static void split_copies(const slots *s) {
    LLVMBasicBlockRef block;
    int64_t size;
    for (size_t b = 0; (block = br_loop_block(s->l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_small_copy(s, i, &size))
                split_copy(s, i, size);
        }
}

/* Finding slots */

/* The slot of this place and type. If there is none, `make` adds one. -1: there is none. */
static int slot_at(slots *s, LLVMValueRef base, int64_t offset, LLVMTypeRef type, bool make) {
    for (int i = 0; i < s->count; i++)
        if (s->slot[i].base == base && s->slot[i].offset == offset && s->slot[i].type == type)
            return i;
    if (!make || s->count == MAX_SLOTS)
        return -1;
    s->slot[s->count] = (slot){.base = base, .offset = offset, .type = type};
    return s->count++;
}

static void add_access(slots *s, LLVMValueRef i) {
    LLVMValueRef base;
    int64_t offset;
    bool stores = LLVMIsAStoreInst(i) != NULL;
    if (s->naccesses == MAX_ACCESSES || !host_is_plain(i) || !bytes_of(type_of(i)) ||
        !find_place(s->l, address_of(i), &base, &offset))
        return;
    int at = slot_at(s, base, offset, type_of(i), stores);
    if (at < 0)
        return;
    s->slot[at].stored |= stores;
    s->access[s->naccesses++] = (access){.i = i, .slot = at};
}

static void add_accesses(slots *s, bool stores) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(s->l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (is_access(i) && (LLVMIsAStoreInst(i) != NULL) == stores)
                add_access(s, i);
}

/* What the loop only loads stays in memory. */
static void find_slots(slots *s) {
    add_accesses(s, true);
    add_accesses(s, false);
}

bool prep_has_slots(br_function *f, br_loop l) {
    LLVMBasicBlockRef block;
    LLVMValueRef base;
    int64_t offset;
    bool has = false;
    for (size_t b = 0; !has && (block = br_loop_block(l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !has;
             i = LLVMGetNextInstruction(i)) {
            LLVMValueRef to = host_written(i);
            has = to && !is_nested(f, l, i) && find_place(l, to, &base, &offset) &&
                  (host_is_copy(i) || bytes_of(type_of(i)));
        }
    return has;
}

/* Checking them */

static bool is_call(LLVMValueRef i) {
    return (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && !host_calls(i, "llvm.");
}

/* Is it a call that may write, throw, or end the program? Before such a call the slots' values are
 * stored, so that the call, and what catches, find them. */
static bool is_spill(LLVMValueRef i) {
    return is_call(i) && (br_may_write(i) || LLVMIsAInvokeInst(i));
}

/* Is the slot surely written before the loop? */
static bool is_stored_before(const slots *s, const slot *at) {
    bool is = false;
    LLVMValueRef base;
    int64_t offset;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->function); b && !is;
         b = LLVMGetNextBasicBlock(b)) {
        if (br_loop_contains(s->l, b) || !br_dominates(s->f, b, br_loop_header(s->l)))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !is; i = LLVMGetNextInstruction(i))
            is = LLVMIsAStoreInst(i) && find_place(s->l, address_of(i), &base, &offset) &&
                 base == at->base && offset == at->offset;
    }
    return is;
}

/* Is it memory that may be written whether the loop writes it or not? */
static bool is_writable(const slots *s, const slot *at) {
    LLVMValueRef base = at->base;
    return LLVMIsAAllocaInst(base) ||
           (LLVMIsAGlobalVariable(base) && !LLVMIsGlobalConstant(base)) ||
           (LLVMIsACallInst(base) && host_allocates(host_callee_name(base))) ||
           is_stored_before(s, at);
}

/* Does control pass the access in each iteration, but where the program ends behind a check? There
 * the slot's value goes to memory first. */
static bool is_passed(const slots *s, const access *a) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(a->i);
    return is_writable(s, &s->slot[a->slot]) ? prep_is_passed_or_fails(s->f, s->l, block)
                                             : prep_is_passed(s->f, s->l, block);
}

/* Is the access always made in a step in which control comes to the instruction? */
static bool comes_with(const slots *s, const access *a, LLVMValueRef i) {
    LLVMBasicBlockRef own = LLVMGetInstructionParent(a->i), at = LLVMGetInstructionParent(i);
    return a->passed || (own != at && br_dominates(s->f, own, at));
}

/* Does the instruction touch the slot? Not if it touches none of the memory of an access that comes
 * with it. Other accesses may have lost what they tell of types. */
static bool touches(const slots *s, int number, LLVMValueRef i) {
    bool may = true;
    for (int k = 0; k < s->naccesses && may; k++)
        may = s->access[k].slot != number || !comes_with(s, &s->access[k], i) ||
              br_may_touch(s->f, i, s->access[k].i);
    return may;
}

/* The slot whose access it is; -1: it is none. */
static int slot_of(const slots *s, LLVMValueRef i) {
    for (int k = 0; k < s->naccesses && is_access(i); k++)
        if (s->access[k].i == i)
            return s->access[k].slot;
    return -1;
}

static bool may_be_errno(const slots *s, int number) {
    bool may = false;
    for (int k = 0; k < s->naccesses && !may; k++)
        may = s->access[k].slot == number && host_may_be_errno(s->access[k].i);
    return may;
}

/* The slots that the instruction has to find in memory. Functions of <math.h> write errno alone. */
static uint64_t slots_met(const slots *s, LLVMValueRef i) {
    bool memory = is_access(i) || LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || br_may_write(i);
    uint64_t met = 0;
    int own = slot_of(s, i);
    const char *name = host_callee_name(i);
    if (!memory || host_is_annotation(name))
        return 0;
    for (int k = 0; k < s->count; k++)
        if (k != own && !s->slot[k].bad &&
            (host_sets_errno(name) ? may_be_errno(s, k) : is_spill(i) || touches(s, k, i)))
            met |= UINT64_C(1) << k;
    return met;
}

static bool is_always(const slots *s, int number) {
    bool is = false;
    for (int k = 0; k < s->naccesses && !is; k++)
        is = s->access[k].slot == number && LLVMIsAStoreInst(s->access[k].i) && s->access[k].passed;
    return is;
}

/* Slots that overlap stay in memory. */
static void part_slots(slots *s) {
    for (int k = 0; k < s->naccesses; k++) {
        uint64_t met = s->slot[s->access[k].slot].bad ? 0 : slots_met(s, s->access[k].i);
        for (int i = 0; i < s->count && met; i++)
            s->slot[i].bad |= met >> i & 1;
        s->slot[s->access[k].slot].bad |= met != 0;
    }
}

/* False: there are too many. */
static bool find_meetings(slots *s) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(s->l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            int own = slot_of(s, i);
            uint64_t met = own >= 0 && !s->slot[own].bad ? 0 : slots_met(s, i);
            if (met && s->nmeetings == MAX_MEETINGS)
                return false;
            if (met)
                s->meeting[s->nmeetings++] = (meeting){i, met};
        }
    return true;
}

/* A slot stays in memory unless each iteration stores to it. Is any other left? */
static bool check_slots(slots *s) {
    bool any = false;
    for (int k = 0; k < s->naccesses; k++)
        s->access[k].passed = is_passed(s, &s->access[k]);
    for (int i = 0; i < s->count; i++)
        s->slot[i].bad = !s->slot[i].stored || !is_always(s, i);
    part_slots(s);
    for (int i = 0; i < s->count; i++)
        any |= !s->slot[i].bad;
    return any && find_meetings(s);
}

/* The change */

static void move(const slots *s, const slot *at, bool out) {
    LLVMValueRef v = LLVMBuildLoad2(s->b, at->type, out ? at->copy : at->address, "");
    LLVMValueRef store = LLVMBuildStore(s->b, v, out ? at->address : at->copy);
    LLVMSetAlignment(out ? store : v, 1);
}

static void move_all(const slots *s, uint64_t which, bool out) {
    for (int i = 0; i < s->count; i++)
        if (!s->slot[i].bad && (which >> i & 1))
            move(s, &s->slot[i], out);
}

/* Where a call of the loop throws to; NULL: it does not, or only out of the loop. */
static LLVMBasicBlockRef pad_in_loop(const slots *s, LLVMValueRef i) {
    LLVMBasicBlockRef pad = LLVMIsAInvokeInst(i) ? LLVMGetUnwindDest(i) : NULL;
    return pad && br_loop_contains(s->l, pad) ? pad : NULL;
}

static void spill(const slots *s, const meeting *m) {
    LLVMBasicBlockRef pad = pad_in_loop(s, m->i);
    LLVMPositionBuilderBefore(s->b, m->i);
    move_all(s, m->slots, true);
    if (pad) {
        LLVMPositionBuilderBefore(s->b, LLVMGetNextInstruction(host_first_after_phis(pad)));
        move_all(s, m->slots, false);
    }
    if (!br_may_write(m->i))
        return;
    LLVMPositionBuilderBefore(s->b, LLVMIsAInvokeInst(m->i)
                                        ? host_first_after_phis(LLVMGetNormalDest(m->i))
                                        : LLVMGetNextInstruction(m->i));
    move_all(s, m->slots, false);
}

/* Exits to landing pads come from calls, which found the slots as they are. */
static void leave(const slots *s, LLVMBasicBlockRef to) {
    LLVMValueRef first = host_first_after_phis(to);
    if (LLVMIsALandingPadInst(first))
        return;
    LLVMPositionBuilderBefore(s->b, first);
    move_all(s, UINT64_MAX, true);
}

static void leave_all(const slots *s) {
    for (int i = 0; i < s->exits.count; i++)
        leave(s, s->exits.block[i]);
}

static void allocate(slots *s, LLVMBasicBlockRef in_front) {
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(s->function));
    for (int i = 0; i < s->count; i++) {
        slot *at = &s->slot[i];
        if (at->bad)
            continue;
        LLVMPositionBuilderBefore(s->b, first);
        at->copy = LLVMBuildAlloca(s->b, at->type, "");
        LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(in_front));
        at->address = behind(s, at->base, at->offset);
    }
}

static void promote(slots *s, LLVMBasicBlockRef in_front) {
    allocate(s, in_front);
    for (int k = 0; k < s->naccesses; k++) {
        LLVMValueRef i = s->access[k].i, copy = s->slot[s->access[k].slot].copy;
        if (copy)
            LLVMSetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0, copy);
    }
    leave_all(s); /* first: a call may return to behind the loop, where slots are read again */
    for (int i = 0; i < s->nmeetings; i++)
        spill(s, &s->meeting[i]);
    LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(in_front));
    move_all(s, UINT64_MAX, false);
}

static bool find_and_promote(slots *s) {
    if (!br_loop_prepare(s->f, s->l) || !prep_find_exits(&s->exits, s->function, s->l))
        return false;
    br_function_invalidate(s->f);
    s->l = prep_loop_at(s->f, s->head);
    split_copies(s);
    find_slots(s);
    if (!check_slots(s))
        return false;
    LLVMBasicBlockRef in_front = br_loop_prepare(s->f, s->l);
    if (in_front)
        promote(s, in_front);
    return in_front != NULL;
}

LLVMBasicBlockRef prep_promote_slots(prep_shadow *shadow, LLVMBasicBlockRef head) {
    slots *s = calloc(1, sizeof *s);
    s->f = shadow->f;
    s->function = shadow->function;
    s->head = head;
    s->l = prep_loop_at(s->f, head);
    s->b = LLVMCreateBuilderInContext(context_of(s));
    bool good = s->l && find_and_promote(s);
    LLVMDisposeBuilder(s->b);
    free(s);
    good = good && prep_clean_up(shadow->function);
    shadow->body = LLVMGetEntryBasicBlock(shadow->function);
    br_function_invalidate(shadow->f);
    return good && prep_has_block(shadow->function, head) ? head : NULL;
}
