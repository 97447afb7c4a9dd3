/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The reasons why a region's original loops ran. One table gives the enum, the names and the
 * sentences.
 */
#ifndef STENCILRT_REASONS_H
#define STENCILRT_REASONS_H

#define RT_REASONS(X)                                                                              \
    X(OFF, "off", "STENCILOPT_DEVICE is off")                                                      \
    X(BAD_OPTION, "bad-option", "STENCILOPT_DEVICE has an unknown value")                          \
    X(ABI, "abi", "the program was compiled for another version of the runtime's interface")       \
    X(MALFORMED, "malformed", "the region's description is malformed")                             \
    X(NOTHING, "nothing", "there are no steps or no cells to compute")                             \
    X(TOO_LARGE, "too-large", "the arrays' sizes overflow")                                        \
    X(OVERLAP, "overlap", "an array that is written overlaps another array")                       \
    X(FOLDED, "folded", "rows or planes of an array that is written overlap one another")          \
    X(IN_PLACE, "in-place", "a sweep reads neighbours in the array that it writes")                \
    X(MIXED, "mixed", "sweeps use the same memory as arrays of different rows or elements")        \
    X(BRICKS, "bricks", "parts of an array cannot lie in bricks together (layout=brick)")          \
    X(UNSURE, "unsure", "cells are accessed only under a condition, so memory may not be there")   \
    X(COPY, "copy",                                                                                \
      "the array copied after each step differs from the other beside the cells computed")         \
    X(ORDER, "order",                                                                              \
      "a maximum or minimum depends on the order of the cells: one is NaN, or zeros differ")       \
    X(FLOAT_ENV, "float-env", "the rounding mode or the floating-point traps are not the default") \
    X(FLUSHES, "flushes", "the program flushes denormal numbers to zero, and kernels keep them")   \
    X(FORKED, "forked",                                                                            \
      "this process was forked from one that used the device or had several threads")              \
    X(EXITING, "exiting", "the process is exiting")                                                \
    X(STACK, "stack", "the thread's stack is too small for a device's driver")                     \
    X(HANDLER, "handler", "a signal handler runs the loops")                                       \
    X(PROTECTED, "protected",                                                                      \
      "the program has protected pages of an array that stays, and handles SIGSEGV")               \
    X(INTERRUPTED, "interrupted", "a signal interrupted the time loop")                            \
    X(LOADER, "loader",                                                                            \
      "another thread has the device, and the constructor of a library may run the loops")         \
    X(NO_DRIVER, "no-driver", "the device's driver library cannot be used")                        \
    X(NO_DEVICE, "no-device", "there is no usable device")                                         \
    X(NO_IMAGE, "no-image", "the program holds no code for this device")                           \
    X(LOAD, "load", "the kernel could not be loaded")                                              \
    X(SLOWER, "slower", "the device is predicted to be slower")                                    \
    X(HOST_MEMORY, "host-memory", "out of host memory")                                            \
    X(DEVICE_MEMORY, "device-memory", "out of device memory")                                      \
    X(DEVICE, "device", "the device reported an error")                                            \
    X(STUCK, "stuck", "a block of a kernel waited too long for another one's cells")               \
    X(FAULT, "fault", "the simulator stopped the kernel")

enum rt_reason {
    RT_OK = 0,
#define RT_ENUM(id, name, sentence) RT_##id,
    RT_REASONS(RT_ENUM)
#undef RT_ENUM
};

#endif
