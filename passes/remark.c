/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Remarks, made of text and of values with keys, which -fsave-optimization-record keeps apart.
 */
#include "remark.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES = 40, ROOM = 2048 };

typedef struct remark_body {
    br_piece pieces[PIECES];
    size_t count, used;
    char room[ROOM]; /* the texts of the pieces; what does not fit is cut off */
} remark_body;

static void add(pass_remark *remark, br_piece piece, const char *format, va_list arguments) {
    remark_body *r = remark->body = remark->body ? remark->body : calloc(1, sizeof *r);
    size_t left = sizeof r->room - r->used;
    if (r->count == PIECES || left < 2)
        return;
    piece.text = r->room + r->used;
    int length = vsnprintf(r->room + r->used, left, format, arguments);
    if (length < 0)
        return;
    r->used += (size_t)length < left ? (size_t)length + 1 : left;
    if (length > 0 || piece.key)
        r->pieces[r->count++] = piece;
}

void remark_text(pass_remark *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(r, (br_piece){0}, format, arguments);
    va_end(arguments);
}

void remark_value(pass_remark *r, const char *key, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(r, (br_piece){.key = key}, format, arguments);
    va_end(arguments);
}

void remark_hidden(pass_remark *r, const char *key, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(r, (br_piece){.key = key, .hidden = true}, format, arguments);
    va_end(arguments);
}

void remark_reason(pass_remark *r, st_reason reason, const char *detail) {
    const char *sentence = st_reason_sentence(reason), *gap = strstr(sentence, "%s");
    if (!gap) {
        remark_text(r, "%s", sentence);
        return;
    }
    remark_text(r, "%.*s", (int)(gap - sentence), sentence);
    remark_value(r, "Detail", "%s", detail ? detail : "?");
    remark_text(r, "%s", gap + 2);
}

void remark_send(pass_remark *r, br_function *f, br_loop l, enum br_remark_kind kind,
                 const char *name, st_reason reason) {
    if (reason != ST_OK)
        remark_hidden(r, "Reason", "%s", st_reason_name(reason));
    if (r->body)
        br_remark(f, l, kind, "stencil", name, r->body->pieces, r->body->count);
    free(r->body);
    r->body = NULL;
}
