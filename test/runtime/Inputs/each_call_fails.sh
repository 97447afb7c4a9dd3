# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a program whose driver's calls fail, one of them or all from it on: the bytes are those of the plain program.
#
#   each_call_fails.sh WANTED STEP PROGRAM ARGUMENTS..    every STEP-th call fails once
#
# Where few tests are run (tools/check), half of these calls, in turn.
wanted=$1 step=$2
shift 2
call=1 happened=1
if [ "${STENCIL_TESTS:-}" = few ]; then
    call=$((1 + ${STENCIL_TURN:-0} / 3 % 2 * step))
    step=$((2 * step))
fi
while [ $happened = 1 ]; do
    happened=0
    for sticky in 0 1; do
        STUBGPU_TRACE=1 STUBGPU_FAIL=all:$call STUBGPU_STICKY=$sticky "$@" > "$wanted.got" 2> "$wanted.report" || exit 1
        cmp "$wanted.got" "$wanted" || { echo "call $call, sticky $sticky"; exit 1; }
        grep -q "^stubgpu: .* fails" "$wanted.report" && happened=1
    done
    call=$((call + step))
done
