/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a compiled program hands the runtime: the binary interface between the code that
 * the plugin emits and libstencilrt.so. region.def lists the structs and their fields and says what
 * each field is; this file makes C of that list, and explains the terms. Layouts are those of the
 * x86-64 and AArch64 C ABIs. Any change bumps STENCILRT_ABI, and a runtime declines a region of
 * another version.
 *
 * Terms. A region is a stencil sweep over `rank` dimensions, repeated `steps` times. Dimension 0
 * is x, the contiguous one; 1 is y, 2 is z. A cell is named by its coordinates, counted from 0 in
 * each dimension of the sweep's domain: 0 <= c[d] < extent[d]. A grid is an array together with
 * the copies of it that a time loop rotates through: `buffers` many (1: no rotation, 2: A and B).
 * A level says which copy, relative to the step: in step s (from 0), level L of a grid lives in
 * its buffer number (s + L) mod buffers. A port is one (grid, level) that the kernel
 * accesses: it reads the domain shifted by each of its offsets, and writes the domain itself.
 *
 * A sweep has a cell kernel. One that runs alone (STENCILRT_ALONE) may have more, of falling degree
 * bT: stream kernels, or in 1-D strip kernels. region.def lists the kinds of parameters that they
 * have; each kernel lists its own.
 *
 * STENCILRT_CELL: one time step, one thread a cell. Thread (tx,ty,tz) of block (bx,by,bz) computes
 * cell first[d] + b[d] * block[d] + t[d], if that is inside the extent.
 * Or, where the kernel has the parameter `peeled` and that is p >= 0, a tile of n[d] cells (its
 * `tile`), by vector accesses: first is 0, extent[d] >= n[d] along y and z, and of all ports of
 * grids that extend along x, cell p of each row is at a multiple of n[0] elements. There are c =
 * (extent[0] - p) / n[0] tiles in a row, of which thread t of block b has number b[0] * block[0] +
 * t[0], from row (b[1] * block[1] + t[1]) * n[1] on, and planes likewise. The blocks behind, along
 * x, have the cells that are in no tile: extent[0] - c * n[0] of them a row, at most block[0] /
 * (n[1] * n[2]).
 *
 * STENCILRT_STREAM: bt time steps, from step s to step s + bt. Only for regions whose one written
 * grid is written at level 1 and read at level 0, while all others have 1 buffer. It has 2 buffers,
 * or is also read one step further back, at offset 0 alone: the older level, which is -1 of 3
 * buffers, and 1 of 2 (what is there before it is written). Where there is an older level, the
 * kernel has older src and older dst, else `other`: buffers of the written grid's layout.
 * It reads the whole of src (the domain as of step s, around it the halo of the host's buffer
 * s mod 2) and of `other` uses the halo only, which is that of the host's buffer (s + 1) mod 2,
 * though it loads whole vectors, cells beside that too; it writes the domain of dst, as of step
 * s + bt, and nothing else. dst is not src; it may be `other`.
 * If both halos are equal byte for byte, `other` may be src, which is faster.
 * Where there is an older level: only if what the steps read of all buffers' halos is equal byte
 * for byte. It reads the whole of src and the domain of the older src, as of step s - 1; it writes
 * the domain of dst and, unless bt is 1, that of the older dst, as of step s + bt - 1. All four are
 * buffers of their own, with that halo.
 * The last dimension (y in 2-D, z in 3-D) streams in chunks. Blocks: along x, tiles of tile[0]
 * cells, `tiles` of them a block; in 3-D along y, tiles of tile[1] rows; along the last dimension,
 * chunks. The grid that rotates is padded: pad_low[d] cells before the domain and pad_high[d]
 * behind it may be loaded along each dimension (corners too), and 16-byte accesses at multiples of
 * 16 bytes in that range. What is there beyond the halo does not matter. The other grids are padded
 * alike, around their halos. Extents and pads together stay below 2^31 cells.
 *
 * STENCILRT_STRIP: the same in 1-D, without chunks. Blocks along x: `tiles` tiles of tile[0] cells,
 * no more than 2^31 - 1 blocks. The other grids are loaded by 16 bytes as well. Extents may be of
 * any size.
 *
 * STENCILRT_RESIDENT: any number of steps, in 2-D or 3-D, for regions as of STENCILRT_STREAM that
 * read no older level and have one grid, of floats or doubles, whose two buffers have the same
 * halo. It follows all other kernels; its bt is 1. All blocks of a launch run at once. Block
 * (bx,by,bz) owns own[d] cells from b[d] * own[d] on, as far as the domain goes. Its tile begins
 * margin[d] cells in front of these. Where there is one block along d, the margin is the radius;
 * else it is round * radius, along x rounded up to a multiple of `tiles`, as own is, and own is not
 * less than it. own + 2 * margin is the tile's extent at most.
 * It reads src, and writes the domain of dst, as of step s + steps. dst is not src. In round k,
 * counted from 1, blocks exchange words of 16 bytes whose last 4 bytes are epoch + k: each group of
 * `tiles` cells along x has so many of them as its bytes fill, 12 in a word, or 8 of doubles. The
 * words of round k are in half k % 2; a half has a word of each group in each row and plane, words
 * of one number together. Before the first launch no word has one of these numbers. A row has
 * (blocks - 1) * own / `tiles` + 32 groups; there are (blocks - 1) * own + tile rows, and planes
 * likewise.
 *
 * A region has one or more sweeps, which a time step makes one after the other: `nsweeps` of them,
 * each described as a region without images and state, and called with its own extents, origins,
 * strides and scalars. Kernel i of the whole, which has no grids, ports and scalars of its own, is
 * the cell kernel of sweep i. Of a sweep that runs alone (STENCILRT_ALONE) both have one list of
 * kernels; all cells that it accesses are accessed in any case, it has no reductions, and its steps
 * are counted. Grids belong to a sweep: two of them, of a sweep that does not run alone or of
 * different sweeps, may be the same memory or parts of it, and the runtime finds out from their
 * addresses which are, and that
 *   - what shares memory has rows and planes in the same distances;
 *   - a sweep accesses what a port of it writes through that port alone, and reads there nothing
 *     but the cell it writes, or cells that it does not write. (Along a dimension of extent 1,
 * reads at another offset are such.) A sweep's kernel may write several grids: it loads first, and
 * stores then.
 *
 * STENCILRT_STEPS: bt whole time steps of several sweeps. Such kernels follow the sweeps' own, in
 * falling degrees, and the region has a `step`: what the compiler takes for granted of the arrays.
 * The runtime launches none of them unless the addresses and extents of the call say so. The step
 * has a box, which holds all sweeps' domains and all cells that are written; its arrays are
 * numbered, and their cells are named by the box's coordinates. A kernel has the parameters dst and
 * src of each array that is written, and src of each other one: cell (0,0,0) of the box. Extents
 * are the box's; strides are equal in all arrays that are written. It reads src, and writes the box
 * of dst, as of step s + bt, and nothing else. Where no step writes and a step reads, dst is equal
 * to src before. Blocks and pads are as in STENCILRT_STREAM, pads being around the box and the
 * halos of all arrays.
 * If each step decides by what its sweeps reduce whether the loop goes on, such a kernel has the
 * parameter `reduced`, too: slots for each of its steps. Where a step is the last one, the steps of
 * the launch are made again, from src.
 *
 * A sweep may have reductions, and then need not write anything: in each step, anew, the maximum,
 * minimum or sum of a value that each of its cells has, and of one initial value. Its kernel then
 * has the parameter `reduced`.
 *
 * The kernel makes a number of each cell's value, and of those of a warp their maximum as unsigned
 * numbers, or their sum, which it adds, likewise, to one of the slots. So does then the runtime
 * with all slots. The number of a value v of `size` bytes, bits b of which the topmost is s:
 *   STENCILRT_SUM of integers: b; the sum is modulo 2^64
 *   STENCILRT_SUM of floats, whose order then is free: the bits of v as a double. Warps add these
 *     as doubles. What they add to slots is not that: see STENCILRT_ACCUMULATOR
 *   STENCILRT_MAX, a key that is the greater the greater v is: b of an unsigned integer; b ^ s of
 *     a signed one; of a float, b ^ s if its sign is clear, else ~b, in `size` bytes, but of 0.0
 *     what -0.0 would have and of -0.0 what 0.0 would have; of NaN 2^64 - 1
 *   STENCILRT_MIN: 2^64 - 1 less the key, but zeros have each its own; of NaN 2^64 - 1
 * The result depends on the order of the cells if there is a NaN, or if it is zero and there is a
 * -0.0: -0.0 or NaN is what the slots then hold. The runtime declines there: see stencilrt_run.
 *
 * Rows may be found through tables: a[i] of T **a, planes of rows through tables of such: a[k][i]
 * of T ***a. Where they are the compiler cannot know; so origins and strides are those of an image
 * of the table, as if row i of plane k began at byte STENCILRT_IMAGE + number * STENCILRT_TABLE + k
 * * STENCILRT_PLANE + i * STENCILRT_ROW of the address space, where no memory is. If the rows of
 * all tables are evenly spaced, the runtime puts the true addresses in their place; else it copies
 * row by row.
 */
