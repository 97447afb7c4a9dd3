/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a compiled program hands to the runtime: the binary interface between the code that the
 * plugin emits and libstencilrt.so. region.def lists the structs and their fields, and says what
 * each field is. This file makes C of that list, and explains the terms. Layouts are those of the
 * x86-64 and AArch64 C ABIs. Any change raises STENCILRT_ABI. A runtime declines a region of
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
 *
 * If the kernel has the parameter `peeled`, with a value p >= 0, a thread computes a tile of n[d]
 * cells (the kernel's `tile`), by vector accesses. Then first is 0, and extent[d] >= n[d] along y
 * and z. Of all ports of grids that extend along x, cell p of each row is at a multiple of n[0]
 * elements. There are c = (extent[0] - p) / n[0] tiles in a row. Thread t of block b has the tile
 * of number b[0] * block[0] + t[0], from row (b[1] * block[1] + t[1]) * n[1] on, and planes
 * likewise. The blocks behind, along x, have the cells that are in no tile: extent[0] - c * n[0] of
 * them a row. If (n[0] - 1) * n[1] * n[2] > block[0], these may take several blocks along x; else
 * one.
 *
 * STENCILRT_STREAM: bt time steps, from step s to step s + bt. Only for regions whose one written
 * grid is written at level 1 and read at level 0, while all others have 1 buffer. The written grid
 * has 2 buffers. Or it is also read one step further back, at offset 0 alone: the older level. That
 * is level -1 if there are 3 buffers, and level 1
 * if there are 2 (the content before it is written). With an older level, the kernel has the
 * parameters older src and older dst; without, it has `other`. All are buffers of the written
 * grid's layout.
 *
 * Without an older level it reads the whole of src: the domain as of step s, and around it the halo
 * of the host's buffer s mod 2. Of `other` it uses only the halo, which is that of the host's
 * buffer (s + 1) mod 2; it loads whole vectors, so also cells beside the halo. It writes the domain
 * of dst, as of step s + bt, and nothing else. dst is not src; it may be `other`. If both halos are
 * equal byte for byte, `other` may be src, which is faster.
 *
 * With an older level, the halos of all buffers must be equal byte for byte in the cells that the
 * steps read. The kernel reads the whole of src, and the domain of the older src, as of step s - 1.
 * It writes the domain of dst and, unless bt is 1, that of the older dst, as of step s + bt - 1.
 * All four are different buffers, with that halo.
 *
 * The last dimension (y in 2-D, z in 3-D) streams in chunks. Blocks: along x, tiles of tile[0]
 * cells, `tiles` of them a block; in 3-D along y, tiles of tile[1] rows; along the last dimension,
 * chunks. A launch may have some of the chunks only: then it writes only their planes. The grid
 * that rotates is padded. Along each dimension pad_low[d] cells before the domain and pad_high[d]
 * cells behind it may be loaded, corners too, with accesses of 16 bytes at multiples of 16 bytes in
 * that range. Their content beyond the halo does not matter. The other grids are padded in the same
 * way, around their halos. Extents and pads together stay below 2^31 cells.
 *
 * STENCILRT_STRIP: the same in 1-D, without chunks. Blocks along x: `tiles` tiles of tile[0] cells,
 * at most 2^31 - 1 blocks. The other grids are also loaded by 16 bytes. Extents may be of any size.
 *
 * STENCILRT_RESIDENT: any number of steps, in 2-D or 3-D. For regions as those of STENCILRT_STREAM,
 * with no older level, and with one grid, of floats or doubles, whose two buffers have the same
 * halo. The kernel comes after all others in the list; its bt is 1. All blocks of a launch run at
 * once. Block (bx,by,bz) owns own[d] cells from b[d] * own[d] on, as far as the domain goes. Its
 * tile begins margin[d] cells before these. If there is one block along d, the margin is the
 * radius. Otherwise the margin is round * radius, along x rounded up to a multiple of `tiles`. own
 * is a multiple too, and not less than the margin. own + 2 * margin is at most the tile's extent.
 *
 * It reads src, and writes the domain of dst, as of step s + steps. dst is not src. In round k,
 * counted from 1, blocks exchange words of 16 bytes. The last 4 bytes of a word are the number
 * epoch + k. Each group of `tiles` cells along x has as many words as its bytes fill, 12 bytes in a
 * word, or 8 of doubles. The words of round k are in half k % 2. A half has a word of each group in
 * each row and plane; words of one number are together. Before the first launch no word has one of
 * these numbers. A row has (blocks - 1) * own / `tiles` + 32 groups. There are (blocks - 1) * own +
 * tile rows; planes likewise.
 *
 * A resident kernel may make whole steps of several sweeps, in 2-D. It has dst and src as kernels of
 * whole steps have (see STENCILRT_STEPS), and comes after these. A step loses `reach` cells at a
 * tile's sides, which takes the place of the radius. Each group of `tiles` cells along x has the
 * words of all arrays that are written, or fewer. Buffers that take turns are equal in cells that
 * no step writes and a step reads.
 *
 * A region has one or more sweeps, `nsweeps` of them, which a time step makes one after the other.
 * Each is described as a region without images and state, and called with its own extents, origins,
 * strides and scalars. The whole region has no grids, ports and scalars of its own; its kernel i is
 * the cell kernel of sweep i. If a sweep runs alone (STENCILRT_ALONE), both have one list of
 * kernels. Then all cells that the sweep accesses are accessed in any case, it has no reductions,
 * and its steps are counted.
 *
 * Grids belong to a sweep. Two grids may be the same memory, or parts of it, if they are of
 * different sweeps, or of a sweep that does not run alone. The runtime finds out from their
 * addresses which are, and checks that
 *   - what shares memory has rows and planes in the same distances;
 *   - a sweep accesses what one of its ports writes only through that port, and reads there only
 * the cell that it writes, or cells that it does not write. (Along a dimension of extent 1, reads
 * at another offset are such cells.) A sweep's kernel may write several grids: it loads first, and
 * stores then.
 *
 * STENCILRT_STEPS: bt whole time steps of several sweeps. Such kernels follow the sweeps' own in
 * the list, in falling degrees. The region has a `step`, which tells what the compiler assumes of
 * the arrays. The runtime launches such a kernel only if the addresses and extents of the call
 * agree with it. The step has a box, which contains all sweeps' domains and all cells that are
 * written. Its arrays are numbered, and their cells are counted in the box's coordinates. A kernel
 * has the parameters dst and src of each array that is written, and src of each other array: the
 * address of cell (0,0,0) of the box. Extents are the box's. Strides are equal in all arrays that
 * are written. It reads src, and writes the box of dst, as of step s + bt, and nothing else. In
 * cells that no step writes and a step reads, dst is equal to src before the launch. Blocks and
 * pads are as in STENCILRT_STREAM; pads are around the box and the halos of all arrays.
 * In 2-D a launch may have more columns of blocks than strips: p - 1 more for each of the first and
 * the last strip, whose chunks are then cut into p parts.
 *
 * Instead each of these kernels may make a part of a step: some of the sweeps, in the step's order.
 * A launch of each of them, one after the other, makes a step. A part has dst of the arrays that it
 * writes: with one buffer, dst is what the array has after the part; of two buffers that take
 * turns, what it has after the step. A part reads the other arrays as they are when it begins: src,
 * and of two buffers `newer` as well, which another part has written in the step. Three buffers do
 * not take turns.
 *
 * Beside the kernels of whole steps, and behind them, there may be resident kernels. They make a
 * region's only sweep. Or they make two sweeps, and then the region has a `step`: the second sweep
 * copies what the first one has made back to what that reads, or takes part in reductions alone,
 * and covers the same cells. Grids, ports and scalars in their parameters are the first sweep's;
 * src and dst name the grid that it writes. If the result is copied back, src is the address of the
 * grid that it reads.
 *
 * If each step's reductions decide whether the loop goes on, such a kernel also has the parameter
 * `reduced`: slots for each of its steps. If one of its steps is the last one, the steps of the
 * launch are made again, from src.
 *
 * A sweep may have reductions. Then it need not write anything. In each step a reduction computes
 * anew the maximum, minimum or sum of a value of each cell and of one initial value. The sweep's
 * kernel then has the parameter `reduced`.
 *
 * The kernel makes a number of each cell's value. Of the numbers of a warp it computes the maximum,
 * as unsigned numbers, or the sum, and combines the result in the same way with one of the slots.
 * The runtime then combines all slots in the same way. The number of a value v of `size` bytes,
 * with bits b, of which the topmost is s:
 *   STENCILRT_SUM of integers: b; the sum is modulo 2^64
 *   STENCILRT_SUM of floats, whose order then is free: the bits of v as a double. Warps add these
 * as doubles. What they add to slots is something else: see STENCILRT_ACCUMULATOR
 *   STENCILRT_MAX: a key that grows with v. Of an unsigned integer b; of a signed one b ^ s; of a
 *     float b ^ s if its sign is clear, else ~b, in `size` bytes. 0.0 and -0.0 have the key of each
 *     other; NaN has 2^64 - 1
 *   STENCILRT_MIN: 2^64 - 1 less the key, but 0.0 and -0.0 have their own keys; NaN has 2^64 - 1
 *   STENCILRT_ORDERED: none. The first slot has the address of a buffer with a number for each of
 *     the sweep's cells, or 0. The kernel stores v there, at the place of the cell in the order of
 *     the program's loops. A cell that does not count stores -0.0
 * The result depends on the order of the cells if there is a NaN, or if it is zero and there is a
 * -0.0. Then the slots hold NaN or -0.0, and the runtime declines: see stencilrt_run.
 *
 * STENCILRT_ADDING: adds up the numbers of a STENCILRT_ORDERED reduction in tiles, the last of
 * which may be short. A thread has a tile. It adds the tile's numbers, one after the other, to the
 * tile's start, and to the number next to the start, away from 0. It writes both results, and the
 * least and the greatest number on the way to them. Blocks lie along x.
 *
 * If a region's only sweep has a brick, the grids that extend along all dimensions lie in bricks
 * on the device. A brick is a box of cells whose bytes follow one another, x first. Bricks follow
 * one another likewise. Cell (0,0,0) is the first one of a brick. So cell c of a grid is
 *   (c.x >> log2 brick.x) * cells of a brick + (c.x mod brick.x)
 *   + (c.y >> log2 brick.y) * stride.y + (c.y mod brick.y) * brick.x
 *   + (c.z >> log2 brick.z) * stride.z + (c.z mod brick.z) * brick.x * brick.y
 * elements behind cell (0,0,0); c may be negative. All these grids have the same strides. The
 * sweep's only kernel is the cell kernel, and there are none of whole steps.
 *
 * Rows may be found through tables: a[i] of T **a; or planes of rows through tables of tables:
 * a[k][i] of T ***a. The compiler does not know where the rows are. So origins and strides are
 * those of an image of the table, where no memory is. Row i of plane k begins there at byte
 * STENCILRT_IMAGE + number * STENCILRT_TABLE + k * STENCILRT_PLANE + i * STENCILRT_ROW of the
 * address space. If the rows of all tables are evenly spaced, the runtime replaces these by true
 * addresses. Otherwise it copies row by row.
 */
#ifndef STENCILOPT_REGION_H
#define STENCILOPT_REGION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number is also in the runtime's name, libstencilrt.so.<ABI>. CMakeLists.txt reads this line.
 */
#define STENCILRT_ABI 24
#define STENCILRT_MAX_RANK 3
#define STENCILRT_GHOST 8 /* in stencilrt_place's `opposite` */

/* Bits of stencilrt_port.access. MAYBE, for one of several sweeps: the program writes each cell
 * only where a condition holds; elsewhere the kernel writes the value that is there. */
enum { STENCILRT_READ = 1, STENCILRT_WRITE = 2, STENCILRT_MAYBE = 4, STENCILRT_UNSURE = 8 };

/* Bits of stencilrt_region.flags. DENORMALS_FREE: the original loops may keep denormal numbers or
 * flush them to zero. Without it, a call is declined if the processor is set to flush, because
 * kernels keep denormal numbers. The other bits but TEAM tell how rows along the last dimension may
 * be computed as if they were a grid of their own. SLABS: each row is computed in the same way. No
 * kernel asks for its coordinate, and none reads other cells near the ends. If that is not so,
 * there may be one or two of these instead: SLABS_BY_RULES: near the ends, indices are brought back
 * into the domain, but not to the other end. SLABS_ROUND: they come round to the other end; not
 * with another of these bits. SLABS_NUMBERED: kernels ask for the row's coordinate. flags >>
 * REACH_SHIFT is the number of rows that an index of such a rule is away from its cell, at most.
 * SUMS_BY_ROWS: all sums that are made in order go through all cells of a row before those of the
 * next one. A sweep has SLABS_BY_RULES and SLABS_ROUND, too, if it has such indices itself. A
 * runtime that does not know these bits does without. TOGETHER, in a sweep: the program makes it in
 * the same loops as the sweep before, iteration by iteration. The runtime declines the call if one
 * of such sweeps accesses a cell that another one writes. UNWRITTEN, in a sweep: where it changes a
 * cell, it changes none of the cells that it reads there from its grids of cells as they were
 * before the sweep: it needs no copy of these. */
enum {
    STENCILRT_DENORMALS_FREE = 1,
    STENCILRT_ALONE = 2, /* one sweep, which has the same kernels as the region: see above */
    STENCILRT_TEAM = 4,  /* an OpenMP team runs the original loops, on several cores; for `auto` */
    STENCILRT_SLABS = 8,
    STENCILRT_SLABS_BY_RULES = 16,
    STENCILRT_SLABS_ROUND = 32,
    STENCILRT_SLABS_NUMBERED = 64,
    STENCILRT_SUMS_BY_ROWS = 128,
    STENCILRT_TOGETHER = 256,
    STENCILRT_UNWRITTEN = 512,
    STENCILRT_REACH_SHIFT = 16,
    STENCILRT_MOST_REACH = 0xFFF
};

enum { STENCILRT_SLOTS = 256 };

/* The bytes in front of the words that a resident kernel exchanges. */
enum { STENCILRT_HEADER = 128 };

/* The most steps of a kernel of whole steps. */
enum { STENCILRT_VALUES = 64 };

/* What a kernel of kind STENCILRT_ADDING writes of a tile, in this order. */
enum { STENCILRT_EVEN, STENCILRT_ODD, STENCILRT_LEAST, STENCILRT_MOST, STENCILRT_SUMS };

/* The slots of a sum of floats are sums of integers, so that their order does not matter. There are
 * several accumulators, side by side, of so many words each. Word 0 counts numbers that are
 * infinite or NaN; the runtime declines if it is not 0. The other words are signed digits of 32
 * bits each. Together they are the exact sum, as a multiple of 2^-1074 (the least double). The
 * first digit is that of 2^(32 * FIRST - 1074). This is U. Kulisch's long accumulator. */
#define STENCILRT_ACCUMULATOR(size) ((size) == 8 ? 80 : 16)
#define STENCILRT_ACCUMULATORS(size) (STENCILRT_SLOTS / STENCILRT_ACCUMULATOR(size))
#define STENCILRT_FIRST_DIGIT(size) ((size) == 8 ? 0 : 27)

/* The addresses of images of tables: see above. A row has half a STENCILRT_ROW to each side, a
 * plane half a STENCILRT_PLANE, a table half a STENCILRT_TABLE. No program has rows of so many
 * bytes. A row is a whole number of cells of up to 16 components, or of 19 or 27. */
#define STENCILRT_IMAGE ((INT64_C(1) << 62) + (INT64_C(1) << 58))
#define STENCILRT_TABLE (INT64_C(1) << 59)
#define STENCILRT_ROW (INT64_C(105) * 128 * 27 * 5 * 7 * 11 * 13 * 19)
#define STENCILRT_PLANE (STENCILRT_ROW << 13)
enum { STENCILRT_MAX_TABLES = 8 };
/* Of a table: a later step reads these pointers, which may not come. */
enum { STENCILRT_LATER = 2 };

/* The type of stencilrt_check.ends, which is called after each step; the first is step 0. It
 * returns 0 if the loop goes on, and otherwise the number of the exit by which the loop ends, from
 * 1 on. It changes only what its context holds: values for the next step. */
typedef int stencilrt_ends(const void *context, int64_t step, const uint64_t *values);
/* stencilrt_check.between, called in a step, with what has been reduced in it so far. It changes
 * nothing but what its context has: values for the sweeps to come. */
typedef void stencilrt_between(const void *context, int64_t step, const uint64_t *values);

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

/* and a check that no struct has holes, which other compilers might place differently. */
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

/* Runs the region on the device that STENCILOPT_DEVICE and the cost estimate choose. Returns 1 if
 * it ran: every cell that the program's loops would have written has its final value, and nothing
 * else was changed. Returns 0 if it did not run: the host's memory is as at entry, and the caller
 * runs its own loops. Returns -1 as 0, if also no later call in this process will run and no report
 * is wanted, so that the caller need not ask again. Any thread may call it. It needs no
 * initialisation. */
int stencilrt_run(const stencilrt_region *region, const stencilrt_call *call);

/* What a program says of its memory through stencilopt.h. CAN_WATCH asks: 1 if arrays may stay on
 * the device without these calls, which are ignored then. */
enum {
    STENCILRT_KEEP = 1,
    STENCILRT_FETCH = 2,
    STENCILRT_CHANGED = 3,
    STENCILRT_RELEASE = 4,
    STENCILRT_CAN_WATCH = 5,
    /* The original loops run without a call of stencilrt_run: all kept memory is fetched. The
     * address and the bytes are 0. A call that is declined does the same. */
    STENCILRT_LOOPS = 6,
    STENCILRT_LOCATE = 7, /* the memory is a stencilrt_location */
    STENCILRT_CHANGED_THERE = 8,
    STENCILRT_FETCH_ROWS = 9, /* the memory is a stencilrt_rows */
    STENCILRT_CHANGED_ROWS = 10
};

/* A question of stencilopt.h: where on the device is this memory? */
typedef struct stencilrt_location {
    const void *memory;
    uint64_t bytes;
    uint64_t device; /* the answer; it stays 0 if the memory is not there */
} stencilrt_location;

/* Pieces of memory: `count` times `bytes` bytes, whose first bytes are `distance` bytes apart. */
typedef struct stencilrt_rows {
    const void *memory;
    uint64_t bytes, count, distance;
    uint64_t done; /* the answer; 0: the program must say the same of each piece */
} stencilrt_rows;

int stencilrt_notify(int what, const void *memory, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
