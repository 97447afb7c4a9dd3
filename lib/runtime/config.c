/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The runtime's options. All come from the environment, for the compiled program has no other
 * way to name them.
 */
#include "rt.h"
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static rt_config config;
static pthread_once_t config_once = PTHREAD_ONCE_INIT;

static const struct {
    const char *text;
    enum rt_choice choice;
} devices[] = {{"auto", RT_CHOICE_AUTO},
               {"cuda", RT_CHOICE_CUDA},
               {"hip", RT_CHOICE_HIP},
               {"sim", RT_CHOICE_SIM},
               {"off", RT_CHOICE_OFF}};

static void read_device(const char *text) {
    config.device = RT_CHOICE_AUTO;
    if (!text || !*text)
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

/* The program may change its directory before it exits. */
static const char *make_absolute(const char *path) {
    char *folder = path[0] == '/' ? NULL : getcwd(NULL, 0), *absolute = NULL;
    if (folder && asprintf(&absolute, "%s/%s", folder, path) < 0)
        absolute = NULL;
    free(folder);
    return absolute ? absolute : strdup(path);
}

static void read_report(const char *text) {
    static const char json[] = "json:";
    if (!text || !*text || strcmp(text, "0") == 0)
        return;
    if (strcmp(text, "1") == 0) {
        config.report = RT_REPORT_SUMMARY;
    } else if (strcmp(text, "each") == 0) {
        config.report = RT_REPORT_EACH;
    } else if (strncmp(text, json, sizeof json - 1) == 0 && text[sizeof json - 1]) {
        config.report_file = make_absolute(text + sizeof json - 1);
        config.report = config.report_file ? RT_REPORT_JSON : RT_REPORT_OFF;
    } else {
        rt_say("STENCILOPT_REPORT=%s: unknown value; allowed: 0, 1, each, json:FILE. Nothing is "
               "reported.",
               text);
    }
}

static void read_resident(const char *text) {
    config.resident = true;
    if (!text || !*text || strcmp(text, "auto") == 0)
        return;
    config.resident = false;
    if (strcmp(text, "off") != 0)
        rt_say(
            "STENCILOPT_RESIDENT=%s: unknown value; allowed: auto, off. All arrays are copied at "
            "each entry.",
            text);
}

/* For tests, tuning and comparisons. */
static int64_t read_count(const char *name, int64_t otherwise) {
    const char *text = getenv(name);
    char *end;
    if (!text || !*text)
        return otherwise;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (*end == 0 && errno == 0 && value >= 1)
        return value;
    rt_say("%s=%s: not a number from 1 on. It has no effect.", name, text);
    return otherwise;
}

/* A library's path is not taken from the environment of a set-user-id program. */
static const char *read_path(const char *name) {
    const char *text = secure_getenv(name);
    return text && *text ? strdup(text) : NULL;
}

static void read_config(void) {
    read_device(getenv("STENCILOPT_DEVICE"));
    read_report(getenv("STENCILOPT_REPORT"));
    read_resident(getenv("STENCILOPT_RESIDENT"));
    config.max_bt = read_count("STENCILOPT_MAX_BT", INT64_MAX);
    config.chunk = read_count("STENCILOPT_CHUNK", 0);
    config.libcuda = read_path("STENCILOPT_LIBCUDA");
    config.libhip = read_path("STENCILOPT_LIBHIP");
    config.libsim = read_path("STENCILOPT_LIBSIM");
}

const rt_config *rt_config_get(void) {
    pthread_once(&config_once, read_config);
    return &config;
}

bool rt_fail(rt_error *error, enum rt_reason reason, const char *format, ...) {
    va_list arguments;
    error->reason = reason;
    va_start(arguments, format);
    vsnprintf(error->detail, sizeof error->detail, format, arguments);
    va_end(arguments);
    return false;
}

/* One write(2), so that lines of several threads do not mix. */
void rt_say(const char *format, ...) {
    static const char prefix[] = "stencilopt: ";
    char line[1200];
    size_t used = sizeof prefix - 1;
    memcpy(line, prefix, used);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line + used, sizeof line - used - 1, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    used += (size_t)length;
    if (used > sizeof line - 2)
        used = sizeof line - 2;
    /* What a driver says may span lines; a report is one. */
    for (size_t i = 0; i < used; i++)
        if (line[i] == '\n' || line[i] == '\r')
            line[i] = ' ';
    line[used++] = '\n';
    ssize_t written = write(STDERR_FILENO, line, used);
    (void)written;
}

double rt_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