#ifndef STENCILOPT_REGION_H
#define STENCILOPT_REGION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Also in the runtime's name, libstencilrt.so.<ABI>: CMakeLists.txt reads this line. */
#define STENCILRT_ABI 16
#define STENCILRT_MAX_RANK 3

/* In stencilrt_port.access. MAYBE, of one of several sweeps: each cell is written only where a
 * condition holds, and the kernel elsewhere writes what is there. */
enum { STENCILRT_READ = 1, STENCILRT_WRITE = 2, STENCILRT_MAYBE = 4, STENCILRT_UNSURE = 8 };

/* In stencilrt_region.flags. The original loops may keep denormal numbers or flush them to zero.
 * Without: a call that finds the processor set to flush is declined, for kernels keep denormal
 * numbers. */
enum {
    STENCILRT_DENORMALS_FREE = 1,
    STENCILRT_ALONE = 2, /* one sweep, whose kernels are all of the region's: see above */
    STENCILRT_TEAM = 4   /* the original loops are an OpenMP team's: so many cores, for `auto` */
};

enum { STENCILRT_SLOTS = 256 };

/* Of the memory that a resident kernel exchanges words through: bytes in front of the words. */
enum { STENCILRT_HEADER = 128 };

/* Steps at most of a kernel of whole steps. */
enum { STENCILRT_VALUES = 64 };

