#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Stands for ptxas: -arch=.. --fmad=false -o RESULT SOURCE. Tells who may look into the folder that it works in, and
# ends as SUCCEEDS says; it leaves a file of its own there.
for last; do :; done
folder=$(dirname "$last")
{ stat -c 'mode %a' "$folder"; stat -c 'source %a' "$last"; ls -A "$folder"; } > "$SEEN"
touch "$folder/other"
printf 'stand-in for a cubin' > "$4"
test "$SUCCEEDS" = yes
