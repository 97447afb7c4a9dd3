/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values that change in the region and of which ScalarEvolution says nothing. A resolver knows one
 * kind of them. The address evaluator (address.h) asks each in turn, so it need not know what kinds
 * there are.
 */
#ifndef STENCILOPT_HOST_RESOLVER_H
#define STENCILOPT_HOST_RESOLVER_H

#include "bridge/bridge.h"
#include "detect/common/affine.h"

typedef enum host_answer { HOST_UNKNOWN, HOST_KNOWN, HOST_REFUSED } host_answer;
typedef host_answer host_resolver(void *context, LLVMValueRef v, int step, host_affine *out);

#endif
