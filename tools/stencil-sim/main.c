/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * stencil-sim: runs one kernel of an LLVM IR file on the CPU. Exit status: 0, 1 when the kernel has
 * a fault, 2 when the command line or the file is wrong.
 */
#include "arguments.h"
#include "sim/inspect.h"
#include "stencilopt/version.h"
#include "usage.h" /* made of usage.txt */
#include "view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 256, STATUS_FAULT = 1, STATUS_USAGE = 2 };

typedef struct report {
    bool print; /* else hash */
    unsigned argument;
} report;

typedef struct options {
    const char *file, *runs, *kernel;
    uint32_t grid[3], block[3], wave, scratchpad, offset;
    const char *arg_texts[MOST_ARGUMENTS];
    sim_argument args[MOST_ARGUMENTS];
    unsigned fields[MOST_ARGUMENTS + 1]; /* of the struct that starts there; 0: none does */
    unsigned nargs;
    report reports[MOST_ARGUMENTS];
    unsigned nreports;
    bool time, trace_cache;
    const char *cache, *view_only; /* an option that only the cache view has */
    view_options view;
    trace trace;
} options;

static int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int complain(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("stencil-sim: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return STATUS_USAGE;
}

static int parse_extents(const char *option, const char *text, uint32_t extents[3]) {
    const char *at = text;
    extents[0] = extents[1] = extents[2] = 1;
    for (int d = 0; d < 3; ++d) {
        char *end;
        unsigned long long n = *at >= '0' && *at <= '9' ? strtoull(at, &end, 10) : 0;
        if (n == 0 || n > UINT32_MAX || (*end != ',' && *end != '\0'))
            break;
        extents[d] = (uint32_t)n;
        if (*end == '\0')
            return 0;
        at = end + 1;
    }
    return complain("%s wants one to three positive numbers X,Y,Z, not '%s'", option, text);
}

static int parse_number(const char *option, const char *text, uint32_t *number) {
    char *end = NULL;
    unsigned long long n = *text >= '0' && *text <= '9' ? strtoull(text, &end, 0) : 0;
    if (!end || *end || n > UINT32_MAX)
        return complain("%s wants a number, not '%s'", option, text);
    *number = (uint32_t)n;
    return 0;
}

static int add_report(options *o, const char *option, const char *value) {
    uint32_t number = 0;
    int status = parse_number(option, value, &number);
    if (status)
        return status;
    if (o->nreports == MOST_ARGUMENTS)
        return complain("too many %s", option);
    o->reports[o->nreports++] = (report){strcmp(option, "--print") == 0, number};
    return 0;
}

/* One of two words. */
static int parse_choice(const char *option, const char *value, const char *const words[2],
                        int *choice) {
    for (*choice = 0; *choice < 2; ++*choice)
        if (strcmp(value, words[*choice]) == 0)
            return 0;
    return complain("%s wants %s or %s, not '%s'", option, words[0], words[1], value);
}

static int parse_view_option(options *o, const char *option, const char *value) {
    static const char *const orders[] = {"threads", "warps"}, *const levels[] = {"l1", "l2"};
    int choice;
    o->view_only = option;
    if (strcmp(option, "--cache") == 0)
        return o->cache = value, 0;
    if (strcmp(option, "--plot") == 0)
        return o->view.plot = value, 0;
    if (strcmp(option, "--plot-level") == 0)
        return parse_choice(option, value, levels, &o->view.level);
    int status = parse_choice(option, value, orders, &choice);
    o->view.warps = choice;
    return status;
}

static int parse_struct(options *o, const char *value) {
    uint32_t count = 0;
    int status = parse_number("--struct", value, &count);
    if (!status && (count == 0 || o->fields[o->nargs]))
        status = complain("--struct: %s", count ? "twice for one argument" : "a struct has fields");
    if (!status)
        o->fields[o->nargs] = count;
    return status;
}

static int parse_option(options *o, const char *option, const char *value) {
    if (strcmp(option, "--kernel") == 0)
        return o->kernel = value, 0;
    if (strcmp(option, "--grid") == 0)
        return parse_extents(option, value, o->grid);
    if (strcmp(option, "--block") == 0)
        return parse_extents(option, value, o->block);
    if (strcmp(option, "--wave") == 0)
        return parse_number(option, value, &o->wave);
    if (strcmp(option, "--lds") == 0)
        return parse_number(option, value, &o->scratchpad);
    if (strcmp(option, "--offset") == 0)
        return parse_number(option, value, &o->offset);
    if (strcmp(option, "--runs") == 0)
        return o->runs = value, 0;
    if (strcmp(option, "--hash") == 0 || strcmp(option, "--print") == 0)
        return add_report(o, option, value);
    if (strcmp(option, "--struct") == 0)
        return parse_struct(o, value);
    if (strcmp(option, "--arg") != 0)
        return parse_view_option(o, option, value);
    if (o->nargs == MOST_ARGUMENTS)
        return complain("too many --arg");
    o->arg_texts[o->nargs++] = value;
    return 0;
}

static bool takes_value(const char *option) {
    static const char *const names[] = {"--kernel", "--grid",   "--block", "--wave",
                                        "--lds",    "--arg",    "--hash",  "--print",
                                        "--cache",  "--order",  "--plot",  "--plot-level",
                                        "--runs",   "--offset", "--struct"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strcmp(names[i], option) == 0)
            return true;
    return false;
}

static int parse_words(options *o, int count, char **words) {
    for (int i = 0; i < count; ++i) {
        const char *word = words[i];
        int status = 0;
        if (takes_value(word)) {
            if (i + 1 == count)
                return complain("%s wants a value", word);
            status = parse_option(o, word, words[++i]);
        } else if (strcmp(word, "--time") == 0) {
            o->time = true;
        } else if (strcmp(word, "--trace-cache") == 0) {
            o->trace_cache = true;
        } else if (word[0] == '-' && word[1]) {
            return complain(
                "unknown option '%s'; allowed: --kernel, --grid, --block, --wave, --lds, "
                "--arg, --hash, --print, --time, --trace-cache, --cache, --order, --plot, "
                "--plot-level, --runs, --offset, --struct, --help, --version",
                word);
        } else if (o->file) {
            return complain("one file, not both '%s' and '%s'", o->file, word);
        } else {
            o->file = word;
        }
        if (status)
            return status;
    }
    return 0;
}

/* Is a launch described in full? */
static int check_launch(const options *o) {
    if (!o->grid[0] || !o->block[0])
        return complain("%s is missing", o->grid[0] ? "--block" : "--grid");
    for (unsigned r = 0; r < o->nreports; ++r)
        if (o->reports[r].argument >= o->nargs)
            return complain(
                "there is no argument %u; the arguments are numbered from 0 and %u are given",
                o->reports[r].argument, o->nargs);
    return 0;
}

static int parse_command_line(options *o, int argc, char **argv) {
    int status = parse_words(o, argc - 1, argv + 1);
    if (status)
        return status;
    if (!o->file)
        return complain("no file given; --help lists the options");
    if (strcmp(o->file, "-") && access(o->file, R_OK))
        return complain("cannot read '%s': %s", o->file, strerror(errno));
    if (o->view_only && !o->trace_cache)
        return complain("%s wants --trace-cache", o->view_only);
    if (o->runs && o->trace_cache)
        return complain("--runs and --trace-cache exclude each other");
    return o->runs ? 0 : check_launch(o);
}

static char *read_whole(const char *path, size_t *size) {
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = NULL;
    size_t room = 0;
    *size = 0;
    do {
        room = room ? 2 * room : 1 << 16;
        text = realloc(text, room);
        if (text)
            *size += fread(text + *size, 1, room - *size, file);
    } while (text && *size == room);
    if (file != stdin)
        fclose(file);
    return text;
}

static int load(options *o, stencilsim_module **module) {
    char error[1024];
    size_t size;
    char *text = read_whole(o->file, &size);
    if (!text)
        return complain("cannot read '%s'", o->file);
    *module = stencilsim_load(text, size, error, sizeof error);
    free(text);
    return *module ? 0 : complain("%s: %s", o->file, error);
}

static int choose_kernel(options *o, const stencilsim_module *module) {
    char names[512] = "";
    size_t n = 0;
    for (const char *name; (name = stencilsim_kernel_name(module, n)); ++n) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", n ? ", " : "", name);
    }
    if (!o->kernel && n == 1)
        o->kernel = stencilsim_kernel_name(module, 0);
    if (!o->kernel)
        return complain("--kernel is missing; the file has: %s", names);
    if (stencilsim_kernel_nparams(module, o->kernel) < 0)
        return complain("no kernel '%s'; the file has: %s", o->kernel, names);
    return 0;
}

