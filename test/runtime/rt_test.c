/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * rt-test PART [COUNT]: tests of libstencilrt.so on whatever STENCILOPT_DEVICE names. With
 * RT_TEST_IMAGE=FILE the regions' image is the file's (.ll or .bc: bitcode; .ptx: PTX); else
 * it is some text, for RT_TEST_ARCH (default sm_80), which is enough for the stubs of GPUs. Prints
 * "PART: ok" and gives 0.
 */
#include "parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(*size + 1, 1);
    if (fread(text, 1, *size, file) != *size)
        exit(2);
    fclose(file);
    return text;
}

static void set_image(void) {
    const char *path = getenv("RT_TEST_IMAGE"), *arch = getenv("RT_TEST_ARCH");
    if (!path) {
        bool amd = arch && strncmp(arch, "gfx", 3) == 0;
        rt_regions_set_image(amd ? STENCILRT_HSACO : STENCILRT_PTX, arch ? arch : "sm_80",
                             "some code", 10);
        return;
    }
    size_t size;
    char *text = read_file(path, &size);
    if (strstr(path, ".ptx"))
        rt_regions_set_image(STENCILRT_PTX, "sm_80", text, size + 1);
    else
        rt_regions_set_image(STENCILRT_BITCODE, "", text, size);
}

static const struct {
    const char *name;
    bool (*run)(int count);
    int count;
} parts[] = {
    {"regions", test_regions, 40},
    {"large", test_large, 1},
    {"split", test_split, 1},
    {"decline", test_decline, 1},
    {"other-version", test_other_version, 1},
    {"faults", test_faults, 1},
    {"threads", test_threads, 4},
    {"fork", test_fork, 1},
    {"quiet", test_quiet, 1},
    {"memory", test_memory, 1},
    {"auto", test_auto, 1},
    {"opening", test_opening, 0},
    {"beside", test_beside, 0},
    {"rests", test_rests, 1},
    {"auto-grows", test_auto_grows, 1},
    {"both", test_both, 1},
    {"images", test_images, 1},
    {"packed", test_packed, 1},
    {"code-objects", test_code_objects, 1},
    {"report", test_report, 1},
    {"never", test_never, 1},
    {"for-good", test_for_good, 1},
    {"bytes", test_bytes, 1},
    {"stray", test_stray, 1},
    {"speed", test_speed, 3},
    {"streams", test_streams, 40},
    {"launches", test_launches, 1},
    {"estimates", test_estimates, 1},
    {"sweeps", test_sweeps, 1},
    {"tables", test_tables, 1},
    {"sweep-faults", test_sweep_faults, 1},
    {"random", test_random, 24},
    {"alarm", test_alarm, 3},
    {"fork-busy", test_fork_busy, 20},
};

int main(int argc, char **argv) {
    set_image();
    for (size_t i = 0; argc > 1 && i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(argv[1], parts[i].name) != 0)
            continue;
        bool ok = parts[i].run(argc > 2 ? atoi(argv[2]) : parts[i].count);
        printf("%s: %s\n", argv[1], ok ? "ok" : "FAILED");
        return ok ? 0 : 1;
    }
    fprintf(stderr, "usage: rt-test PART [COUNT]\n");
    return 2;
}
