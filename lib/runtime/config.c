/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The runtime's options. All come from the environment, because the compiled program has no other
 * way to pass them.
 */
#include "options/profile.h"
#include "runtime/rt.h"
#include "runtime/variables.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static rt_config config;
static pthread_once_t config_once = PTHREAD_ONCE_INIT;
static atomic_bool config_read;

static const struct {
    const char *text;
    enum rt_choice choice;
} devices[] = {{"auto", RT_CHOICE_AUTO},
               {"cuda", RT_CHOICE_CUDA},
               {"hip", RT_CHOICE_HIP},
               {"sim", RT_CHOICE_SIM},
               {"off", RT_CHOICE_OFF}};

static void read_device(void) {
    const char *text = rt_variable(RT_VAR_DEVICE);
    config.device = RT_CHOICE_AUTO;
    if (!text)
        return;
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        if (strcmp(text, devices[i].text) == 0) {
            config.device = devices[i].choice;
            return;
        }
    }
    config.device = RT_CHOICE_OFF;
    config.device_unknown = true;
    rt_say("STENCILOPT_DEVICE=%s: unknown device; allowed: auto, cuda, hip, sim, off. The original "
           "loops run.",
           text);
}

/* An absolute path: the program may change its directory before it exits. */
static const char *make_absolute(const char *path) {
    static char absolute[PATH_MAX];
    size_t used = 0;
    if (path[0] != '/') {
        if (!getcwd(absolute, sizeof absolute - 1))
            return NULL;
        used = strlen(absolute);
        absolute[used++] = '/';
    }
    if (used + strlen(path) >= sizeof absolute)
        return NULL;
    strcpy(absolute + used, path);
    return absolute;
}

/* A report in a file: KIND:FILE. False if the text is of another kind. */
static bool read_file_report(const char *text, const char *kind, enum rt_reporting report) {
    size_t length = strlen(kind);
    if (strncmp(text, kind, length) != 0 || !text[length])
        return false;
    config.report_file = make_absolute(text + length);
    config.report = config.report_file ? report : RT_REPORT_OFF;
    if (!config.report_file)
        rt_say("STENCILOPT_REPORT=%s: the path is too long. Nothing is reported.", text);
    return true;
}

static void read_report(void) {
    const char *text = rt_variable(RT_VAR_REPORT);
    if (!text || strcmp(text, "0") == 0)
        return;
    if (strcmp(text, "1") == 0) {
        config.report = RT_REPORT_SUMMARY;
    } else if (strcmp(text, "each") == 0) {
        config.report = RT_REPORT_EACH;
    } else if (!read_file_report(text, "json:", RT_REPORT_JSON) &&
               !read_file_report(text, "trace:", RT_REPORT_TRACE)) {
        rt_say("STENCILOPT_REPORT=%s: unknown value; allowed: 0, 1, each, json:FILE, trace:FILE. "
               "Nothing is reported.",
               text);
    }
}

static void read_resident(void) {
    const char *text = rt_variable(RT_VAR_RESIDENT);
    config.resident = true;
    if (!text || strcmp(text, "auto") == 0)
        return;
    config.resident = false;
    if (strcmp(text, "off") != 0)
        rt_say(
            "STENCILOPT_RESIDENT=%s: unknown value; allowed: auto, off. All arrays are copied at "
            "each entry.",
            text);
}

static void read_tiles(void) {
    const char *text = rt_variable(RT_VAR_THREAD_TILES);
    config.tiles = RT_TILES_AUTO;
    if (!text || strcmp(text, "auto") == 0)
        return;
    if (strcmp(text, "on") == 0)
        config.tiles = RT_TILES_ON;
    else if (strcmp(text, "off") == 0)
        config.tiles = RT_TILES_OFF;
    else
        rt_say("STENCILOPT_THREAD_TILES=%s: unknown value; allowed: auto, on, off. It has no "
               "effect.",
               text);
}

/* Reads a number for tests, tuning and comparisons. */
static int64_t read_count(enum rt_variable v, int64_t least, int64_t otherwise) {
    const char *text = rt_variable(v);
    char *end;
    if (!text)
        return otherwise;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (*end == 0 && errno == 0 && value >= least)
        return value;
    rt_say("%s=%s: not a number from %d on. It has no effect.", rt_variable_name(v), text,
           (int)least);
    return otherwise;
}

/* Reads a number of bytes, perhaps with a unit. */
static int64_t read_bytes(enum rt_variable v) {
    static const char units[] = "KMG";
    const char *text = rt_variable(v), *unit;
    char *end;
    if (!text)
        return INT64_MAX;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    bool ok = end != text && errno == 0 && value > 0;
    if (ok && *end && (unit = strchr(units, *end))) {
        ok = !__builtin_mul_overflow(value, 1ll << 10 * (unit - units + 1), &value);
        end++;
    }
    if (ok && *end == 0)
        return value;
    rt_say("%s=%s: not a number of bytes. It has no effect.", rt_variable_name(v), text);
    return INT64_MAX;
}

