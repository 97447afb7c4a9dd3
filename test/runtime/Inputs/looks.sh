# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# looks.sh PLAIN FROM TO PROGRAM...: with each of these seeds both print the same and end well.
plain=$1 seed=$2 last=$3
shift 3
while [ "$seed" -le "$last" ]; do
    want=$($plain any "$seed" 40) || exit 1
    have=$("$@" any "$seed" 40 2>&1) || { echo "seed $seed: failed: $have"; exit 1; }
    if [ "$want" != "$have" ]; then
        echo "seed $seed: want: $want"
        echo "seed $seed: have: $have"
        exit 1
    fi
    seed=$((seed + 1))
done
