/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Writes the trace: rows for copies, for kernels, and for entries whose original loops ran. Of
 * these only the begin is known.
 */
#include "runtime/report/trace.h"

#include "runtime/report/json.h"
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 1 << 17 }; /* entries that are listed */

typedef struct event {
    const char *where, *device;
    const char *why; /* the original loops ran; or NULL */
    double at[4];
    int64_t steps;
    uint32_t bt;
} event;

static event *events;
static size_t count, room, left_out;

static bool make_room(void) {
    if (count < room)
        return true;
    size_t more = room ? 2 * room : 64;
    event *at = more <= MOST ? realloc(events, more * sizeof *at) : NULL;
    if (!at)
        return false;
    events = at;
    room = more;
    return true;
}

void rt_trace_add(const char *where, const char *why, const rt_entry *e) {
    if (!make_room()) {
        left_out++;
        return;
    }
    events[count++] = (event){.where = where,
                              .device = e->device,
                              .why = why,
                              .at = {e->at[0], e->at[1], e->at[2], e->at[3]},
                              .steps = e->steps,
                              .bt = e->bt};
}

void rt_trace_forget(void) {
    count = left_out = 0;
}

enum row { COPIES = 1, KERNELS, LOOPS };

static void write_row(FILE *f, enum row row, const char *name) {
    fprintf(f,
            "%s\n{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": %d, \"tid\": %d, "
            "\"args\": {\"name\": \"%s\"}}",
            row == COPIES ? "" : ",", (int)getpid(), row, name);
}

/* Begins an event. Times are microseconds since the first one. */
static void begin(FILE *f, const event *e, const char *kind, enum row row, double at) {
    fputs(",\n{\"name\": ", f);
    rt_json_string(f, e->where);
    fprintf(f, ", \"cat\": \"%s\", \"pid\": %d, \"tid\": %d, \"ts\": %.3f", kind, (int)getpid(),
            row, 1e6 * (at - events[0].at[0]));
}

static void write_part(FILE *f, const event *e, const char *kind, enum row row, int part) {
    begin(f, e, kind, row, e->at[part]);
    fprintf(f, ", \"ph\": \"X\", \"dur\": %.3f, \"args\": {\"steps\": %" PRId64 ", \"bt\": %u}}",
            1e6 * (e->at[part + 1] - e->at[part]), e->steps, e->bt);
}

static void write_event(FILE *f, const event *e) {
    if (e->why) {
        begin(f, e, "original loops", LOOPS, e->at[0]);
        fputs(", \"ph\": \"i\", \"s\": \"t\", \"args\": {\"why\": ", f);
        rt_json_string(f, e->why);
        fputs("}}", f);
        return;
    }
    write_part(f, e, "copy to the device", COPIES, 0);
    write_part(f, e, "kernels", KERNELS, 1);
    write_part(f, e, "copy back", COPIES, 2);
}

static const char *device_of_all(void) {
    for (size_t i = 0; i < count; i++)
        if (events[i].device)
            return events[i].device;
    return "";
}

void rt_trace_write(FILE *f) {
    fputs("{\"displayTimeUnit\": \"ms\",\n\"otherData\": {\"format\": \"stencilopt-trace-1\", "
          "\"device\": ",
          f);
    rt_json_string(f, device_of_all());
    fprintf(f, ", \"left_out\": %zu},\n\"traceEvents\": [", left_out);
    write_row(f, COPIES, "copies");
    write_row(f, KERNELS, "kernels");
    write_row(f, LOOPS, "original loops");
    for (size_t i = 0; i < count; i++)
        write_event(f, &events[i]);
    fputs("\n]}\n", f);
}
