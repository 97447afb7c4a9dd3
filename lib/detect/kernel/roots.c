/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The values that a GPU gives its threads: which instruction reads which, and what is the same for
 * all threads.
 */
#include "detect/kernel/region.h"

#include <string.h>

int kernel_operand_count(LLVMValueRef instruction) {
    return LLVMIsACallInst(instruction) ? (int)LLVMGetNumArgOperands(instruction)
                                        : LLVMGetNumOperands(instruction);
}

bool kernel_is_plain_call(LLVMValueRef call) {
    static const char *const names[] = {"llvm.smax.", "llvm.smin.", "llvm.umax.", "llvm.umin."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (host_calls(call, names[i]))
            return true;
    return LLVMIsACallInst(call) && tg_call_kind_of(call) == TG_UNIFORM;
}

/* A pointer as another one and a constant number of bytes. */
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

kernel_role kernel_role_of(LLVMValueRef v, int *dim) {
    static const kernel_role roles[] = {[TG_THREAD] = KERNEL_THREAD,
                                        [TG_BLOCK] = KERNEL_BLOCK,
                                        [TG_BLOCK_SIZE] = KERNEL_BLOCK_SIZE,
                                        [TG_BLOCK_COUNT] = KERNEL_GRID_SIZE};
    tg_launch_value value;
    bool known = LLVMIsALoadInst(v) ? is_loaded(v, &value, dim) : tg_reads(v, &value, dim);
    return known ? roles[value] : KERNEL_NO_ROLE;
}

br_scev kernel_root_atom(kernel_root *r) {
    return (br_scev)(void *)r;
}

kernel_root *kernel_root_of(const kernel_region *k, br_scev atom) {
    for (int i = 0; i < k->nroots; i++)
        if ((const void *)atom == &k->roots[i])
            return (kernel_root *)&k->roots[i];
    return NULL;
}

kernel_root *kernel_add_root(kernel_region *k, kernel_role role) {
    if (k->nroots == KERNEL_MAX_ROOTS) {
        kernel_refuse(k, ST_NO_TOO_BIG, "128 thread numbers, loops, divisions and choices");
        return NULL;
    }
    kernel_root *r = &k->roots[k->nroots++];
    r->role = role;
    return r;
}

bool kernel_strides(const kernel_region *k, br_loop l) {
    return l && (l == k->stride_loop || l == k->other_stride_loop);
}

bool kernel_has_root(const poly *p, br_scev atom) {
    for (int i = 0; i < p->count; i++)
        for (int a = 0; a < p->terms[i].degree; a++)
            if (p->terms[i].atoms[a] == atom)
                return true;
    return false;
}

bool kernel_varies(const kernel_region *k, const poly *p) {
    for (int i = 0; i < p->count; i++)
        for (int a = 0; a < p->terms[i].degree; a++)
            if (kernel_root_of(k, p->terms[i].atoms[a]))
                return true;
    return false;
}

unsigned kernel_argument_number(LLVMValueRef argument) {
    LLVMValueRef function = LLVMGetParamParent(argument);
    unsigned i = 0;
    while (LLVMGetParam(function, i) != argument)
        i++;
    return i;
}

bool kernel_argument_has(LLVMValueRef v, const char *attribute) {
    unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
    return LLVMIsAArgument(v) &&
           LLVMGetEnumAttributeAtIndex(LLVMGetParamParent(v), kernel_argument_number(v) + 1, kind);
}

bool kernel_is_struct(LLVMValueRef v) {
    return kernel_argument_has(v, "byval") || kernel_argument_has(v, "byref");
}

/* Does nothing write through the pointer? */
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

/* Read from the launch's arguments: memory that no kernel writes, or this one does not. On NVPTX a
 * struct passed by value is the thread's own. */
static bool is_argument_memory(LLVMValueRef load) {
    int64_t ignored;
    LLVMValueRef pointer = base_of(LLVMGetOperand(load, 0), &ignored);
    if (LLVMGetVolatile(load))
        return false;
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == TG_CONSTANT)
        return true;
    return kernel_is_struct(pointer) && is_only_read(pointer);
}

enum { MAX_VISITED = ST_LIMIT(256, 8) };

static bool is_uniform(LLVMValueRef v, LLVMValueRef *visited, int *count) {
    int dim;
    kernel_role role = kernel_role_of(v, &dim);
    if (!LLVMIsAInstruction(v) || role == KERNEL_BLOCK_SIZE || role == KERNEL_GRID_SIZE)
        return true;
    if (LLVMIsALoadInst(v))
        return is_argument_memory(v) && is_uniform(LLVMGetOperand(v, 0), visited, count);
    for (int i = 0; i < *count; i++)
        if (visited[i] == v)
            return true; /* if it is not, the one who visits it says so */
    /* A phi's value depends on the way taken, too. */
    if (*count == MAX_VISITED || role != KERNEL_NO_ROLE || LLVMIsAPHINode(v) ||
        LLVMIsAAllocaInst(v) || LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v))
        return false;
    if (LLVMGetInstructionOpcode(v) == LLVMInvoke || LLVMGetInstructionOpcode(v) == LLVMCallBr ||
        (LLVMIsACallInst(v) && !kernel_is_plain_call(v)))
        return false;
    visited[(*count)++] = v;
    for (int i = 0; i < kernel_operand_count(v); i++)
        if (!is_uniform(LLVMGetOperand(v, (unsigned)i), visited, count))
            return false;
    return true;
}

bool kernel_is_uniform(LLVMValueRef v) {
    LLVMValueRef visited[MAX_VISITED];
    int count = 0;
    return is_uniform(v, visited, &count);
}
