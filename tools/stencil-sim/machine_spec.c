/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Parses --cache.
 */
#include "machine_spec.h"

#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SMS = 1024, MOST_RESIDENT = 64 };
static const uint64_t most_bytes = 1ull << 32;

/* A decimal number, with K or M for 2^10 or 2^20 where `units`; NULL when there is none. */
static const char *read_number(const char *text, bool units, uint64_t *number) {
    char *end;
    if (*text < '0' || *text > '9')
        return NULL;
    *number = strtoull(text, &end, 10);
    if (*number > most_bytes)
        return NULL;
    unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
    if (!units || !shift)
        return end;
    *number <<= shift;
    return *number > most_bytes ? NULL : end + 1;
}

static bool parse_level(const char *text, caches_level *level) {
    uint64_t bytes, line, ways = 0;
    if (strcmp(text, "none") == 0) {
        *level = (caches_level){0};
        return true;
    }
    const char *at = read_number(text, true, &bytes);
    at = at && *at == ':' ? read_number(at + 1, false, &line) : NULL;
    if (!at || *at != ':')
        return false;
    bool full = strcmp(++at, "full") == 0;
    at = full ? "" : read_number(at, false, &ways);
    if (!at || *at || (!full && !ways))
        return false;
    if (line < 4 || line > TRACE_ALIGNMENT || line & (line - 1) || !bytes || bytes % line)
        return false;
    if (ways && (ways > bytes / line || bytes / line % ways))
        return false;
    *level = (caches_level){bytes, (uint32_t)line, (uint32_t)ways};
    return true;
}

static int bad_level(const char *key, const char *text, char *error, size_t size) {
    return snprintf(error, size,
                    "%s wants BYTES:LINE:WAYS or none, not '%s'; BYTES a number, or one with K or "
                    "M, up to 4096M, LINE a power of two from 4 to %d, WAYS full or a number, and "
                    "BYTES a "
                    "multiple of LINE * WAYS",
                    key, text, TRACE_ALIGNMENT),
           1;
}

static int parse_count(const char *key, const char *text, uint32_t most, uint32_t *count,
                       char *error, size_t size) {
    uint64_t n;
    const char *end = read_number(text, false, &n);
    if (!end || *end || n < 1 || n > most)
        return snprintf(error, size, "%s wants a number from 1 to %u, not '%s'", key, most, text),
               1;
    *count = (uint32_t)n;
    return 0;
}

static int parse_part(const char *part, bool first, machine_spec *spec, char *error, size_t size) {
    const char *value = part + strcspn(part, "=");
    const caches_gpu *gpu = caches_find_gpu(part, strlen(part));
    if (first && gpu)
        return spec->gpu = *gpu, 0;
    value += *value == '=';
    if (strncmp(part, "l1=", 3) == 0)
        return parse_level(value, &spec->gpu.level[0]) ? 0 : bad_level("l1", value, error, size);
    if (strncmp(part, "l2=", 3) == 0)
        return parse_level(value, &spec->gpu.level[1]) ? 0 : bad_level("l2", value, error, size);
    if (strncmp(part, "sms=", 4) == 0)
        return parse_count("sms", value, MOST_SMS, &spec->gpu.processors, error, size);
    if (strncmp(part, "blocks=", 7) == 0)
        return parse_count("blocks", value, MOST_RESIDENT, &spec->resident, error, size);
    return snprintf(error, size,
                    "unknown part '%s'; allowed: first a GPU (%s), then l1=BYTES:LINE:WAYS, "
                    "l2=BYTES:LINE:WAYS, sms=N, blocks=N",
                    part, caches_gpus()),
           1;
}

int machine_spec_parse(const char *text, machine_spec *spec, char *error, size_t error_size) {
    *spec = (machine_spec){.gpu = {.processors = 1, .threads = 2048, .blocks = 32}};
    char part[128];
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        snprintf(part, sizeof part, "%.*s", (int)strcspn(at, ","), at);
        if (parse_part(part, at == text, spec, error, error_size))
            return 1;
    }
    if (!spec->gpu.level[0].bytes && !spec->gpu.level[1].bytes)
        return snprintf(error, error_size, "neither l1 nor l2 is given"), 1;
    return 0;
}

uint32_t machine_spec_resident(const machine_spec *spec, uint32_t block_threads, uint32_t wave) {
    if (spec->resident)
        return spec->resident;
    uint32_t room = spec->gpu.threads / ((block_threads + wave - 1) / wave * wave);
    room = room < spec->gpu.blocks ? room : spec->gpu.blocks;
    return room ? room : 1;
}