/* Does an argument of the command line fit a parameter of this IR type? */
static bool fits(const sim_argument *a, const char *type, size_t bytes) {
    if (a->is_buffer)
        return strncmp(type, "ptr", 3) == 0;
    if (strcmp(type, "i1") == 0)
        return a->type->kind != ELEMENT_REAL && a->type->bytes == 1;
    bool real = strcmp(type, "float") == 0 || strcmp(type, "double") == 0;
    return (real || type[0] == 'i') && real == (a->type->kind == ELEMENT_REAL) &&
           bytes == a->type->bytes;
}

/* Bytes of an argument, and where they are. */
static size_t bytes_of(const sim_argument *a, const void **from) {
    *from = a->is_buffer ? (const void *)&a->memory : (const void *)&a->value;
    return a->is_buffer ? sizeof(void *) : a->type->bytes;
}

/* Lays the fields out, each at a multiple of its size, as C does with scalars; into `to`, if it is
 * not NULL. Returns the struct's bytes. */
static size_t lay_out(const sim_argument *fields, unsigned count, char *to) {
    size_t at = 0, most = 1;
    for (unsigned n = 0; n < count; ++n) {
        const void *from;
        size_t bytes = bytes_of(&fields[n], &from);
        at = (at + bytes - 1) / bytes * bytes;
        if (to)
            memcpy(to + at, from, bytes);
        at += bytes;
        most = bytes > most ? bytes : most;
    }
    return (at + most - 1) / most * most;
}

