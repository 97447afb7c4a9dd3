/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where threads meet: operations of a wave's lanes, barriers of a block, and the report when they
 * wait for each other for ever.
 *
 * Operations with a mask are the .sync forms of NVIDIA. Such an operation takes place when all
 * existing lanes of the mask wait with the same operation and mask. In operations without a mask
 * (AMD, and NVIDIA before Volta) the active lanes take part. Fibers have no execution mask. So the
 * simulator waits until no lane of the wave can run. Then the lanes that wait at the earliest place
 * in the kernel's code are the active ones. Hardware does the same in structured code: lanes that
 * left a loop, or skipped a branch, wait further down.
 *
 * A meeting also orders accesses: those before it lie before those after it. races.c keeps this
 * order.
 */
#include "sim/machine/loaded.h"

#include <stdio.h>
#include <string.h>

#define FOR_LANES(lane, mask)                                                                      \
    for (uint64_t lanes_left = (mask), lane;                                                       \
         lanes_left && (lane = (uint64_t)__builtin_ctzll(lanes_left), 1);                          \
         lanes_left &= lanes_left - 1)

void sim_wave_order(sim_wave *wave, uint64_t group) {
    uint32_t latest = 0;
    if (!wave->moments_differ)
        return;
    wave->moments_differ = group != wave->exist;
    FOR_LANES(lane, group) {
        uint32_t moment = wave->threads[lane].moment;
        latest = latest < moment ? moment : latest;
    }
    FOR_LANES(lane, group) {
        wave->threads[lane].moment = latest;
    }
}

static void meet(sim_worker *worker, sim_wave *wave, uint64_t group) {
    sim_wave_eval(worker, wave, group);
    sim_wave_order(wave, group);
    wave->meeting &= ~group;
    wave->ready |= group;
}

/* The lanes that wait with the same operation and mask as this thread. */
static uint64_t companions(const sim_wave *wave, const sim_thread *thread) {
    uint64_t group = 0;
    FOR_LANES(lane, wave->meeting & thread->mask) {
        sim_thread *other = &wave->threads[lane];
        if (!other->any_lanes && other->op == thread->op && other->mask == thread->mask)
            group |= 1ull << lane;
    }
    return group;
}

/* Has lanes that wait at a shuffle of all lanes (shuffle.c) wait as at any other operation. */
static void leave_shuffle(sim_worker *worker, sim_wave *wave) {
    for (uint64_t left = wave->shuffle ? wave->meeting : 0; left; left &= left - 1) {
        sim_thread *thread = &wave->threads[__builtin_ctzll(left)];
        const struct sim_exchange *first = &worker->module->shuffles[wave->shuffle - 1].first;
        thread->op = first->op;
        thread->any_lanes = false;
        thread->mask = UINT32_MAX;
        thread->operand[0] = (uint32_t)wave->given[thread->lane];
        thread->operand[1] = first->b, thread->operand[2] = first->c;
        thread->operand[3] = 0;
        wave->at_large |= 1ull << thread->lane;
    }
    wave->shuffle = 0;
}

void sim_wave_settle(sim_worker *worker, sim_wave *wave) {
    if (wave->ready || !wave->meeting ||
        (wave->meeting | wave->at_barrier | wave->done) != wave->exist)
        return;
    leave_shuffle(worker, wave);
    uint32_t first = UINT32_MAX;
    uint64_t group = 0;
    FOR_LANES(lane, wave->meeting) {
        sim_thread *thread = &wave->threads[lane];
        if (!thread->any_lanes || thread->site > first)
            continue;
        group = thread->site < first ? 0 : group;
        first = thread->site;
        group |= 1ull << lane;
    }
    if (group)
        meet(worker, wave, group);
}

