/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Option save-temps: writes to files what was generated for a region.
 */
#include "offloading.h"

#include "model/step_print.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void path_of(const offload *o, const char *ending, char *path, size_t size) {
    snprintf(path, size, "%s/%s.%d.%s", o->options.value[OPT_SAVE_TEMPS],
             o->region.sweeps[0]->stencil->function, o->number, ending);
}

static void cannot_write(const offload *o, const char *ending) {
    char path[1024], message[1200];
    path_of(o, ending, path, sizeof path);
    snprintf(message, sizeof message, "option 'save-temps': cannot write %s", path);
    br_error(LLVMGetModuleContext(o->m), message);
}

static FILE *open_temporary(const offload *o, const char *ending) {
    char path[1024];
    path_of(o, ending, path, sizeof path);
    FILE *file = fopen(path, "wb");
    if (!file)
        cannot_write(o, ending);
    return file;
}

/* Closes a file. On a full disk only fclose may report the failure. */
static void close_temporary(const offload *o, FILE *file, const char *ending) {
    bool lost = ferror(file) != 0;
    lost |= fclose(file) != 0;
    if (lost)
        cannot_write(o, ending);
}

static void save_bytes(const offload *o, const char *ending, const char *bytes, size_t size) {
    FILE *file = open_temporary(o, ending);
    if (!file)
        return;
    fwrite(bytes, 1, size, file);
    close_temporary(o, file, ending);
}

static void save_model(const offload *o) {
    const offload_region *r = &o->region;
    FILE *file = open_temporary(o, "stencil");
    if (file) {
        st_step_print_all(r->step, file);
        close_temporary(o, file, "stencil");
    }
    file = file ? open_temporary(o, "plan") : NULL;
    if (file) {
        plan_step_print(&r->plan, file);
        close_temporary(o, file, "plan");
    }
}

/* Writes one file for an architecture. The name of the first architecture is not in the file's
 * name. */
static void save_of(const offload *o, const char *arch, const char *ending, const char *bytes,
                    size_t size) {
    char first[64], name[96];
    bool other = strcmp(offload_first_arch(&o->options, first, sizeof first), arch) != 0;
    snprintf(name, sizeof name, "%s%s%s", other ? arch : "", other ? "." : "", ending);
    save_bytes(o, name, bytes, size);
}

static void save_kernels(const offload *o) {
    const char *next = o->options.value[OPT_ARCH];
    char arch[64];
    offload_kernels kernels = {o->region.step, &o->region.plan, &o->options};
    while (opt_part(&next, arch, sizeof arch)) {
        LLVMContextRef context = LLVMContextCreate();
        LLVMModuleRef m = offload_bare_module(&kernels, context, arch);
        char *text = LLVMPrintModuleToString(m);
        save_of(o, arch, "ll", text, strlen(text));
        LLVMDisposeMessage(text);
        LLVMDisposeModule(m);
        LLVMContextDispose(context);
    }
}

static void save_images(const offload *o) {
    static const char *const endings[] = {[TG_PTX] = "ptx", [TG_CUBIN] = "o", [TG_HSACO] = "hsaco"};
    for (size_t i = 0; i < o->region.images.count; i++) {
        const tg_image *image = &o->region.images.image[i];
        if (image->kind != TG_BITCODE)
            save_of(o, image->arch, endings[image->kind], LLVMGetBufferStart(image->bytes),
                    LLVMGetBufferSize(image->bytes));
    }
}

/* What names the region in a profile. */
static void save_name(const offload *o) {
    FILE *file = open_temporary(o, "profile");
    if (!file)
        return;
    fprintf(file, "region %s\n  model %016" PRIx64 "\n", o->region.sweeps[0]->stencil->where,
            o->region.model);
    close_temporary(o, file, "profile");
}

void region_save(const offload *o) {
    if (!*o->options.value[OPT_SAVE_TEMPS])
        return;
    mkdir(o->options.value[OPT_SAVE_TEMPS], 0777);
    save_model(o);
    save_name(o);
    save_kernels(o);
    save_images(o);
}
