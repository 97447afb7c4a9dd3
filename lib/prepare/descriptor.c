/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads a descriptor of a Fortran array that the program writes just for a call of flang's runtime:
 * see descriptor.h.
 */
#include "prepare/descriptor.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"

#include <string.h>

static bool is_marker(LLVMValueRef i) {
    return host_calls(i, "llvm.lifetime.");
}

enum { MAX_OTHERS = 8 };

typedef struct reader {
    prep_descriptor *d;
    br_function *f;
    br_loop scope;
    LLVMValueRef call;
    LLVMValueRef other[MAX_OTHERS]; /* assignments behind the scope, or instead of it */
    int nothers;
} reader;

static bool is_before_call(const reader *r, LLVMValueRef i) {
    return LLVMGetInstructionParent(i) == LLVMGetInstructionParent(r->call) &&
           br_earlier_in_block(i, r->call);
}

/* Is the address so many bytes behind the descriptor? */
static bool find_offset(const reader *r, LLVMValueRef address, int64_t *offset) {
    br_scev s = br_scev_of(r->f, address), base = br_scev_of(r->f, r->d->at);
    *offset = 0;
    return s == base ||
           (br_scev_kind(s) == BR_ADD && br_scev_count(s) == 2 &&
            br_scev_int(br_scev_operand(s, 0), offset) && br_scev_operand(s, 1) == base);
}

/* The assignment, outside the scope, reads the memory. */
static bool add_other(reader *r, LLVMValueRef i) {
    bool reads = host_is_array_assignment(i) && LLVMGetOperand(i, 0) != r->d->at;
    if (!reads || r->nothers == MAX_OTHERS)
        return false;
    r->other[r->nothers++] = i;
    return true;
}

/* Is the field written in the block before the assignment, as the one that is known? */
static bool writes_field(const reader *r, LLVMValueRef other, int field) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(r->d->field[field], 0));
    LLVMBasicBlockRef block = LLVMGetInstructionParent(other);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != other;
         i = LLVMGetNextInstruction(i)) {
        int64_t offset;
        if (LLVMIsAStoreInst(i) && LLVMTypeOf(LLVMGetOperand(i, 0)) == type &&
            find_offset(r, LLVMGetOperand(i, 1), &offset) && offset == field)
            return true;
    }
    return false;
}

/* Does no assignment outside read what the scope writes, because each writes all of it first? */
static bool are_others_apart(const reader *r) {
    for (int k = 0; k < r->nothers; k++)
        for (int i = 0; i < DESC_SIZE; i++)
            if (r->d->field[i] && !writes_field(r, r->other[k], i))
                return false;
    return true;
}

/* Do only stores, markers, the call, and assignments outside the scope use the memory? */
static bool find_fields(reader *r, LLVMValueRef p, int64_t offset) {
    prep_descriptor *d = r->d;
    for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool counts = !r->scope || !LLVMIsAInstruction(user) || host_in_loop(r->scope, user);
        int64_t to;
        if (LLVMIsAGetElementPtrInst(user)) {
            if (!find_offset(r, user, &to) || !find_fields(r, user, to))
                return false;
        } else if (LLVMIsAStoreInst(user)) {
            if (LLVMGetOperand(user, 1) != p || LLVMGetVolatile(user))
                return false;
            if (!counts)
                continue;
            if (!is_before_call(r, user) || offset < 0 || offset >= DESC_SIZE || d->field[offset])
                return false;
            d->field[offset] = user;
        } else if (is_marker(user)) {
            if (counts && d->nmarkers == DESC_MAX_MARKERS)
                return false;
            if (counts)
                d->marker[d->nmarkers++] = user;
        } else if (user != r->call && (counts || !add_other(r, user))) {
            return false;
        }
    }
    return true;
}

LLVMValueRef prep_field(const prep_descriptor *d, int offset) {
    return d->field[offset] ? LLVMGetOperand(d->field[offset], 0) : NULL;
}

LLVMValueRef prep_extent(const prep_descriptor *d, int dimension) {
    return prep_field(d, DESC_DIMENSIONS + dimension * DESC_DIMENSION + DESC_EXTENT);
}

LLVMValueRef prep_step(const prep_descriptor *d, int dimension) {
    return prep_field(d, DESC_DIMENSIONS + dimension * DESC_DIMENSION + DESC_STEP);
}

static bool is_number(const prep_descriptor *d, int offset, int64_t *value) {
    LLVMValueRef v = prep_field(d, offset);
    if (!v || !LLVMIsAConstantInt(v))
        return false;
    *value = LLVMConstIntGetSExtValue(v);
    return true;
}

static bool is_of(LLVMValueRef v, LLVMTypeRef type) {
    return v && LLVMTypeOf(v) == type;
}

/* Does nothing follow the dimensions? Bit 0 says so. The others name who allocates, as those of the
 * array that a section is of. */
