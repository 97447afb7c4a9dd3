/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a compiled program hands the runtime: the binary interface between the code that
 * the plugin emits and libstencilrt.so. Layouts are those of the x86-64 and AArch64 C ABIs;
 * lib/offload/describe.c builds the same layouts as LLVM constants. Any change bumps
 * STENCILRT_ABI, and a runtime declines a region of another version.
 *
 * Terms. A region is a stencil sweep over `rank` dimensions, repeated `steps` times. Dimension 0
 * is x, the contiguous one; 1 is y, 2 is z. A cell is named by its coordinates, counted from 0 in
 * each dimension of the sweep's domain: 0 <= c[d] < extent[d]. A grid is an array together with
 * the copies of it that a time loop rotates through: `buffers` many (1: no rotation, 2: A and B).
 * A level says which copy, relative to the step: in step s (from 0), level L of a grid lives in
 * its buffer number (s + L) mod buffers. A port is one (grid, level) that the kernel
 * accesses: it reads the domain shifted by each of its offsets, and writes the domain itself.
 *
 * A region has several kernels; the first is a cell kernel, the others are of falling degree bT:
 * stream kernels, or in 1-D strip kernels. Parameters, in this order, none packed:
 *
 * STENCILRT_CELL: one time step, one thread a cell.
 *   ptr  port[nports]                  device address of cell (0,0,0) at offset (0,0,0)
 *   i64  first[rank]                   coordinates of this launch's first cell
 *   i64  extent[rank]                  the domain's extents, in cells
 *   i64  stride[ngrids][rank - 1]      device strides along y (and z), in elements
 *   scalars[nscalars], each of its own size
 * Thread (tx,ty,tz) of block (bx,by,bz) computes cell first[d] + b[d] * block[d] + t[d], if that
 * is inside the extent. The stride along x is 1 element.
 *
 * STENCILRT_STREAM: bt time steps, from step s to step s + bt. Only for regions whose one written
 * grid is written at level 1 and read at level 0, while all others have 1 buffer. It has 2 buffers,
 * or is also read one step further back, at offset 0 alone: the older level, which is -1 of 3
 * buffers, and 1 of 2 (what is there before it is written).
 *   ptr  dst, src, other               cell (0,0,0), all of the written grid's layout
 *     or dst, src, older src, older dst     where there is an older level
 *   ptr  port[]                        the ports of the other grids, in the order of `ports`
 *   i64  extent[rank], stride[ngrids][rank - 1]
 *   i64  chunk                         planes of a chunk, 1 or more
 *   scalars; a stepped one is two parameters of its size: the value at step s, the increment
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
 * STENCILRT_STRIP: the same in 1-D, and its parameters without strides and chunk. Blocks along x:
 * `tiles` tiles of tile[0] cells, no more than 2^31 - 1 blocks. The other grids are loaded by
 * 16 bytes as well. Extents may be of any size.
 *
 * A region may have several sweeps, which a time step makes one after the other: `nsweeps` of them,
 * each a region of one sweep and one cell kernel, without images and state, called with its own
 * extents, origins, strides and scalars. Kernel i of the whole, which has no grids, ports and
 * scalars of its own, is that of sweep i. Grids belong to a sweep: two of them, also of different
 * sweeps, may be the same memory or parts of it, and the runtime finds out from their addresses
 * which are, and that
 *   - what shares memory has rows and planes in the same distances;
 *   - a sweep accesses what a port of it writes through that port alone, and reads there nothing
 *     but the cell it writes, or cells that it does not write. (Along a dimension of extent 1,
 * reads at another offset are such.) A sweep's kernel may write several grids: it loads first, and
 * stores then.
 *
 * A sweep may have reductions, and then need not write anything: in each step, anew, the maximum, minimum or sum of a value that each
 * of its cells has, and of one initial value. Its kernel then has one more parameter, the last:
 *   ptr  reduced        u64[nreductions][STENCILRT_SLOTS], zeros before the launches of a step
 * The kernel makes a number of each cell's value, and of those of a warp their maximum as unsigned
 * numbers, or their sum, which it adds, likewise, to one of the slots. So does then the runtime
 * with all slots. The number of a value v of `size` bytes, bits b of which the topmost is s:
 *   STENCILRT_SUM of integers: b; the sum is modulo 2^64
 *   STENCILRT_SUM of floats, whose order then is free: the bits of v as a double. Warps add these as
 *     doubles. What they add to slots is not that: see STENCILRT_ACCUMULATOR
 *   STENCILRT_MAX, a key that is the greater the greater v is: b of an unsigned integer; b ^ s of a
 *     signed one; of a float, b ^ s if its sign is clear, else ~b, in `size` bytes, but of 0.0 what
 *     -0.0 would have and of -0.0 what 0.0 would have; of NaN 2^64 - 1
 *   STENCILRT_MIN: 2^64 - 1 less the key, but zeros have each its own; of NaN 2^64 - 1
 * The result depends on the order of the cells if there is a NaN, or if it is zero and there is a
 * -0.0: -0.0 or NaN is what the slots then hold. The runtime declines there: see stencilrt_run.
 *
 * Rows may be found through tables: a[i] of T **a, planes of rows through tables of such: a[k][i] of
 * T ***a. Where they are the compiler cannot know; so origins and strides are those of an image of
 * the table, as if row i of plane k began at byte
 *   STENCILRT_IMAGE + number * STENCILRT_TABLE + k * STENCILRT_PLANE + i * STENCILRT_ROW
 * of the address space, where no memory is. If the rows of all tables are evenly spaced, the runtime
 * puts the true addresses in their place; else it copies row by row.
 */