uint64_t stencilsim_rt_wave(sim_thread *thread, uint32_t op, uint32_t site, uint64_t mask,
                            uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    sim_worker *worker = thread->worker;
    sim_wave *wave = &worker->waves[thread->wave];
    uint64_t bit = 1ull << thread->lane;
    thread->op = (sim_wave_op)(op & ~(1u << 31));
    thread->any_lanes = op >> 31;
    thread->site = site;
    thread->mask = mask;
    thread->operand[0] = a, thread->operand[1] = b;
    thread->operand[2] = c, thread->operand[3] = d;
    if (!thread->any_lanes && !(mask & bit))
        sim_fault(thread, "%s with mask 0x%08llx, which does not name the calling lane %u%s",
                  sim_wave_op_name(thread->op), (unsigned long long)mask, thread->lane,
                  worker->module->sites[site].where);
    leave_shuffle(worker, wave);
    wave->meeting |= bit;
    if (!thread->any_lanes) {
        uint64_t need = mask & wave->exist;
        if ((wave->meeting & need) == need && companions(wave, thread) == need)
            meet(worker, wave, need);
    }
    sim_wave_settle(worker, wave);
    sim_thread_wait(thread);
    return thread->result;
}

static uint32_t barrier_result(const sim_barrier *barrier, sim_barrier_kind kind) {
    switch (kind) {
    case SIM_BARRIER_POPC:
        return barrier->popc;
    case SIM_BARRIER_AND:
        return barrier->popc == barrier->expected;
    case SIM_BARRIER_OR:
        return barrier->popc != 0;
    default:
        return 0;
    }
}

static void complete_barrier(sim_worker *worker, uint32_t id) {
    sim_barrier *barrier = &worker->barriers[id];
    sim_races_complete(barrier);
    for (uint32_t w = 0; w < worker->nwaves; ++w) {
        sim_wave *wave = &worker->waves[w];
        uint64_t were_waiting = wave->at_barrier;
        FOR_LANES(lane, wave->at_barrier) {
            sim_thread *thread = &wave->threads[lane];
            if (thread->barrier != id)
                continue;
            thread->result = barrier_result(barrier, thread->barrier_kind);
            wave->at_barrier &= ~(1ull << lane);
            wave->ready |= 1ull << lane;
        }
        if (wave->at_barrier != were_waiting)
            sim_races_grant(worker, wave, barrier);
    }
    barrier->arrived = barrier->popc = barrier->expected = 0;
    ++barrier->phase;
}

static void wait_at_barrier(sim_thread *thread, uint32_t id) {
    sim_wave *wave = &thread->worker->waves[thread->wave];
    thread->barrier = id;
    wave->at_barrier |= 1ull << thread->lane;
    sim_wave_settle(thread->worker, wave);
    sim_thread_wait(thread);
    sim_races_receive(thread);
}

/* The thread does not wait: the phase in which it arrived is over. */
static void pass_barrier(sim_thread *thread, const sim_barrier *barrier) {
    sim_races_grant(thread->worker, &thread->worker->waves[thread->wave], barrier);
    sim_races_receive(thread);
}

uint32_t stencilsim_rt_barrier(sim_thread *thread, uint32_t kind, uint32_t id, uint32_t count,
                               uint32_t predicate, uint32_t site) {
    sim_worker *worker = thread->worker;
    const char *where = worker->module->sites[site].where;
    if (id >= SIM_BARRIERS)
        sim_fault(thread, "barrier number %u; there are %d%s", id, SIM_BARRIERS, where);
    sim_barrier *barrier = &worker->barriers[id];
    thread->barrier_kind = (sim_barrier_kind)kind;
    thread->site = site;
    if (kind == SIM_BARRIER_WAIT) {
        if (!thread->arrived_phase[id])
            sim_fault(thread, "waits at a barrier it has not signalled%s", where);
        if (thread->arrived_phase[id] == barrier->phase)
            wait_at_barrier(thread, id);
        else
            pass_barrier(thread, barrier);
        return 0;
    }
    uint32_t expected = count ? count : worker->nthreads;
    if (barrier->arrived && barrier->expected != expected)
        sim_fault(thread, "barrier %u: %u threads named here, %u by those that wait%s", id,
                  expected, barrier->expected, where);
    barrier->expected = expected;
    barrier->popc += predicate != 0;
    ++barrier->arrived;
    thread->arrived_phase[id] = barrier->phase;
    sim_races_arrive(thread, barrier);
    if (barrier->arrived < expected) {
        if (kind == SIM_BARRIER_ARRIVE)
            return 0;
        wait_at_barrier(thread, id);
        return (uint32_t)thread->result;
    }
    uint32_t result = barrier_result(barrier, (sim_barrier_kind)kind);
    complete_barrier(worker, id);
    if (kind != SIM_BARRIER_ARRIVE)
        pass_barrier(thread, barrier);
    return result;
}

