// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's command line, errors and compression.
#include "bridge/bridge.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

struct br_option {
    cl::opt<std::string> Option;
    br_option(const char *Name, const char *Help)
        : Option(StringRef(Name), cl::desc(Help), cl::value_desc("value")) {}
};

// clang and opt print a stack trace when a plugin reports a fatal error. This ends the compiler
// without one.
void br_fatal(const char *Message) {
    errs() << "error: " << Message << "\n";
    exit(1);
}

void br_error(LLVMContextRef Context, const char *Message) {
    unwrap(Context)->emitError(Message);
}

LLVMMemoryBufferRef br_compress(const char *Bytes, size_t Size, int Level) {
    SmallVector<uint8_t, 0> Packed;
    if (!compression::zstd::isAvailable())
        return nullptr;
    compression::zstd::compress(arrayRefFromStringRef(StringRef(Bytes, Size)), Packed, Level);
    return LLVMCreateMemoryBufferWithMemoryRangeCopy(reinterpret_cast<const char *>(Packed.data()),
                                                     Packed.size(), "packed");
}

br_option *br_option_register(const char *Name, const char *Help) {
    if (cl::getRegisteredOptions().contains(Name))
        return nullptr;
    return new br_option(Name, Help);
}

const char *br_option_value(const br_option *O) {
    return O->Option.getNumOccurrences() ? O->Option.c_str() : nullptr;
}