#ifndef STENCILOPT_REGION_H
#define STENCILOPT_REGION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Also in the runtime's name, libstencilrt.so.<ABI>: CMakeLists.txt reads this line. */
#define STENCILRT_ABI 9
#define STENCILRT_MAX_RANK 3

enum stencilrt_image_kind {
    STENCILRT_BITCODE = 0, /* LLVM bitcode, with NVPTX's or AMDGPU's intrinsics: what sim runs */
    STENCILRT_PTX = 1,     /* NUL-terminated PTX; the NUL is one of its bytes */
    STENCILRT_CUBIN = 2,
    STENCILRT_HSACO = 3
};

enum { STENCILRT_PLAIN = 0, STENCILRT_ZSTD = 1 };

typedef struct stencilrt_image {
    uint32_t kind;    /* enum stencilrt_image_kind */
    uint32_t packing; /* STENCILRT_ZSTD: the bytes are a zstd frame that tells its content's size */
    const char *arch; /* "sm_80", "gfx942", "gfx90a:xnack-"; "" for bitcode of NVPTX */
    const void *bytes;
    uint64_t size; /* of these bytes */
} stencilrt_image;

typedef struct stencilrt_grid {
    uint32_t elem_size;    /* bytes: 1, 2, 4 or 8 */
    uint32_t buffers;      /* copies rotated through: 1 or more */
    uint32_t first_buffer; /* its first entry in stencilrt_call.origins */
    uint32_t broadcast;    /* bit d set: the grid does not extend along dimension d: cells that
                              differ in d alone are one. Offsets along y and z are then 0; along
                              x they still count elements: w[0], w[1], ... of a table */
    int32_t advance;       /* elements that cell (0,0,0) moves on in each step: w[t]. Only where
                              several sweeps are, of grids that are read and broadcast along all
                              dimensions; else 0 */
    uint32_t padding;      /* 0 */
} stencilrt_grid;

/* STENCILRT_MAYBE, of one of several sweeps: each cell is written only where a condition holds, and
 * the kernel elsewhere writes what is there. */
enum { STENCILRT_READ = 1, STENCILRT_WRITE = 2, STENCILRT_MAYBE = 4, STENCILRT_UNSURE = 8 };

typedef struct stencilrt_port {
    uint32_t grid;
    int32_t level;
    uint32_t access;        /* STENCILRT_READ, STENCILRT_WRITE or both; perhaps STENCILRT_MAYBE; and
                               STENCILRT_UNSURE as often as there are offsets, the last ones, that
                               the program reads only under conditions. All cells of such are to be
                               accessed by the region elsewhere, in any case */
    uint32_t noffsets;      /* cells read: the domain shifted by each of these; 0 if only written */
    const int32_t *offsets; /* noffsets * 3, x first, in cells; unused dimensions are 0 */
} stencilrt_port;

enum {
    STENCILRT_FIXED = 0, /* one slot: the value's bits, in the low bytes */
    STENCILRT_STEPPED =
        1, /* two slots: value at step 0, increment a step; integers, wrapping to `size` */
    /* One slot: the host address of the value, 8 bytes of which the low ones count. It is read anew
     * for each step, which stencilrt_check's `ends` stores there. Of several sweeps. */
    STENCILRT_FOLLOWED = 2
};