static int check_struct(options *o, unsigned first, unsigned parameter, const char *type,
                        size_t bytes) {
    unsigned count = o->fields[first];
    if (!count)
        return complain("argument %u of kernel '%s' is a struct of %zu bytes passed by value; "
                        "--struct N before its fields' --arg gives one",
                        parameter, o->kernel, bytes);
    if (*type)
        return complain("argument %u of kernel '%s' has type %s, and is no struct", parameter,
                        o->kernel, type);
    size_t given = lay_out(&o->args[first], count, NULL);
    if (given != bytes)
        return complain("argument %u of kernel '%s' is a struct of %zu bytes; the fields given "
                        "have %zu",
                        parameter, o->kernel, bytes, given);
    return 0;
}

static int check_fields(const options *o) {
    unsigned end = 0; /* of the last struct */
    for (unsigned n = 0; n <= o->nargs; ++n) {
        unsigned count = o->fields[n];
        if (count > o->nargs - n)
            return complain("--struct %u is followed by %u --arg", count, o->nargs - n);
        if (count && n < end)
            return complain("--struct: a struct in another one");
        end = count ? n + count : end;
    }
    return 0;
}

static int parse_arguments(options *o) {
    char error[512];
    for (unsigned n = 0; n < o->nargs; ++n)
        if (argument_parse(o->arg_texts[n], o->args, n, o->offset, &o->args[n], error,
                           sizeof error))
            return complain("argument %u: %s", n, error);
    return 0;
}

