# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A front end in Python: run.py LIBLLVM LIBSTENCILOPT IN.ll PASSES OUT.ll. As run.c, by ctypes."""

import ctypes
import sys

llvm = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
stencilopt = ctypes.CDLL(sys.argv[2])
pointer = ctypes.c_void_p
for name in "LLVMContextCreate", "LLVMGetFirstFunction":
    getattr(llvm, name).restype = pointer
stencilopt.stencilopt_version.restype = ctypes.c_char_p
if not stencilopt.stencilopt_shares_llvm(llvm.LLVMGetVersion):
    sys.exit("libstencilopt.so has another LLVM than %s" % sys.argv[1])

context, text, module = pointer(llvm.LLVMContextCreate()), pointer(), pointer()
error = ctypes.c_char_p()
if llvm.LLVMCreateMemoryBufferWithContentsOfFile(sys.argv[3].encode(), ctypes.byref(text), ctypes.byref(error)):
    sys.exit(error.value.decode())
if llvm.LLVMParseIRInContext(context, text, ctypes.byref(module), ctypes.byref(error)):
    sys.exit(error.value.decode())
if stencilopt.stencilopt_run(module, None, sys.argv[4].encode(), ctypes.byref(error)):
    sys.exit("error: " + error.value.decode())
sys.exit(llvm.LLVMPrintModuleToFile(module, sys.argv[5].encode(), None))
