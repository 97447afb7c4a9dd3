/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A remark is written piece by piece: text that is only printed, and values that records of remarks
 * (-fsave-optimization-record) have by a key as well. docs/reports.md lists the keys.
 */
#ifndef STENCILOPT_REMARK_H
#define STENCILOPT_REMARK_H

#include "bridge/bridge.h"
#include "model/stencil.h"

/* {0} is an empty one; what was written must be sent. */
typedef struct pass_remark {
    struct remark_body *body; /* NULL until something is written */
} pass_remark;

/* Keys are literals. */
void remark_text(pass_remark *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void remark_value(pass_remark *r, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A value in records alone; after it there is no text. */
void remark_hidden(pass_remark *r, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The reason's sentence, in which `detail` is the value Detail. */
void remark_reason(pass_remark *r, st_reason reason, const char *detail);
/* Adds Reason, the reason's name, if there is one. The remark is empty afterwards. */
void remark_send(pass_remark *r, br_function *f, br_loop l, enum br_remark_kind kind,
                 const char *name, st_reason reason);

#endif
