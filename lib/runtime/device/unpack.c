/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Unpacks a compressed image with the zstd library, which is opened when it is first needed.
 */
#include "runtime/device/unpack.h"
#include "runtime/device/loader.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

/* The compiler makes no larger images. A damaged image must not take all memory. */
enum { MOST_BYTES = 1 << 30 };

/* Declared in zstd.h, which says that they will not change. */
static struct {
    rt_error error; /* why the library cannot be used */
    unsigned long long (*content_size)(const void *packed, size_t size);
    size_t (*decompress)(void *to, size_t room, const void *packed, size_t size);
    unsigned (*is_error)(size_t code);
} zstd;

static bool find(void *library, void *function, const char *name) {
    *(void **)function = dlsym(library, name);
    return *(void **)function || rt_fail(&zstd.error, RT_LOAD, "libzstd.so.1 lacks %s", name);
}

static void open_library(void *library) {
    *(void **)library = rt_library_open("libzstd.so.1", 0, &zstd.error);
}

static void open_zstd(void) {
    void *library = NULL;
    rt_loader_run(open_library, &library);
    zstd.error.reason = library ? RT_OK : RT_LOAD;
    if (library && find(library, &zstd.content_size, "ZSTD_getFrameContentSize") &&
        find(library, &zstd.decompress, "ZSTD_decompress"))
        find(library, &zstd.is_error, "ZSTD_isError");
}

static bool decompress(const stencilrt_image *image, rt_code *code, rt_error *why) {
    unsigned long long size = zstd.content_size(image->bytes, image->size);
    /* zstd returns the largest numbers for errors and unknown sizes */
    if (size == 0 || size > MOST_BYTES)
        return rt_fail(why, RT_LOAD, "the image is damaged");
    code->copy = malloc(size);
    if (!code->copy)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    code->size = zstd.decompress(code->copy, size, image->bytes, image->size);
    code->bytes = code->copy;
    if (!zstd.is_error(code->size) && code->size == size)
        return true;
    free(code->copy);
    code->copy = NULL;
    return rt_fail(why, RT_LOAD, "the image is damaged");
}

bool rt_unpack(const stencilrt_image *image, rt_code *code, rt_error *why) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    *code = (rt_code){image->bytes, image->size, NULL};
    if (image->packing == STENCILRT_PLAIN)
        return true;
    if (image->packing != STENCILRT_ZSTD)
        return rt_fail(why, RT_LOAD, "the image is packed in an unknown way");
    pthread_once(&once, open_zstd);
    if (zstd.error.reason == RT_OK)
        return decompress(image, code, why);
    *why = zstd.error;
    return false;
}
