/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads the rank that a launcher of parallel programs puts into the environment. Those of MPI come
 * before Slurm's: in a batch script Slurm's variable is 0, and mpiexec hands it on to all ranks.
 */
#include "runtime/rank.h"
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

static const struct {
    const char *number, *ranks;
} launchers[] = {
    {"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"}, /* Open MPI */
    {"MPI_LOCALRANKID", "MPI_LOCALNRANKS"},                       /* MPICH, Intel MPI: Hydra */
    {"MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"},   /* MVAPICH */
    {"PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE"},                     /* Cray */
    {"JSM_NAMESPACE_LOCAL_RANK", "JSM_NAMESPACE_LOCAL_SIZE"},     /* IBM Spectrum MPI */
    {"FLUX_TASK_LOCAL_ID", NULL},                                 /* Flux */
    {"SLURM_LOCALID", "SLURM_NTASKS_PER_NODE"},                   /* Slurm: srun */
};

/* With one of these, a rank that sees one device may have it for itself. */
static const char *const masks[] = {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
                                    "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"};

#define COUNT(table) (sizeof table / sizeof *table)

static bool read_number(const char *variable, unsigned *number) {
    const char *text = variable ? secure_getenv(variable) : NULL;
    char *end;
    if (!text || *text < '0' || *text > '9')
        return false;
    unsigned long value = strtoul(text, &end, 10);
    *number = (unsigned)value;
    return *end == 0 && value <= INT_MAX;
}

rt_rank rt_rank_read(void) {
    rt_rank rank = {.variable = NULL};
    for (size_t i = 0; i < COUNT(launchers); i++)
        if (read_number(launchers[i].number, &rank.number)) {
            rank.variable = launchers[i].number;
            if (!read_number(launchers[i].ranks, &rank.ranks) || rank.ranks <= rank.number)
                rank.ranks = 0;
            return rank;
        }
    return (rt_rank){.variable = NULL};
}

unsigned rt_rank_device(const rt_rank *rank, unsigned devices) {
    return devices > 0 ? rank->number % devices : 0;
}

unsigned rt_rank_sharers(const rt_rank *rank, unsigned device, unsigned devices) {
    bool masked = false;
    for (size_t i = 0; i < COUNT(masks); i++)
        masked = masked || secure_getenv(masks[i]);
    if (devices == 0 || rank->ranks == 0 || (devices == 1 && masked))
        return 1;
    return rank->ranks / devices + (device < rank->ranks % devices);
}