static unsigned count_parameters(const options *o) {
    unsigned count = 0;
    for (unsigned n = 0; n < o->nargs; n += o->fields[n] ? o->fields[n] : 1)
        count++;
    return count;
}

static int check_arguments(options *o, const stencilsim_module *module) {
    unsigned wanted = (unsigned)stencilsim_kernel_nparams(module, o->kernel), p = 0;
    int status = check_fields(o);
    if (!status && wanted != count_parameters(o))
        status = complain("kernel '%s' takes %u arguments, %u given", o->kernel, wanted,
                          count_parameters(o));
    if (!status)
        status = parse_arguments(o);
    for (unsigned n = 0; n < o->nargs && !status; n += o->fields[n] ? o->fields[n] : 1, p++) {
        size_t bytes;
        const char *type = stencilsim_kernel_param(module, o->kernel, (int)p, &bytes);
        if (o->fields[n] || !*type)
            status = check_struct(o, n, p, type, bytes);
        else if (!fits(&o->args[n], type, bytes))
            status = complain("argument %u of kernel '%s' has type %s; '%s' does not fit", p,
                              o->kernel, type, o->arg_texts[n]);
    }
    return status;
}

/* Requires the kernel to be chosen and the arguments to be parsed. */
static int prepare_view(options *o, stencilsim_module *module) {
    if (!o->trace_cache)
        return 0;
    bool amd = stencilsim_module_wave(module) == 64;
    char error[512];
    const char *cache = o->cache ? o->cache : amd ? "gfx942" : "sm_80";
    if (machine_spec_parse(cache, &o->view.spec, error, sizeof error))
        return complain("--cache: %s", error);
    if (o->view.plot && !o->view.spec.gpu.level[o->view.level].bytes)
        return complain("--plot-level: there is no l%d in --cache %s", o->view.level + 1, cache);
    o->view.kernel = o->kernel;
    o->view.wave = o->wave ? o->wave : amd ? 64 : 32;
    if (!trace_init(&o->trace, o->grid, o->block))
        return complain("--trace-cache takes fewer than %u threads", UINT32_MAX);
    for (unsigned n = 0; n < o->nargs; ++n)
        if (o->args[n].is_buffer)
            trace_add_buffer(&o->trace, o->args[n].label,
                             (o->args[n].offset + o->args[n].count) * o->args[n].type->bytes);
    stencilsim_observe(module, trace_note, &o->trace);
    return 0;
}