static void describe(const sim_worker *worker, const sim_thread *thread, char *text, size_t room) {
    const sim_wave *wave = &worker->waves[thread->wave];
    uint64_t bit = 1ull << thread->lane;
    int n = snprintf(text, room, "thread (%u,%u,%u) ", thread->id[0], thread->id[1], thread->id[2]);
    text += n, room -= (size_t)n;
    if (wave->done & bit)
        snprintf(text, room, "has exited");
    else if (wave->at_barrier & bit)
        snprintf(text, room, "waits at barrier %u", thread->barrier);
    else if (thread->any_lanes)
        snprintf(text, room, "waits in another %s", sim_wave_op_name(thread->op));
    else
        snprintf(text, room, "waits in %s with mask 0x%08llx", sim_wave_op_name(thread->op),
                 (unsigned long long)thread->mask);
}

static void report_wave(sim_worker *worker, sim_wave *wave, sim_thread *thread) {
    uint64_t need = thread->mask & wave->exist;
    uint64_t missing = need & ~companions(wave, thread);
    char who[160] = "";
    if (missing)
        describe(worker, &wave->threads[__builtin_ctzll(missing)], who, sizeof who);
    sim_set_message(
        worker, thread, "%s with mask 0x%08llx is not reached by lanes 0x%08llx of warp %u: %s%s",
        sim_wave_op_name(thread->op), (unsigned long long)thread->mask, (unsigned long long)missing,
        thread->wave, who, worker->module->sites[thread->site].where);
}

static void report_barrier(sim_worker *worker, sim_thread *waiting) {
    const sim_barrier *barrier = &worker->barriers[waiting->barrier];
    char who[4 * 80] = "";
    size_t used = 0, named = 0, missing = 0;
    for (uint32_t i = 0; i < worker->nthreads; ++i) {
        sim_thread *thread = &worker->threads[i];
        bool here = worker->waves[thread->wave].at_barrier >> thread->lane & 1 &&
                    thread->barrier == waiting->barrier;
        if (here || thread->arrived_phase[waiting->barrier] == barrier->phase)
            continue;
        ++missing;
        if (named == 3)
            continue;
        used += (size_t)snprintf(who + used, sizeof who - used, "%s", named++ ? "; " : "");
        describe(worker, thread, who + used, sizeof who - used);
        used = strlen(who);
    }
    sim_set_message(worker, waiting, "barrier %u reached by %u of %u threads%s; missing %zu: %s%s",
                    waiting->barrier, barrier->arrived, barrier->expected,
                    worker->module->sites[waiting->site].where, missing, who,
                    missing > 3 ? "; ..." : "");
}

void sim_report_deadlock(sim_worker *worker) {
    sim_thread *at_barrier = NULL;
    for (uint32_t i = 0; i < worker->nwaves; ++i)
        leave_shuffle(worker, &worker->waves[i]);
    for (uint32_t i = 0; i < worker->nthreads; ++i) {
        sim_thread *thread = &worker->threads[i];
        sim_wave *wave = &worker->waves[thread->wave];
        if (wave->meeting >> thread->lane & 1 && !thread->any_lanes) {
            report_wave(worker, wave, thread);
            return;
        }
        if (!at_barrier && wave->at_barrier >> thread->lane & 1)
            at_barrier = thread;
    }
    if (at_barrier)
        report_barrier(worker, at_barrier);
    else
        sim_set_message(worker, &worker->threads[0], "internal error: no thread can run");
}