typedef struct stencilrt_scalar {
    uint32_t size; /* of the kernel's parameter: 1, 2, 4 or 8 bytes */
    uint32_t kind; /* STENCILRT_FIXED, STENCILRT_STEPPED or STENCILRT_FOLLOWED */
} stencilrt_scalar;

enum { STENCILRT_CELL = 0, STENCILRT_STREAM = 1, STENCILRT_STRIP = 2 };

typedef struct stencilrt_kernel {
    const char *name;  /* its symbol, the same in every image */
    uint32_t kind;     /* STENCILRT_CELL, STENCILRT_STREAM or STENCILRT_STRIP */
    uint32_t bt;       /* time steps a launch advances */
    uint32_t block[3]; /* threads of a block along x, y, z */
    /* What the compiler expects of a device that is full of such blocks: femtoseconds, of all the
     * device, that a block takes for a plane; a cell or strip kernel's block, as a whole. 0: not
     * known. The runtime compares kernels by it. */
    uint32_t time;
    /* The rest is 0 in a cell kernel. */
    uint32_t tile[2];    /* cells that a tile stores along x and y; tile[1] is 1 in 2-D */
    uint32_t tiles;      /* tiles along x that a block has */
    uint32_t overlap;    /* planes that a chunk computes beyond those it stores */
    uint32_t scratchpad; /* dynamic scratchpad, bytes a block */
} stencilrt_kernel;

enum { STENCILRT_MAX = 0, STENCILRT_MIN = 1, STENCILRT_SUM = 2 };
enum { STENCILRT_UNSIGNED = 0, STENCILRT_SIGNED = 1, STENCILRT_FLOAT = 2 };
enum { STENCILRT_SLOTS = 256 };

/* The slots of a sum of floats are sums of integers, so that their order does not matter: several
 * accumulators, side by side, of so many words each. Word 0 counts what is infinite or NaN, where the
 * runtime declines. The others are the digits, of 32 bits and signed, of what was added, exactly,
 * as a multiple of 2^-1074 (the least double): the first is the one of 2^(32 * FIRST - 1074).
 * That is U. Kulisch's long accumulator. */
#define STENCILRT_ACCUMULATOR(size) ((size) == 8 ? 80 : 16)
#define STENCILRT_ACCUMULATORS(size) (STENCILRT_SLOTS / STENCILRT_ACCUMULATOR(size))
#define STENCILRT_FIRST_DIGIT(size) ((size) == 8 ? 0 : 27)

typedef struct stencilrt_reduction {
    uint32_t op;      /* STENCILRT_MAX, _MIN or _SUM */
    uint32_t type;    /* STENCILRT_UNSIGNED, _SIGNED or _FLOAT; a sum's is _UNSIGNED or _FLOAT */
    uint32_t size;    /* of the value: 1, 2, 4 or 8 bytes; of a float, 4 or 8 */
    uint32_t padding; /* 0 */
} stencilrt_reduction;

/* The original loops may keep denormal numbers or flush them to zero. Without: a call that finds the
 * processor set to flush is declined, for kernels keep denormal numbers. */
enum { STENCILRT_DENORMALS_FREE = 1 };

typedef struct stencilrt_region {
    uint32_t abi;      /* STENCILRT_ABI */
    uint32_t rank;     /* 1..3 */
    const char *where; /* "file.c:12 in function", for reports */
    uint32_t ngrids, nports, nscalars, nimages;
    uint32_t nkernels; /* 1 or more */
    uint32_t nbuffers; /* sum of the grids' `buffers` */
    uint32_t ops;      /* arithmetic operations a cell and step: the cost estimate's input */
    uint32_t nsweeps;  /* 0: one, this region itself; else 1 or more */
    uint32_t pad_low[3], pad_high[3]; /* cells: see STENCILRT_STREAM, _STRIP; 0 without these */
    const stencilrt_kernel *kernels;
    const stencilrt_grid *grids;
    const stencilrt_port *ports;
    const stencilrt_scalar *scalars;
    const stencilrt_image *images;
    void **state; /* one word of the program's, initially NULL: the runtime's to use */
    const struct stencilrt_region *sweeps; /* nsweeps */
    const stencilrt_reduction *reductions; /* of one of several sweeps, else NULL */
    uint32_t nreductions;
    /* One of several sweeps: made only in steps phase, phase + every, ..., the first of which there
     * must be; its grids have one buffer, it has no reductions, and the steps are counted. every 0:
     * in all steps. */
    uint32_t every, phase;
    uint32_t flags; /* STENCILRT_DENORMALS_FREE or 0; 0 in one of several sweeps */
} stencilrt_region;