static int show_view(options *o) {
    char error[512];
    if (!o->trace_cache)
        return 0;
    if (!trace_sort(&o->trace))
        return complain("--trace-cache: out of memory for %zu accesses", o->trace.naccesses);
    if (view_show(&o->view, &o->trace, error, sizeof error))
        return complain("--trace-cache: %s", error);
    return 0;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* STATUS_FAULT with the fault in `error`; other failures are complained of here. */
static int run(options *o, stencilsim_module *module, char *error, size_t error_size) {
    const void *pointers[MOST_ARGUMENTS];
    size_t sizes[MOST_ARGUMENTS], used = 0;
    _Alignas(16) char structs[MOST_ARGUMENTS * sizeof(uint64_t)]; /* one after the other */
    unsigned count = 0;
    for (unsigned n = 0; n < o->nargs; n += o->fields[n] ? o->fields[n] : 1, count++) {
        sizes[count] = bytes_of(&o->args[n], &pointers[count]);
        if (!o->fields[n])
            continue;
        pointers[count] = structs + used;
        sizes[count] = lay_out(&o->args[n], o->fields[n], structs + used);
        used += o->fields[n] * sizeof(uint64_t);
    }
    uint32_t wave = o->wave ? o->wave : stencilsim_module_wave(module);
    stencilsim_launch launch = {.kernel = o->kernel,
                                .dynamic_scratchpad = o->scratchpad,
                                .wave = wave,
                                .args = pointers,
                                .arg_sizes = sizes,
                                .nargs = count};
    memcpy(launch.grid, o->grid, sizeof launch.grid);
    memcpy(launch.block, o->block, sizeof launch.block);
    double start = now();
    int code = stencilsim_run(module, &launch, error, error_size);
    if (code)
        return code == 1 ? STATUS_FAULT : complain("%s", error);
    double seconds = now() - start, threads = 1;
    for (int d = 0; d < 3; ++d)
        threads *= (double)o->grid[d] * (double)o->block[d];
    if (o->time)
        fprintf(stderr, "stencil-sim: %.6f s, %.3g threads/s\n", seconds, threads / seconds);
    return 0;
}

static void print_reports(const options *o) {
    for (unsigned r = 0; r < o->nreports; ++r) {
        const sim_argument *a = &o->args[o->reports[r].argument];
        if (o->reports[r].print)
            argument_print(a);
        else
            printf("%016" PRIx64 "\n", argument_hash(a));
    }
}

static void free_buffers(const options *o) {
    for (unsigned n = 0; n < o->nargs; ++n)
        argument_free(&o->args[n]);
}

static int run_one(options *o, stencilsim_module *module) {
    char error[1024];
    int status = choose_kernel(o, module);
    if (!status)
        status = check_arguments(o, module);
    if (!status)
        status = prepare_view(o, module);
    if (!status) {
        status = run(o, module, error, sizeof error);
        if (status == STATUS_FAULT)
            complain("%s", error);
    }
    if (!status)
        print_reports(o);
    if (!status)
        status = show_view(o);
    trace_free(&o->trace);
    free_buffers(o);
    return status;
}

/* One line of --runs: its words, split in place, add to the command line's. */
static int run_line(const options *common, char *line, stencilsim_module *module) {
    static options o;
    char *words[2 * MOST_ARGUMENTS], error[1024], *rest = NULL;
    int count = 0;
    for (char *w = strtok_r(line, " \t", &rest); w; w = strtok_r(NULL, " \t", &rest)) {
        if (count == 2 * MOST_ARGUMENTS)
            return complain("too many words");
        words[count++] = w;
    }
    o = *common;
    int status = parse_words(&o, count, words);
    if (!status)
        status = check_launch(&o);
    if (!status)
        status = choose_kernel(&o, module);
    if (!status)
        status = check_arguments(&o, module);
    if (!status)
        status = run(&o, module, error, sizeof error);
    if (!status)
        print_reports(&o);
    if (status != STATUS_USAGE)
        printf(status ? "fault: %s\n" : "ok\n", error);
    fflush(stdout); /* a crash of the next launch does not take it along */
    free_buffers(&o);
    return status;
}

/* All launches of --runs, also those after a fault; the first wrong line ends it. */
static int run_list(const options *common, stencilsim_module *module) {
    size_t size;
    char *text = read_whole(common->runs, &size), *rest = NULL;
    if (!text)
        return complain("cannot read '%s'", common->runs);
    int worst = 0;
    text[size] = '\0';
    for (char *line = strtok_r(text, "\n", &rest); line && worst != STATUS_USAGE;
         line = strtok_r(NULL, "\n", &rest)) {
        int status = run_line(common, line, module);
        worst = status > worst ? status : worst;
    }
    free(text);
    return worst;
}

int main(int argc, char **argv) {
    static options o = {.view = {.warps = true}};
    for (int i = 1; i < argc; ++i)
        if (strcmp(argv[i], "--help") == 0)
            return fputs(usage, stdout), 0;
        else if (strcmp(argv[i], "--version") == 0)
            return puts("stencil-sim (StencilOpt) " STENCILOPT_VERSION), 0;
    int status = parse_command_line(&o, argc, argv);
    stencilsim_module *module = NULL;
    if (!status)
        status = load(&o, &module);
    if (!status)
        status = o.runs ? run_list(&o, module) : run_one(&o, module);
    stencilsim_unload(module);
    return status;
}