static bool is_bare(LLVMValueRef more) {
    LLVMValueRef mask =
        more && LLVMIsAInstruction(more) && LLVMGetInstructionOpcode(more) == LLVMAnd
            ? LLVMGetOperand(more, 1)
            : more;
    return mask && LLVMIsAConstantInt(mask) && !(LLVMConstIntGetZExtValue(mask) & 1);
}

/* Are all fields known? */
static bool read_fields(prep_descriptor *d, LLVMTypeRef i64) {
    int64_t rank;
    LLVMValueRef base = prep_field(d, DESC_BASE);
    if (!is_number(d, DESC_RANK, &rank) || rank < 1 || rank > ST_MAX_RANK ||
        !is_number(d, DESC_TYPE, &d->type) || !is_number(d, DESC_ATTRIBUTE, &d->attribute) ||
        !is_bare(prep_field(d, DESC_MORE)) || !is_number(d, DESC_ELEMENT, &d->element) ||
        d->element < 1 || d->element > DESC_MAX_ELEMENT || !base ||
        LLVMGetTypeKind(LLVMTypeOf(base)) != LLVMPointerTypeKind)
        return false;
    d->rank = (int)rank;
    bool known = true;
    for (int k = 0; k < d->rank && known; k++)
        known = is_of(prep_extent(d, k), i64) && is_of(prep_step(d, k), i64);
    return known;
}

bool prep_read_descriptor(prep_descriptor *d, br_function *f, br_loop scope, LLVMValueRef call,
                          unsigned operand) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(call)));
    *d = (prep_descriptor){.at = LLVMGetOperand(call, operand)};
    reader r = {.d = d, .f = f, .scope = scope, .call = call};
    return LLVMIsAAllocaInst(d->at) && LLVMGetOperand(call, 0) != LLVMGetOperand(call, 1) &&
           find_fields(&r, d->at, 0) && are_others_apart(&r) && read_fields(d, i64);
}

/* Tags of accesses */

unsigned prep_alias_kind(LLVMTypeRef type) {
    return LLVMGetMDKindIDInContext(LLVMGetTypeContext(type), "tbaa", 4);
}

/* Part number `part` of a node that has at least so many; else NULL. */
static LLVMValueRef part_of(LLVMValueRef node, unsigned part) {
    enum { MOST = 8 };
    LLVMValueRef parts[MOST];
    unsigned count = node && LLVMIsAMDNode(node) ? LLVMGetMDNodeNumOperands(node) : 0;
    if (part >= count || count > MOST)
        return NULL;
    LLVMGetMDNodeOperands(node, parts);
    return parts[part];
}

/* The type of all elements, among the one that the tag names and those that it is one of. */
static LLVMValueRef find_data(LLVMValueRef tag) {
    static const char name[] = "any data access";
    enum { MOST = 8 };
    LLVMValueRef type = part_of(tag, 1);
    for (int n = 0; type && n < MOST; n++) {
        LLVMValueRef text = part_of(type, 0);
        unsigned length = 0;
        const char *own = text && LLVMIsAMDString(text) ? LLVMGetMDString(text, &length) : "";
        if (length == sizeof name - 1 && !memcmp(own, name, length))
            return type;
        type = part_of(type, 1);
    }
    return NULL;
}

LLVMValueRef prep_alias_data(LLVMValueRef function) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(function));
    unsigned kind = prep_alias_kind(LLVMTypeOf(function));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef tag = LLVMGetMetadata(i, kind), data = tag ? find_data(tag) : NULL;
            if (!data)
                continue;
            LLVMMetadataRef type = LLVMValueAsMetadata(data);
            LLVMValueRef zero = LLVMConstInt(LLVMInt64TypeInContext(c), 0, false);
            LLVMMetadataRef parts[] = {type, type, LLVMValueAsMetadata(zero)};
            return LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, parts, 3));
        }
    return NULL;
}

int prep_rank_of(LLVMValueRef v) {
    enum { FIELDS = 7 }; /* before the dimensions: pointer, size, version, and four bytes */
    LLVMTypeRef type = LLVMIsAGlobalVariable(v) ? LLVMGlobalGetValueType(v)
                       : LLVMIsAAllocaInst(v)   ? LLVMGetAllocatedType(v)
                                                : NULL;
    if (!type || LLVMGetTypeKind(type) != LLVMStructTypeKind ||
        LLVMCountStructElementTypes(type) <= FIELDS || LLVMIsPackedStruct(type))
        return 0;
    static const unsigned bits[FIELDS] = {0, 64, 32, 8, 8, 8, 8};
    LLVMTypeRef last = LLVMStructGetTypeAtIndex(type, FIELDS);
    bool is = LLVMGetTypeKind(LLVMStructGetTypeAtIndex(type, 0)) == LLVMPointerTypeKind &&
              LLVMGetTypeKind(last) == LLVMArrayTypeKind;
    for (unsigned k = 1; k < FIELDS && is; k++) {
        LLVMTypeRef field = LLVMStructGetTypeAtIndex(type, k);
        is = LLVMGetTypeKind(field) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(field) == bits[k];
    }
    return is ? (int)LLVMGetArrayLength2(last) : 0;
}
