// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A front end in Rust: run IN.ll PASSES OUT.ll. As run.c.
use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::ptr::null_mut;

type Handle = *mut c_void;
type GetVersion = unsafe extern "C" fn(*mut u32, *mut u32, *mut u32);

extern "C" {
    fn LLVMGetVersion(major: *mut u32, minor: *mut u32, patch: *mut u32);
    fn LLVMContextCreate() -> Handle;
    fn LLVMCreateMemoryBufferWithContentsOfFile(path: *const c_char, out: *mut Handle, error: *mut *mut c_char) -> c_int;
    fn LLVMParseIRInContext(context: Handle, text: Handle, out: *mut Handle, error: *mut *mut c_char) -> c_int;
    fn LLVMPrintModuleToFile(module: Handle, path: *const c_char, error: *mut *mut c_char) -> c_int;
    fn stencilopt_run(module: Handle, machine: Handle, passes: *const c_char, error: *mut *mut c_char) -> c_int;
    fn stencilopt_shares_llvm(get_version: GetVersion) -> c_int;
}

unsafe fn check(failed: c_int, error: *mut c_char) {
    if failed != 0 {
        let text = if error.is_null() { "failed".into() } else { CStr::from_ptr(error).to_string_lossy() };
        eprintln!("error: {}", text);
        std::process::exit(1);
    }
}

fn main() {
    let words: Vec<CString> = std::env::args().map(|w| CString::new(w).unwrap()).collect();
    let (mut text, mut module, mut error) = (null_mut(), null_mut(), null_mut());
    unsafe {
        assert!(stencilopt_shares_llvm(LLVMGetVersion) != 0);
        check(LLVMCreateMemoryBufferWithContentsOfFile(words[1].as_ptr(), &mut text, &mut error), error);
        check(LLVMParseIRInContext(LLVMContextCreate(), text, &mut module, &mut error), error);
        check(stencilopt_run(module, null_mut(), words[2].as_ptr(), &mut error), error);
        check(LLVMPrintModuleToFile(module, words[3].as_ptr(), &mut error), error);
    }
}