/* The slots of a sum of floats are sums of integers, so that their order does not matter: several
 * accumulators, side by side, of so many words each. Word 0 counts what is infinite or NaN, where
 * the runtime declines. The others are the digits, of 32 bits and signed, of what was added,
 * exactly, as a multiple of 2^-1074 (the least double): the first is the one of 2^(32 * FIRST -
 * 1074). That is U. Kulisch's long accumulator. */
#define STENCILRT_ACCUMULATOR(size) ((size) == 8 ? 80 : 16)
#define STENCILRT_ACCUMULATORS(size) (STENCILRT_SLOTS / STENCILRT_ACCUMULATOR(size))
#define STENCILRT_FIRST_DIGIT(size) ((size) == 8 ? 0 : 27)

/* Where images of tables are: see above. A row has half a STENCILRT_ROW to each side, a plane half
 * a STENCILRT_PLANE, a table half a STENCILRT_TABLE. No program has rows of that many bytes. */
#define STENCILRT_IMAGE ((INT64_C(1) << 62) + (INT64_C(1) << 58))
#define STENCILRT_TABLE (INT64_C(1) << 59)
#define STENCILRT_ROW ((INT64_C(1) << 35) + 14072)
#define STENCILRT_PLANE (STENCILRT_ROW << 13)
enum { STENCILRT_MAX_TABLES = 8 };

/* stencilrt_check.ends, called after each step, the first being 0: 0 if the loop goes on, else by
 * which of its exits it ends, from 1 on. It changes nothing but what its context has: values for
 * the next step. */
typedef int stencilrt_ends(const void *context, int64_t step, const uint64_t *values);

/* The enumerations of region.def; */
#define STENCILRT_ENUM(name, doc) enum name {
#define STENCILRT_NUMBER(name, id, doc) STENCILRT_##id,
#define STENCILRT_ENUM_END(name)                                                                   \
    name##_count                                                                                   \
    }                                                                                              \
    ;
#include "stencilopt/region.def"

typedef enum stencilrt_parameter_kind {
#define STENCILRT_PARAMETER(id, type, of, kernels, doc) STENCILRT_ARG_##id,
#include "stencilopt/region.def"
    stencilrt_parameter_kind_count
} stencilrt_parameter_kind;

/* its structs, which point to each other; */
#define STENCILRT_STRUCT(name, size, doc) typedef struct name name;
#include "stencilopt/region.def"
#define STENCILRT_STRUCT(name, size, doc) struct name {
#define STENCILRT_FIELD(name, type, field, doc) type field;
#define STENCILRT_ARRAY(name, type, field, count, doc) type field[count];
#define STENCILRT_POINTER(name, target, field, doc) target *field;
#define STENCILRT_END(name)                                                                        \
    }                                                                                              \
    ;
#include "stencilopt/region.def"

/* and a check that no struct has holes, of which another compiler may have others. */
#ifdef __cplusplus
#define STENCILRT_ASSERT static_assert
#else
#define STENCILRT_ASSERT _Static_assert
#endif
#define STENCILRT_STRUCT(name, size, doc) STENCILRT_ASSERT(sizeof(name) == size && size == 0
#define STENCILRT_FIELD(name, type, field, doc) +sizeof(type)
#define STENCILRT_ARRAY(name, type, field, count, doc) +sizeof(type) * count
#define STENCILRT_POINTER(name, target, field, doc) +sizeof(target *)
#define STENCILRT_END(name) , #name " has another layout");
#include "stencilopt/region.def"
#undef STENCILRT_ASSERT

/* Runs the region on the device that STENCILOPT_DEVICE and the cost estimate choose.
 * Returns 1 when it did: every cell the program's loops would have written holds its final value
 * and nothing else was touched. Returns 0 when it did not: the host's memory is as it was at entry,
 * and the caller runs its own loops. -1: as 0, and no later call in this process will run either,
 * nor is a report wanted, so the caller need not ask again. May be called from any thread. Needs no
 * initialisation.
 */
int stencilrt_run(const stencilrt_region *region, const stencilrt_call *call);

/* What a program says of its memory, by way of stencilopt.h. CAN_WATCH: 1 if arrays may stay on the
 * device without; the rest is ignored then. */
enum {
    STENCILRT_KEEP = 1,
    STENCILRT_FETCH = 2,
    STENCILRT_CHANGED = 3,
    STENCILRT_RELEASE = 4,
    STENCILRT_CAN_WATCH = 5,
    STENCILRT_LOOPS =
        6 /* original loops run without stencilrt_run being asked: all kept memory, by
             address 0 and 0 bytes, is fetched. A call that is declined does the same */
};
int stencilrt_notify(int what, const void *memory, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
