/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Times one launch of a kernel in several variants, and compares what they compute:
 *   launch HELPERS < JOBS
 * HELPERS: launch.cu's code. Lines of a job:
 *   launch LABEL GRID_X GRID_Y GRID_Z BLOCK_X BLOCK_Y BLOCK_Z ARG...
 *   code VARIANT FILE KERNEL      the first variant is the original
 *   go SAMPLES [single]           single: a sample is one launch, as a sweep of a program is
 * ARG as stencil-sim's --arg: buf:TYPE:COUNT:rand=SEED, buf:TYPE:COUNT:values=V+V.. of integers, or
 * TYPE:VALUE. Prints for each variant
 *   LABEL VARIANT registers R local BYTES seconds T spread S differs WORDS
 * or "LABEL VARIANT failed to load: CODE", and then "done LABEL"; any other failure ends the
 * process. WORDS: how many 32-bit words of the buffers differ from what the original left there.
 * T is the median of the samples, which are taken in a shuffled order, each of about half a
 * millisecond or of one launch; S half their interquartile range, relative to T.
 */
#include "driver.h"

#include <stdbool.h>
#include <string.h>

enum {
    MOST_ARGS = 24,
    MOST_NUMBERS = 8,
    MOST_VARIANTS = 32,
    MOST_SAMPLES = 101,
    HELPER_BLOCKS = 1024
};
static const double sample_seconds = 0.0005;

typedef struct argument {
    uint64_t value; /* a scalar's bytes, or a buffer's address */
    cu_address reference;
    size_t bytes; /* a buffer's; 0: a scalar */
    uint64_t count, seed;
    const char *fill; /* NULL: it has these bytes */
    char numbers[8 * MOST_NUMBERS];
} argument;

typedef struct variant {
    char name[64];
    cu_handle module, function;
    int launches, ran; /* in a sample; samples so far */
    uint32_t differs;
    double samples[MOST_SAMPLES];
} variant;

static struct job {
    char label[256];
    unsigned grid[3], block[3];
    argument args[MOST_ARGS];
    int nargs, nvariants;
    variant variants[MOST_VARIANTS];
} job;

static cu_handle helpers, start, stop;
static cu_address count_there; /* differing words */

static void usage(const char *what) {
    printf("%s failed: %s\n", doing, what);
    exit(2);
}

static void launch(cu_handle function, const unsigned grid[3], const unsigned block[3],
                   void **args) {
    cu_check(cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], 0,
                            NULL, args, NULL),
             "cuLaunchKernel");
}

/* A helper walks over `count` elements. */
static void help(const char *name, uint64_t count, void **args) {
    unsigned blocks = count / 256 < HELPER_BLOCKS ? (unsigned)(count / 256) + 1 : HELPER_BLOCKS;
    const unsigned grid[3] = {blocks, 1, 1}, block[3] = {256, 1, 1};
    cu_handle function;
    cu_check(cuModuleGetFunction(&function, helpers, name), "cuModuleGetFunction");
    launch(function, grid, block, args);
}

static void fill_buffers(void) {
    for (int i = 0; i < job.nargs; i++) {
        argument *a = &job.args[i];
        void *args[] = {&a->value, &a->count, &a->seed};
        if (a->bytes && a->fill)
            help(a->fill, a->count, args);
        else if (a->bytes)
            cu_check(cuMemcpyHtoD_v2(a->value, a->numbers, a->bytes), "cuMemcpyHtoD");
    }
}

static void keep_reference(void) {
    for (int i = 0; i < job.nargs; i++) {
        argument *a = &job.args[i];
        if (a->bytes)
            cu_check(cuMemcpyDtoD_v2(a->reference, a->value, a->bytes), "cuMemcpyDtoD");
    }
}

static uint32_t differing_words(void) {
    uint32_t differing = 0;
    cu_check(cuMemcpyHtoD_v2(count_there, &differing, sizeof differing), "cuMemcpyHtoD");
    for (int i = 0; i < job.nargs; i++) {
        argument *a = &job.args[i];
        uint64_t words = a->bytes / 4;
        void *args[] = {&a->value, &a->reference, &words, &count_there};
        if (words)
            help("compare", words, args);
    }
    cu_check(cuMemcpyDtoH_v2(&differing, count_there, sizeof differing), "cuMemcpyDtoH");
    return differing;
}

static void launch_variant(const variant *v) {
    void *args[MOST_ARGS];
    for (int i = 0; i < job.nargs; i++)
        args[i] = &job.args[i].value;
    launch(v->function, job.grid, job.block, args);
}

/* Seconds a launch. */
static double measure(const variant *v, int launches) {
    float ms;
    cu_check(cuEventRecord(start, NULL), "cuEventRecord");
    for (int i = 0; i < launches; i++)
        launch_variant(v);
    cu_check(cuEventRecord(stop, NULL), "cuEventRecord");
    cu_check(cuEventSynchronize(stop), "cuEventSynchronize");
    cu_check(cuEventElapsedTime(&ms, start, stop), "cuEventElapsedTime");
    return 1e-3 * (double)ms / launches;
}

/* What it computes, and how many launches make a sample. */
static void try_variant(variant *v, bool single) {
    fill_buffers();
    double once = measure(v, 1);
    if (v == job.variants)
        keep_reference();
    else
        v->differs = differing_words();
    once = measure(v, 1);
    v->launches = once * 1000 < sample_seconds ? 1000 : (int)(sample_seconds / once) + 1;
    v->launches = single ? 1 : v->launches;
}

