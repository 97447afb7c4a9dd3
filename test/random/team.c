/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What of OpenMP's runtime the random programs need, for teams of one thread: the order of sums is
 * then the program's.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { MAX_ARGUMENTS = 24 };

typedef void body(int32_t *gtid, int32_t *tid, void *, void *, void *, void *, void *, void *,
                  void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                  void *, void *, void *, void *, void *, void *, void *, void *);

void __kmpc_fork_call(void *place, int32_t count, body *run, ...);
void __kmpc_fork_call(void *place, int32_t count, body *run, ...) {
    (void)place;
    void *a[MAX_ARGUMENTS] = {NULL};
    int32_t number = 0;
    va_list list;
    if (count > MAX_ARGUMENTS)
        abort();
    va_start(list, run);
    for (int32_t i = 0; i < count; i++)
        a[i] = va_arg(list, void *);
    va_end(list);
    run(&number, &number, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11],
        a[12], a[13], a[14], a[15], a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23]);
}

/* All iterations. */
#define BOUNDS(name, type)                                                                         \
    void name(void *place, int32_t gtid, int32_t schedule, int32_t *last, type *lower,             \
              type *upper, type *stride, type step, type chunk);                                   \
    void name(void *place, int32_t gtid, int32_t schedule, int32_t *last, type *lower,             \
              type *upper, type *stride, type step, type chunk) {                                  \
        (void)place, (void)gtid, (void)schedule, (void)step, (void)chunk;                          \
        *stride = (type)(*upper - *lower + 1);                                                     \
        *last = 1;                                                                                 \
    }
BOUNDS(__kmpc_for_static_init_4, int32_t)
BOUNDS(__kmpc_for_static_init_4u, uint32_t)
BOUNDS(__kmpc_for_static_init_8, int64_t)
BOUNDS(__kmpc_for_static_init_8u, uint64_t)

#define NOTHING(name)                                                                              \
    void name(void *place, int32_t gtid);                                                          \
    void name(void *place, int32_t gtid) {                                                         \
        (void)place, (void)gtid;                                                                   \
    }
NOTHING(__kmpc_for_static_fini)
NOTHING(__kmpc_barrier)

#define LOCKS(name)                                                                                \
    void name(void *place, int32_t gtid, void *lock);                                              \
    void name(void *place, int32_t gtid, void *lock) {                                             \
        (void)place, (void)gtid, (void)lock;                                                       \
    }
LOCKS(__kmpc_critical)
LOCKS(__kmpc_end_critical)
LOCKS(__kmpc_end_reduce)
LOCKS(__kmpc_end_reduce_nowait)

#define REDUCES(name)                                                                              \
    int32_t name(void *place, int32_t gtid, int32_t count, size_t size, void *data,                \
                 void (*combine)(void *, void *), void *lock);                                     \
    int32_t name(void *place, int32_t gtid, int32_t count, size_t size, void *data,                \
                 void (*combine)(void *, void *), void *lock) {                                    \
        (void)place, (void)gtid, (void)count, (void)size, (void)data, (void)combine, (void)lock;   \
        return 1;                                                                                  \
    }
REDUCES(__kmpc_reduce)
REDUCES(__kmpc_reduce_nowait)

int32_t __kmpc_global_thread_num(void *place);
int32_t __kmpc_global_thread_num(void *place) {
    (void)place;
    return 0;
}