/* Reads numbers joined by +. Returns how many there are; 0: too many, or something else. */
static unsigned read_numbers(const char *text, unsigned numbers[RT_MOST_DEVICES]) {
    char *end;
    for (unsigned count = 0;; text = end + 1) {
        unsigned long number = strtoul(text, &end, 10);
        if (*text < '0' || *text > '9' || number > INT_MAX || count == RT_MOST_DEVICES)
            return 0;
        numbers[count++] = (unsigned)number;
        if (*end != '+')
            return *end == 0 ? count : 0;
    }
}

/* False if a number comes twice. */
static bool read_device_numbers(const char *text) {
    config.devices = read_numbers(text, config.numbers);
    bool good = config.devices > 0;
    for (unsigned i = 0; i < config.devices; i++)
        for (unsigned k = 0; k < i; k++)
            good = good && config.numbers[i] != config.numbers[k];
    return good;
}

/* Devices without a share are not used. */
static void read_shares(void) {
    const char *text = rt_variable(RT_VAR_SHARES);
    unsigned count = text ? read_numbers(text, config.shares) : 0;
    bool good = count > 0;
    for (unsigned i = 0; i < count; i++)
        good = good && config.shares[i] > 0;
    if (text && !good)
        rt_say("STENCILOPT_SHARES=%s: not numbers from 1 on, joined by +. It has no effect.", text);
    if (good && count < config.devices)
        config.devices = count;
    for (unsigned i = 0; i < RT_MOST_DEVICES && !good; i++)
        config.shares[i] = 0;
}

/* One number tells how many devices there are. */
static void read_devices(void) {
    const char *text = rt_variable(RT_VAR_DEVICES);
    bool good = !text || strcmp(text, "all") == 0 || read_device_numbers(text);
    unsigned first = config.numbers[0];
    bool listed = text && strchr(text, '+');
    if (!text)
        config.rank = rt_rank_read();
    if (listed && good)
        return;
    config.devices = !text || !good ? 1 : strcmp(text, "all") == 0 ? RT_MOST_DEVICES : first;
    if (!good || config.devices == 0) {
        rt_say("STENCILOPT_DEVICES=%s: unknown value; allowed: all, a number from 1 on, or numbers "
               "joined by +. One device is used.",
               text);
        config.devices = 1;
    }
    if (config.devices > RT_MOST_DEVICES)
        config.devices = RT_MOST_DEVICES;
    for (unsigned i = 0; i < RT_MOST_DEVICES; i++)
        config.numbers[i] = i;
}

static const char *read_path(enum rt_variable v) {
    const char *text = rt_variable(v);
    return text ? strdup(text) : NULL;
}

static profile the_profile;
static char why_no_profile[400];

/* Read when the library is loaded, as the loader reads libraries: later a thread of the program may
 * close or replace the descriptor meanwhile. */
__attribute__((constructor)) static void open_profile(void) {
    int before = errno;
    const char *path = rt_variable(RT_VAR_PROFILE);
    if (path)
        profile_read(&the_profile, path, why_no_profile, sizeof why_no_profile);
    errno = before;
}

/* A profile that cannot be read has no effect: the program runs as without it. */
static void read_profile(void) {
    if (*why_no_profile)
        rt_say("STENCILOPT_PROFILE: %s. The profile has no effect.", why_no_profile);
    else if (the_profile.count > 0)
        config.profile = &the_profile;
}

static void read_config(void) {
    read_device();
    read_report();
    read_resident();
    read_tiles();
    read_profile();
    config.max_bt = read_count(RT_VAR_MAX_BT, 1, INT64_MAX);
    config.chunk = read_count(RT_VAR_CHUNK, 1, 0);
    read_devices();
    read_shares();
    config.sim_devices = read_count(RT_VAR_SIM_DEVICES, 1, 1);
    config.memory = read_bytes(RT_VAR_DEVICE_MEMORY);
    config.part = read_count(RT_VAR_PART, 1, 0);
    config.progress = read_count(RT_VAR_PROGRESS, 0, 5);
    config.libcuda = read_path(RT_VAR_LIBCUDA);
    config.libhip = read_path(RT_VAR_LIBHIP);
    config.libsim = read_path(RT_VAR_LIBSIM);
    rt_variables_check();
    atomic_store_explicit(&config_read, true, memory_order_release);
}

bool rt_config_is_read(void) {
    return atomic_load_explicit(&config_read, memory_order_acquire);
}

/* Signals are blocked: a handler that came in between would wait for the thread that it
 * interrupted. */
const rt_config *rt_config_get(void) {
    sigset_t saved;
    if (!rt_config_is_read()) {
        rt_signals_block(&saved);
        pthread_once(&config_once, read_config);
        rt_signals_restore(&saved);
    }
    return &config;
}

void *rt_library_open(const char *path, int flags, rt_error *why) {
    if (strchr(path, '/') && *path != '/') {
        rt_fail(why, RT_NO_DRIVER, "%s: not an absolute path", path);
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | flags);
    const char *text = library ? NULL : dlerror();
    if (!library)
        rt_fail(why, RT_NO_DRIVER, "%s", text ? text : path);
    return library;
}
