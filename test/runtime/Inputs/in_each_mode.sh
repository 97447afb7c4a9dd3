# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# in_each_mode.sh PLAIN PROGRAM MODE...: in each mode both print the same and end well.
plain=$1 program=$2
shift 2
for mode; do
    want=$($plain "$mode" 2>&1) || exit 1
    have=$($program "$mode" 2>&1) || { echo "$mode: failed: $have"; exit 1; }
    if [ "$want" != "$have" ]; then
        echo "$mode: want: $want"
        echo "$mode: have: $have"
        exit 1
    fi
done
