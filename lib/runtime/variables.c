/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads the environment's variables, and complains of unknown names.
 */
#include "runtime/variables.h"
#include "runtime/rt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static const char prefix[] = "STENCILOPT_";

/* Variables of the runtime, in the order of enum rt_variable. */
static const char *const read_here[] = {
#define VARIABLE(id, name, values, meaning) name,
#include "runtime/variables.def"
};

/* Variables of the entry code in programs, of the simulator and of tools. */
static const char *const read_elsewhere[] = {
#define OTHER_VARIABLE(name, values, meaning) name,
#include "runtime/variables.def"
};

/* Variables of the compiler, as its options are spelt. */
static const char *const options[] = {
#define OPTION(id, name, fallback, allowed, help) name,
#include "options/options.def"
};

#define COUNT(table) (sizeof table / sizeof *table)

bool rt_caller_is_trusted(void) {
    return !getauxval(AT_SECURE);
}

const char *rt_variable(enum rt_variable v) {
    const char *text = secure_getenv(read_here[v]);
    return text && *text ? text : NULL;
}

const char *rt_variable_name(enum rt_variable v) {
    return read_here[v];
}

static bool is_one_of(const char *const *names, size_t count, const char *name, size_t length) {
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && !memcmp(names[i], name, length))
            return true;
    return false;
}

/* Is NAME this option's name in capitals: device-math and DEVICE_MATH? */
static bool is_option(const char *option, const char *name, size_t length) {
    if (strlen(option) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if ((option[i] == '-' ? '_' : toupper((unsigned char)option[i])) != name[i])
            return false;
    return true;
}

static bool is_known(const char *name, size_t length) {
    const size_t skip = sizeof prefix - 1;
    for (size_t i = 0; i < COUNT(options); i++)
        if (is_option(options[i], name + skip, length - skip))
            return true;
    return is_one_of(read_here, COUNT(read_here), name, length) ||
           is_one_of(read_elsewhere, COUNT(read_elsewhere), name, length);
}

enum { LONGEST = 40 };

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* The number of letters to insert, remove and replace (Wagner and Fischer 1974). */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb) {
    unsigned row[LONGEST + 1];
    for (size_t j = 0; j <= nb; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= na; i++) {
        unsigned corner = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            unsigned above = row[j];
            row[j] = least(least(above, row[j - 1]) + 1, corner + (a[i - 1] != b[j - 1]));
            corner = above;
        }
    }
    return row[nb];
}

/* A known variable of a similar name, or NULL. */
static const char *similar(const char *name, size_t length) {
    const char *best = NULL;
    unsigned most = 3;
    for (size_t i = 0; i < COUNT(read_here); i++) {
        size_t known = strlen(read_here[i]);
        unsigned d = known <= LONGEST ? distance(name, length, read_here[i], known) : most;
        if (d < most) {
            most = d;
            best = read_here[i];
        }
    }
    return best;
}

static void warn(const char *name, size_t length) {
    const char *meant = length <= LONGEST ? similar(name, length) : NULL;
    int shown = (int)(length <= LONGEST ? length : LONGEST);
    if (meant)
        rt_say("%.*s: unknown variable, without effect; %s may be meant", shown, name, meant);
    else
        rt_say("%.*s: unknown variable, without effect", shown, name);
}

void rt_variables_check(void) {
    if (!rt_caller_is_trusted() || !environ)
        return;
    for (char **entry = environ; *entry; entry++) {
        size_t length = strcspn(*entry, "=");
        if (!strncmp(*entry, prefix, sizeof prefix - 1) && !is_known(*entry, length))
            warn(*entry, length);
    }
}
