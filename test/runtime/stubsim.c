/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels of a stub of a GPU, on the simulator. libstencilsim.so, in the folder above the stub's,
 * is opened when it is first wanted, for it brings LLVM.
 */
#include "stubgpu_core.h"

#include "stencilopt/sim.h"
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sim_code {
    stencilsim_module *module;
};

static struct simulator {
    void *(*alloc)(size_t, const char *);
    void (*free)(void *);
    stencilsim_module *(*load)(const void *, size_t, char *, size_t);
    void (*unload)(stencilsim_module *);
    int (*run)(stencilsim_module *, const stencilsim_launch *, char *, size_t);
    int (*nparams)(const stencilsim_module *, const char *);
    const char *(*param)(const stencilsim_module *, const char *, int, size_t *);
} sim;

static void fatal(const char *what, const char *detail) {
    fprintf(stderr, "stubgpu: %s: %s\n", what, detail ? detail : "");
    abort();
}

static void open_simulator(void) {
    static const struct {
        void *to;
        const char *name;
    } functions[] = {
        {&sim.alloc, "stencilsim_alloc"},       {&sim.free, "stencilsim_free"},
        {&sim.load, "stencilsim_load"},         {&sim.unload, "stencilsim_unload"},
        {&sim.run, "stencilsim_run"},           {&sim.nparams, "stencilsim_kernel_nparams"},
        {&sim.param, "stencilsim_kernel_param"}};
    Dl_info self;
    char path[4096];
    if (sim.alloc)
        return;
    if (!dladdr(&sim, &self))
        fatal("dladdr", NULL);
    const char *slash = strrchr(self.dli_fname, '/');
    snprintf(path, sizeof path, "%.*s/../libstencilsim.so", (int)(slash - self.dli_fname),
             self.dli_fname);
    void *library = dlopen(path, RTLD_NOW);
    if (!library)
        fatal("no simulator", dlerror());
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!(*(void **)functions[i].to = dlsym(library, functions[i].name)))
            fatal("the simulator lacks", functions[i].name);
}

void *stubsim_alloc(size_t bytes) {
    open_simulator();
    return sim.alloc(bytes, "device memory");
}

void stubsim_free(void *memory) {
    sim.free(memory);
}

static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = calloc(*size + 1, 1);
    if (fread(bytes, 1, *size, file) != *size)
        fatal("cannot read", path);
    fclose(file);
    return bytes;
}

/* Stops at the first difference, since nobody says how long the image is: no image is the start of
 * another. */
static bool is_image(const char *path, const unsigned char *image) {
    size_t size, i = 0;
    char *bytes = read_file(path, &size);
    while (bytes && i < size && (unsigned char)bytes[i] == image[i])
        i++;
    bool same = bytes && size > 0 && i == size;
    free(bytes);
    return same;
}

static bool is_code(const char *name) {
    const char *ending = strrchr(name, '.');
    return ending &&
           (!strcmp(ending, ".ptx") || !strcmp(ending, ".o") || !strcmp(ending, ".hsaco"));
}

static bool find_file(const void *image, char *path, size_t room) {
    DIR *folder = opendir(stub_settings.images);
    bool found = false;
    if (!folder)
        fatal("no folder", stub_settings.images);
    for (struct dirent *entry; !found && (entry = readdir(folder));) {
        snprintf(path, room, "%s/%s", stub_settings.images, entry->d_name);
        found = is_code(entry->d_name) && is_image(path, image);
    }
    closedir(folder);
    return found;
}

sim_code *stubsim_load(const void *image) {
    char path[4096], error[400] = "";
    size_t size;
    if (!find_file(image, path, sizeof path - 4))
        return NULL;
    if (stub_settings.trace)
        fprintf(stderr, "stubgpu: loaded %s\n", strrchr(path, '/') + 1);
    strcpy(strrchr(path, '.'), ".ll");
    char *text = read_file(path, &size);
    if (!text)
        fatal("no IR beside the image", path);
    open_simulator();
    sim_code *code = calloc(1, sizeof *code);
    code->module = sim.load(text, size, error, sizeof error);
    free(text);
    if (!code->module)
        fatal(path, error);
    return code;
}

void stubsim_unload(sim_code *code) {
    if (code)
        sim.unload(code->module);
    free(code);
}

int stubsim_parameters(sim_code *code, const char *kernel, size_t sizes[MAX_ARGS]) {
    int count = sim.nparams(code->module, kernel);
    if (count > MAX_ARGS)
        fatal("too many parameters", kernel);
    for (int i = 0; i < count; i++)
        sim.param(code->module, kernel, i, &sizes[i]);
    return count;
}

int stubsim_run(sim_code *code, const char *kernel, const unsigned grid[3], const unsigned block[3],
                unsigned scratchpad, bool together, uint64_t *args, const size_t *sizes,
                int nargs) {
    char error[400] = "";
    const void *pointers[MAX_ARGS];
    stencilsim_launch launch = {.kernel = kernel,
                                .dynamic_scratchpad = scratchpad,
                                .wave = strncmp(stub_settings.arch, "gfx9", 4) ? 32 : 64,
                                .args = pointers,
                                .arg_sizes = sizes,
                                .nargs = (uint32_t)nargs,
                                .together = together};
    for (int i = 0; i < nargs; i++)
        pointers[i] = &args[i];
    for (int d = 0; d < 3; d++) {
        launch.grid[d] = grid[d];
        launch.block[d] = block[d];
    }
    if (sim.run(code->module, &launch, error, sizeof error) == 0)
        return 0;
    fprintf(stderr, "stubgpu: %s\n", error);
    return ILLEGAL_ADDRESS;
}
