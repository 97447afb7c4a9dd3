/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Texts in JSON files.
 */
#include "runtime/report/json.h"

/* The bytes of a valid UTF-8 sequence at s; 0: it is not valid. */
static size_t sequence(const unsigned char *s) {
    size_t more = s[0] < 0x80                   ? 0
                  : s[0] >= 0xC2 && s[0] < 0xE0 ? 1
                  : s[0] >= 0xE0 && s[0] < 0xF0 ? 2
                  : s[0] >= 0xF0 && s[0] < 0xF5 ? 3
                                                : 9;
    if (more == 9)
        return 0;
    for (size_t i = 1; i <= more; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    return more + 1;
}

/* Bytes that are not UTF-8 are taken as Latin-1, so that the file stays readable. */
void rt_json_string(FILE *f, const char *text) {
    fputc('"', f);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t n = sequence(s);
        if (n == 0 || *s < 0x20 || *s == '"' || *s == '\\')
            fprintf(f, "\\u%04x", *s++);
        else
            for (; n > 0; n--)
                fputc(*s++, f);
    }
    fputc('"', f);
}
