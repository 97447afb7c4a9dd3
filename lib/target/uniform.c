/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which values are the same for all threads of a launch: arguments, the numbers of blocks and of
 * threads in a block, what is computed from these, what is read from memory that holds arguments,
 * and integers that all threads read first of all.
 */
#include "target/uniform.h"

#include "bridge/bridge.h"

#include <llvm-c/Target.h>
#include <string.h>

int tg_operand_count(LLVMValueRef instruction) {
    return LLVMIsACallInst(instruction) ? (int)LLVMGetNumArgOperands(instruction)
                                        : LLVMGetNumOperands(instruction);
}

bool tg_is_plain_call(LLVMValueRef call) {
    return LLVMIsACallInst(call) && (tg_call_kind_of(call) == TG_UNIFORM || tg_may_repeat(call));
}

/* The pointer that `pointer` is a constant number of bytes behind. */
static LLVMValueRef base_of(LLVMValueRef pointer, int64_t *offset) {
    *offset = 0;
    while (LLVMIsAGetElementPtrInst(pointer) && LLVMGetNumOperands(pointer) == 2) {
        LLVMValueRef index = LLVMGetOperand(pointer, 1);
        LLVMTypeRef element = LLVMGetGEPSourceElementType(pointer);
        if (!LLVMIsAConstantInt(index) || LLVMGetTypeKind(element) != LLVMIntegerTypeKind ||
            LLVMGetIntTypeWidth(element) != 8)
            break;
        *offset += LLVMConstIntGetSExtValue(index);
        pointer = LLVMGetOperand(pointer, 0);
    }
    return pointer;
}

static bool is_loaded(LLVMValueRef load, tg_launch_value *value, int *dim) {
    int64_t at;
    LLVMValueRef base = base_of(LLVMGetOperand(load, 0), &at);
    LLVMTypeRef t = LLVMTypeOf(load);
    unsigned bits = LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
    return tg_loads(base, at, bits, value, dim);
}

bool tg_reads_launch(LLVMValueRef v, tg_launch_value *value, int *dim) {
    return LLVMIsALoadInst(v) ? is_loaded(v, value, dim) : tg_reads(v, value, dim);
}

unsigned tg_argument_number(LLVMValueRef argument) {
    LLVMValueRef function = LLVMGetParamParent(argument);
    unsigned i = 0;
    while (LLVMGetParam(function, i) != argument)
        i++;
    return i;
}

bool tg_argument_has(LLVMValueRef v, const char *attribute) {
    unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
    return LLVMIsAArgument(v) &&
           LLVMGetEnumAttributeAtIndex(LLVMGetParamParent(v), tg_argument_number(v) + 1, kind);
}

bool tg_is_struct(LLVMValueRef v) {
    return tg_argument_has(v, "byval") || tg_argument_has(v, "byref");
}

/* Is memory only read through the pointer? */
static bool is_only_read(LLVMValueRef pointer) {
    for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool moves = LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user);
        if (LLVMIsALoadInst(user) || (moves && is_only_read(user)))
            continue;
        bool copies = LLVMIsAMemCpyInst(user) && LLVMGetOperand(user, 0) != pointer;
        if (!copies)
            return false;
    }
    return true;
}

/* The global variable that a pointer is in, so many bytes behind its start; NULL if there is none.
 */
static LLVMValueRef global_of(LLVMValueRef pointer, int64_t *offset) {
    LLVMValueRef base = base_of(pointer, offset);
    while (LLVMIsAConstantExpr(base)) {
        LLVMOpcode op = LLVMGetConstOpcode(base);
        LLVMValueRef index = op == LLVMGetElementPtr ? LLVMGetOperand(base, 1) : NULL;
        bool bytes = index && LLVMGetNumOperands(base) == 2 && LLVMIsAConstantInt(index) &&
                     LLVMGetGEPSourceElementType(base) ==
                         LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(base)));
        if (op != LLVMAddrSpaceCast && !bytes)
            return NULL;
        *offset += bytes ? LLVMConstIntGetSExtValue(index) : 0;
        base = LLVMGetOperand(base, 0);
    }
    return LLVMIsAGlobalVariable(base);
}

static bool is_integer(LLVMValueRef load) {
    return LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMIntegerTypeKind;
}

bool tg_is_constant_memory(LLVMValueRef load) {
    int64_t at;
    LLVMValueRef global = global_of(LLVMGetOperand(load, 0), &at);
    if (!global || !is_integer(load) || LLVMGetVolatile(load) ||
        LLVMGetPointerAddressSpace(LLVMTypeOf(global)) != TG_CONSTANT)
        return false;
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(LLVMGetGlobalParent(global));
    int64_t whole = (int64_t)LLVMStoreSizeOfType(data, LLVMGlobalGetValueType(global)),
            read = (int64_t)LLVMStoreSizeOfType(data, LLVMTypeOf(load));
    return at >= 0 && read <= whole && at <= whole - read;
}

/* Does the load read an argument of the launch? No kernel writes the memory of arguments, with one
 * exception: on NVPTX a struct passed by value is the thread's own copy, which a kernel may write.
 */
static bool is_argument_memory(LLVMValueRef load) {
    int64_t ignored;
    LLVMValueRef pointer = base_of(LLVMGetOperand(load, 0), &ignored);
    if (LLVMGetVolatile(load))
        return false;
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == TG_CONSTANT)
        return true;
    return tg_is_struct(pointer) && is_only_read(pointer);
}

