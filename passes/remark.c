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

/* A number for the text; of several pieces, with their keys. */
static uint64_t number_of(const pass_remark *r, uint64_t place) {
    uint64_t number = place;
    for (size_t i = 0; i < r->body->used; i++)
        number = (number ^ (unsigned char)r->body->room[i]) * UINT64_C(0x100000001b3);
    return number;
}

/* Adds the number if it is not in the list yet. */
static bool add_number(remark_list *sent, uint64_t number) {
    for (size_t i = 0; i < sent->count; i++)
        if (sent->number[i] == number)
            return false;
    sent->number = realloc(sent->number, (sent->count + 1) * sizeof *sent->number);
    sent->number[sent->count++] = number;
    return true;
}

void remark_send_once(pass_remark *r, remark_list *sent, br_function *f, br_loop l,
                      const char *name, st_reason reason) {
    uint64_t place = br_place_number(l);
    if (!r->body || !place || add_number(sent, number_of(r, place))) {
        remark_send(r, f, l, BR_MISSED, name, reason);
        return;
    }
    free(r->body);
    r->body = NULL;
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

void remark_send_at(pass_remark *r, br_function *f, LLVMValueRef at, enum br_remark_kind kind,
                    const char *name) {
    if (r->body)
        br_remark_at(f, at, kind, "stencil", name, r->body->pieces, r->body->count);
    free(r->body);
    r->body = NULL;
}