/* What the program copies after each step, `bytes` at a time: count[0] * count[1] * count[2] such
 * rows, row (i, j, k) being i * step[0] + j * step[1] + k * step[2] bytes from the first one. */
typedef struct stencilrt_copy {
    void *to;
    const void *from;
    uint64_t bytes;
    int64_t count[3], step[3]; /* 1 and 0 where there are fewer dimensions */
} stencilrt_copy;

/* Reductions, and how a time loop ends that decides so by itself. Reductions are those of all
 * sweeps, in their order; a value is its bits, in the low bytes. */
typedef struct stencilrt_check {
    const uint64_t *initial; /* of each reduction */
    uint64_t *values;        /* of each: the runtime stores here the last step's */
    /* After each step, the first being 0: 0 if the loop goes on, else by which of its exits it
     * ends, from 1 on. NULL: all steps are made. It changes nothing but what its context has: values
     * for the next step. */
    int (*ends)(const void *context, int64_t step, const uint64_t *values);
    const void *context;
    int64_t done; /* the runtime stores here how many steps were made.. */
    int64_t exit; /* ..and what `ends` said last */
} stencilrt_check;

/* Where images of tables are: see above. A row has half a STENCILRT_ROW to each side, a plane half
 * a STENCILRT_PLANE, a table half a STENCILRT_TABLE. No program has rows of that many bytes. */
#define STENCILRT_IMAGE ((INT64_C(1) << 62) + (INT64_C(1) << 58))
#define STENCILRT_TABLE (INT64_C(1) << 59)
#define STENCILRT_ROW ((INT64_C(1) << 35) + 14072)
#define STENCILRT_PLANE (STENCILRT_ROW << 13)
enum { STENCILRT_MAX_TABLES = 8 };

/* Pointers of a table that the program reads. A table of planes has tables of rows. */
typedef struct stencilrt_table {
    const void *pointers;       /* the table: where its pointer number 0 is */
    int64_t number;             /* of its image: less than STENCILRT_MAX_TABLES */
    int64_t planes;             /* 1: a table of planes; 0: of rows */
    int64_t skip;               /* of planes: bytes from where a table of rows is to its number 0 */
    int64_t first[2], count[2]; /* of planes (0 and 1 where there are none), of rows; a count may be
                                   0 */
    int64_t unsure;             /* 1: of several sweeps, that the program reads only under a
                                   condition: they are to be among those of the same image that it
                                   always reads; or 0 */
} stencilrt_table;

typedef struct stencilrt_tables {
    int64_t count;
    const stencilrt_table *at; /* several may be parts of one image */
    int64_t nkept;
    const void *const *kept; /* 8 bytes each that the loops read and the program must not write */
} stencilrt_tables;

typedef struct stencilrt_call {
    int64_t steps;     /* time steps; 1 for a sweep with no time loop; where `check` ends the loop,
                          as many as are expected at most */
    int64_t extent[3]; /* cells a dimension; unused dimensions are 1. Of several sweeps, the
                          largest's, which only reports need */
    void *const
        *origins; /* nbuffers: host address of the buffer's cell (0,0,0) at offset (0,0,0) */
    const int64_t
        *strides;            /* ngrids * 3: host bytes from a cell to its neighbour along x, y, z;
                                x: elem_size; 0 where the grid is broadcast; y and z may be negative */
    const uint64_t *scalars; /* one or two slots each */
    const struct stencilrt_call *sweeps; /* as the region's; `steps` is the same in each */
    /* NULL, or: the written grid has 2 buffers and is read at level 0 alone; every step reads the
     * first and writes the second, from which the program then copies to the first. */
    const stencilrt_copy *copy;
    stencilrt_check
        *check; /* of several sweeps that have reductions, or whose loop ends so; or NULL */
    const stencilrt_tables *tables; /* of all sweeps, or NULL */
} stencilrt_call;

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
    STENCILRT_LOOPS = 6 /* original loops run without stencilrt_run being asked: all kept memory, by
                           address 0 and 0 bytes, is fetched. A call that is declined does the same */
};
int stencilrt_notify(int what, const void *memory, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