/* Behind so many instructions nobody looks for what may write. */
enum { MAX_FIRST = ST_LIMIT(128, 8), MAX_EARLY = ST_LIMIT(1024, 32) };

/* May memory be written, or the kernel be left, by i or an instruction before it in its block?
 * *looked counts them. */
static bool may_write_until(LLVMValueRef i, int *looked, int most) {
    tg_launch_value value;
    int dim;
    bool may = false;
    for (; i && !may; i = LLVMGetPreviousInstruction(i))
        may = ++*looked > most || br_may_write(i) ||
              (LLVMIsACallInst(i) && !tg_is_plain_call(i) && !tg_reads_launch(i, &value, &dim));
    return may;
}

enum { MAX_BLOCKS = ST_LIMIT(64, 6) };

/* Adds the blocks that go to b; false: there are too many. */
static bool add_before(LLVMBasicBlockRef b, LLVMBasicBlockRef *list, int *count) {
    LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b));
    for (; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef end = LLVMIsATerminatorInst(LLVMGetUser(u));
        LLVMBasicBlockRef from = end ? LLVMGetInstructionParent(end) : NULL;
        for (int i = 0; i < *count && from; i++)
            from = list[i] == from ? NULL : from;
        if (from && *count == MAX_BLOCKS)
            return false;
        if (from)
            list[(*count)++] = from;
    }
    return true;
}

/* May memory be written, or the kernel be left, on any way from its start to i? */
static bool may_write_before(LLVMValueRef i) {
    LLVMBasicBlockRef before[MAX_BLOCKS];
    int count = 0, looked = 0;
    if (may_write_until(LLVMGetPreviousInstruction(i), &looked, MAX_EARLY) ||
        !add_before(LLVMGetInstructionParent(i), before, &count))
        return true;
    for (int b = 0; b < count; b++)
        if (may_write_until(LLVMGetLastInstruction(before[b]), &looked, MAX_EARLY) ||
            !add_before(before[b], before, &count))
            return true;
    return false;
}

/* Is it a fixed place in an array of the launch, or in a variable that all blocks share? */
static bool is_fixed_place(LLVMValueRef pointer) {
    int64_t ignored;
    LLVMValueRef base = base_of(pointer, &ignored);
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(base));
    bool given = LLVMIsAArgument(base) || (LLVMIsALoadInst(base) && is_argument_memory(base));
    return space != TG_STACK && space != TG_SCRATCHPAD &&
           (given || global_of(pointer, &ignored) != NULL);
}

static bool is_plain_integer(LLVMValueRef load) {
    return LLVMIsALoadInst(load) && !LLVMGetVolatile(load) && is_integer(load) &&
           LLVMGetOrdering(load) == LLVMAtomicOrderingNotAtomic &&
           is_fixed_place(LLVMGetOperand(load, 0));
}

static bool is_in_entry(LLVMValueRef i) {
    LLVMBasicBlockRef b = LLVMGetInstructionParent(i);
    return b == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(b));
}

bool tg_is_read_first(LLVMValueRef load) {
    int looked = 0;
    return is_plain_integer(load) && is_in_entry(load) &&
           !may_write_until(LLVMGetPreviousInstruction(load), &looked, MAX_FIRST);
}

bool tg_is_read_early(LLVMValueRef load) {
    return is_plain_integer(load) && !may_write_before(load);
}

enum { MAX_VISITED = ST_LIMIT(256, 8) };

typedef struct search {
    bool early; /* take numbers that are read early? */
    int count;
    LLVMValueRef visited[MAX_VISITED];
} search;

static bool is_uniform(LLVMValueRef v, search *s) {
    int dim;
    tg_launch_value value;
    bool reads = tg_reads_launch(v, &value, &dim);
    if (!LLVMIsAInstruction(v) || (reads && (value == TG_BLOCK_SIZE || value == TG_BLOCK_COUNT)))
        return true;
    if (LLVMIsALoadInst(v))
        return tg_is_constant_memory(v) || tg_is_read_first(v) ||
               (s->early && tg_is_read_early(v)) ||
               (is_argument_memory(v) && is_uniform(LLVMGetOperand(v, 0), s));
    for (int i = 0; i < s->count; i++)
        if (s->visited[i] == v)
            return true; /* its own visit decides */
    /* The value of a phi also depends on the branches taken. */
    if (s->count == MAX_VISITED || reads || LLVMIsAPHINode(v) || LLVMIsAAllocaInst(v) ||
        LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v))
        return false;
    if (LLVMGetInstructionOpcode(v) == LLVMInvoke || LLVMGetInstructionOpcode(v) == LLVMCallBr ||
        (LLVMIsACallInst(v) && !tg_is_plain_call(v)))
        return false;
    s->visited[s->count++] = v;
    for (int i = 0; i < tg_operand_count(v); i++)
        if (!is_uniform(LLVMGetOperand(v, (unsigned)i), s))
            return false;
    return true;
}

bool tg_is_uniform(LLVMValueRef v) {
    search s = {.early = false};
    return is_uniform(v, &s);
}

bool tg_is_uniform_number(LLVMValueRef v) {
    search s = {.early = true};
    return is_uniform(v, &s);
}