static void take_samples(int samples) {
    int order[MOST_VARIANTS];
    for (int s = 0; s < samples; s++) {
        for (int i = 0; i < job.nvariants; i++) { /* Fisher and Yates */
            int j = rand() % (i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        for (int i = 0; i < job.nvariants; i++) {
            variant *v = &job.variants[order[i]];
            if (v->function)
                v->samples[v->ran++] = measure(v, v->launches);
        }
    }
}

static void report(variant *v) {
    int registers, local, n = v->ran;
    qsort(v->samples, (size_t)n, sizeof *v->samples, by_size);
    double middle = v->samples[n / 2];
    cu_check(cuFuncGetAttribute(&registers, REGISTERS, v->function), "cuFuncGetAttribute");
    cu_check(cuFuncGetAttribute(&local, SPILL_BYTES, v->function), "cuFuncGetAttribute");
    printf("%s %s registers %d local %d seconds %.9f spread %.4f differs %u\n", job.label, v->name,
           registers, local, middle, (v->samples[n * 3 / 4] - v->samples[n / 4]) / middle / 2,
           v->differs);
}

static void allocate(void) {
    for (int i = 0; i < job.nargs; i++)
        if (job.args[i].bytes) {
            cu_check(cuMemAlloc_v2(&job.args[i].value, job.args[i].bytes), "cuMemAlloc");
            cu_check(cuMemAlloc_v2(&job.args[i].reference, job.args[i].bytes), "cuMemAlloc");
        }
}

static void release(void) {
    for (int i = 0; i < job.nargs; i++)
        if (job.args[i].bytes) {
            cuMemFree_v2(job.args[i].value);
            cuMemFree_v2(job.args[i].reference);
        }
    for (int i = 0; i < job.nvariants; i++)
        if (job.variants[i].module)
            cuModuleUnload(job.variants[i].module);
}

static void go(int samples, bool single) {
    if (samples < 1 || samples > MOST_SAMPLES || !job.nvariants || !job.variants[0].function)
        usage("an original kernel and 1 to 101 samples are wanted");
    allocate();
    for (int i = 0; i < job.nvariants; i++)
        if (job.variants[i].function)
            try_variant(&job.variants[i], single);
    take_samples(samples);
    for (int i = 0; i < job.nvariants; i++)
        if (job.variants[i].function)
            report(&job.variants[i]);
    release();
    printf("done %s\n", job.label);
}

static void read_numbers(argument *a, const char *text, size_t size) {
    char *end = NULL;
    if (a->count > MOST_NUMBERS)
        usage("a buffer has 8 given numbers at most");
    for (uint64_t i = 0; i < a->count; i++, text = end + 1) {
        int64_t number = strtoll(text, &end, 0);
        memcpy(a->numbers + i * size, &number, size); /* the low bytes come first */
        if (end == text || *end != (i + 1 < a->count ? '+' : '\0'))
            usage(text);
    }
    a->bytes = a->count * size;
}

static void read_argument(const char *text) {
    argument *a = &job.args[job.nargs++];
    char type[4], value[64];
    int used = 0;
    *a = (argument){0};
    if (job.nargs == MOST_ARGS)
        usage("too many arguments");
    if (sscanf(text, "buf:%3[a-z0-9]:%lu:rand=%lu", type, &a->count, &a->seed) == 3) {
        a->fill = type[0] == 'i' ? "fill_i32" : type[1] == '3' ? "fill_f32" : "fill_f64";
        a->bytes = a->count * (strcmp(type + 1, "64") ? 4 : 8);
    } else if (sscanf(text, "buf:%3[a-z0-9]:%lu:values=%n", type, &a->count, &used) == 2 && used) {
        read_numbers(a, text + used, strcmp(type + 1, "64") ? 4 : 8);
    } else if (sscanf(text, "%3[a-z0-9]:%63s", type, value) != 2) {
        usage(text);
    } else if (strcmp(type, "f32") == 0) {
        float single = strtof(value, NULL);
        memcpy(&a->value, &single, sizeof single);
    } else if (strcmp(type, "f64") == 0) {
        double real = strtod(value, NULL);
        memcpy(&a->value, &real, sizeof real);
    } else {
        a->value = strtoull(value, NULL, 0);
    }
}

static void read_launch(char *rest) {
    int used;
    memset(&job, 0, sizeof job);
    if (sscanf(rest, "%255s %u %u %u %u %u %u%n", job.label, &job.grid[0], &job.grid[1],
               &job.grid[2], &job.block[0], &job.block[1], &job.block[2], &used) != 7)
        usage(rest);
    doing = job.label;
    for (char *word = strtok(rest + used, " \n"); word; word = strtok(NULL, " \n"))
        read_argument(word);
}

static void read_code(const char *rest) {
    char file[512], kernel[128];
    variant *v = &job.variants[job.nvariants++];
    if (job.nvariants == MOST_VARIANTS ||
        sscanf(rest, "%63s %511s %127s", v->name, file, kernel) != 3)
        usage(rest);
    int code = cuModuleLoad(&v->module, file);
    if (!code)
        code = cuModuleGetFunction(&v->function, v->module, kernel);
    if (code)
        printf("%s %s failed to load: %d\n", job.label, v->name, code);
}

int main(int argc, char **argv) {
    static char line[8192];
    doing = "launch";
    if (argc != 2)
        usage("one file with the helpers is wanted");
    cu_open();
    cu_check(cuModuleLoad(&helpers, argv[1]), "cuModuleLoad");
    cu_check(cuMemAlloc_v2(&count_there, sizeof(uint32_t)), "cuMemAlloc");
    cu_check(cuEventCreate(&start, 0), "cuEventCreate");
    cu_check(cuEventCreate(&stop, 0), "cuEventCreate");
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "launch ", 7) == 0)
            read_launch(line + 7);
        else if (strncmp(line, "code ", 5) == 0)
            read_code(line + 5);
        else
            go(atoi(line + 3), strstr(line, "single") != NULL);
        fflush(stdout);
    }
    return 0;
}
