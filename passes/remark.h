/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A remark is written piece by piece. A piece is text, which is only printed, or a value with a
 * key. Files of remarks (-fsave-optimization-record) contain values by their keys. docs/reports.md
 * lists the keys.
 */
#ifndef STENCILOPT_REMARK_H
#define STENCILOPT_REMARK_H

#include "bridge/bridge.h"
#include "model/stencil.h"

#include <stdbool.h>
#include <stdint.h>

/* A remark under construction; {0} is an empty one. A remark with content must be sent. */
typedef struct pass_remark {
    struct remark_body *body; /* NULL until something is written */
} pass_remark;

/* remark_text adds text; remark_value adds a value. The key must be a literal. */
void remark_text(pass_remark *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void remark_value(pass_remark *r, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds a value for files only. No text may follow. */
void remark_hidden(pass_remark *r, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds the sentence of the reason. `detail` is in it as the value Detail. */
void remark_reason(pass_remark *r, st_reason reason, const char *detail);
/* Adds the reason's name as the value Reason, if there is a reason. Sends the remark; it is empty
 * afterwards. */
void remark_send(pass_remark *r, br_function *f, br_loop l, enum br_remark_kind kind,
                 const char *name, st_reason reason);
/* The same at an instruction, without a reason. */
void remark_send_at(pass_remark *r, br_function *f, LLVMValueRef at, enum br_remark_kind kind,
                    const char *name);

/* The remarks that were sent once, by their texts and places. */
typedef struct remark_list {
    uint64_t *number;
    size_t count;
} remark_list;

/* Sends a missed remark, if none with this text was sent for this place in the source: of a
 * function that is inlined there are several copies. */
void remark_send_once(pass_remark *r, remark_list *sent, br_function *f, br_loop l,
                      const char *name, st_reason reason);
#endif
