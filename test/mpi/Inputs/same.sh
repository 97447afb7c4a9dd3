#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds an MPI program of this folder, plain and with the plugin, and compares what both print. The
# plain one has one rank, or $PLAIN. With ENDS=1 both must fail in the same way. What the other reported is in ./report.
# Usage: same.sh CLANG PLUGIN openmpi|mpich PROGRAM RANKS [WORD...]
set -e
here=$(dirname "$0")
clang=$1 plugin=$2 mpi=$3 program=$4 ranks=$5
shift 5
export OMPI_CC="$clang" MPICH_CC="$clang" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

build() {
  [ -e "$1" ] || "mpicc.$mpi" -O2 -ffp-contract=off -I"$here/../../../include" $2 "$here/$program.c" -o "$1"
}

run() {
  case $mpi in
  openmpi) timeout 120 $AS mpiexec.openmpi --oversubscribe --bind-to none -n "$@" ;;
  mpich) timeout 120 $AS mpiexec.mpich -n "$@" ;;
  esac
}

build "./$program-plain"
STENCILOPT_ARCH=sm_90 build "./$program" "-fpass-plugin=$plugin"
if [ "$ENDS" ]; then # both fail, with the same status
  export STENCILOPT_DEVICE=sim STENCILOPT_SIM_THREADS=1
  run "$ranks" "./$program-plain" "$@" >want 2>&1 && exit 1 || plain=$?
  run "$ranks" "./$program" "$@" >have 2>&1 && exit 1 || status=$?
  [ $plain = $status ] && [ $plain != 124 ]
  exit
fi
run "${PLAIN:-1}" "./$program-plain" "$@" >want
export STENCILOPT_DEVICE=sim STENCILOPT_SIM_THREADS=1 STENCILOPT_REPORT=1
run "$ranks" "./$program" "$@" >have 2>report || { cat report >&2; exit 1; }
diff want have || { cat report >&2; exit 1; }
