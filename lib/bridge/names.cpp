// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and places in the user's source: functions as their author wrote them (C++, Rust, Fortran),
// and lines from debug information.
#include "bridge/handles.h"
#include "bridge/loop_places.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

// Names of flang: _QMplatePstep is step of module plate, _QQmain is the main program. Names have
// small letters; a capital letter begins each part.
static std::string fortranName(StringRef Name) {
    std::string Out;
    for (char C : Name.drop_front(2))
        if (isUpper(C))
            Out += Out.empty() ? "" : "::";
        else
            Out += C;
    return Out;
}

static std::string cxxName(StringRef Name) {
    ItaniumPartialDemangler D;
    std::string Mangled = Name.str(), Out;
    if (D.partialDemangle(Mangled.c_str()) || !D.isFunction())
        return demangle(Mangled);
    char *Scope = D.getFunctionDeclContextName(nullptr, nullptr);
    char *Base = D.getFunctionBaseName(nullptr, nullptr);
    if (Scope && *Scope)
        Out = std::string(Scope) + "::";
    Out += Base ? Base : Mangled;
    free(Scope);
    free(Base);
    return Out;
}

// An older Rust name is a C++ name whose last part has 17 characters: ::h and a hash.
static std::string withoutHash(std::string Name) {
    StringRef Whole = Name, Last = Whole.take_back(19);
    if (Whole.size() > 19 && Last.consume_front("::h") && all_of(Last, isHexDigit))
        Name.resize(Name.size() - 19);
    return Name;
}

// The name as its author wrote it, without parameters.
static std::string sourceName(const Function &F) {
    StringRef Name = F.getName();
    return Name.starts_with("_Q") ? fortranName(Name) : withoutHash(cxxName(Name));
}

void br_source_name(LLVMValueRef Fn, char *Out, size_t Size) {
    snprintf(Out, Size, "%s", sourceName(*unwrap<Function>(Fn)).c_str());
}

static void printLocation(const DIScope *Scope, unsigned Line, LLVMValueRef Fn, char *Out,
                          size_t Size) {
    std::string Name = sourceName(*unwrap<Function>(Fn));
    if (Scope)
        snprintf(Out, Size, "%s:%u (%s)", Scope->getFilename().str().c_str(), Line, Name.c_str());
    else
        snprintf(Out, Size, "%s", Name.c_str());
}

// The functions that a place was inlined into, outermost first.
static SmallVector<const DILocation *, 4> inlinedInto(const DILocation *Where) {
    SmallVector<const DILocation *, 4> Chain;
    for (; Where && Where->getInlinedAt(); Where = Where->getInlinedAt())
        Chain.insert(Chain.begin(), Where->getInlinedAt());
    return Chain;
}

// The number of functions, each inlined into the one before, that contain the whole loop.
static size_t commonDepth(const Loop &L, ArrayRef<const DILocation *> Of) {
    size_t Depth = Of.size();
    for (const BasicBlock *B : L.blocks())
        for (const Instruction &I : *B) {
            if (!I.getDebugLoc() || Depth == 0)
                continue;
            auto Other = inlinedInto(I.getDebugLoc().get());
            size_t Same = 0;
            while (Same < Depth && Same < Other.size() && Other[Same] == Of[Same])
                Same++;
            Depth = Same;
        }
    return Depth;
}

// Is it a file of a language's library, as far as its path tells?
static bool isLibrary(const DIFile *File) {
    StringRef Folder = File->getDirectory(), Name = File->getFilename();
    std::string Path = (Name.starts_with("/") ? Name : (Folder + "/" + Name).str()).str();
    return StringRef(Path).starts_with("/usr/include/") ||
           StringRef(Path).contains("/include/c++/") || StringRef(Path).starts_with("/rustc/");
}

// The place outside libraries that the library's code at `Where` was inlined into.
static const DILocation *outsideLibraries(const DILocation *Where) {
    const DILocation *Out = Where;
    while (Out && isLibrary(Out->getFile()) && Out->getInlinedAt())
        Out = Out->getInlinedAt();
    return Out && isLibrary(Out->getFile()) ? Where : Out;
}

// Does the program's compiler tell where the loop begins?
static bool hasPlace(const Loop &L) {
    const MDNode *Properties = L.getLoopID();
    return Properties && any_of(Properties->operands(),
                                [](const MDOperand &O) { return O && isa<DILocation>(O.get()); });
}

// Is it a loop of one iteration that br_wrap made? Its place is that of the first sweep in it.
static bool runsOnce(const Loop &L) {
    const BasicBlock *Latch = L.getLoopLatch();
    const Instruction *End = Latch ? Latch->getTerminator() : nullptr;
    return End && End->getNumOperands() > 0 && isa<ConstantInt>(End->getOperand(0));
}

// Where the loop goes back, in the function that the loop belongs to: Depth of those of Chain.
static const DILocation *placeOfLatch(const Loop &L, ArrayRef<const DILocation *> Chain,
                                      size_t Depth) {
    const BasicBlock *Latch = L.getLoopLatch();
    const DILocation *Where = Latch ? Latch->getTerminator()->getDebugLoc().get() : nullptr;
    if (!Where || !Where->getLine())
        return nullptr;
    auto Into = inlinedInto(Where);
    return ArrayRef<const DILocation *>(Into) == Chain.take_front(Depth) ? Where : nullptr;
}

// The first loop in this one; or null.
static const Loop *firstInner(const Loop &L) {
    for (const BasicBlock *B : L.blocks())
        for (const Loop *Inner : L)
            if (Inner->getHeader() == B)
                return Inner;
    return nullptr;
}

// Where the loop starts; of one that was put around others, perhaps where the first of these does.
static const DILocation *startOf(const Loop &L) {
    if (const DILocation *Own = L.getStartLoc().get())
        return Own;
    const Loop *Inner = firstInner(L);
    return Inner ? startOf(*Inner) : nullptr;
}

// The place of a loop. In Rust and C++ iterators of libraries step loops, so the loop's
// instructions come from several functions. The loop belongs to the innermost function that
// contains all of it. Its line is the one that the library's code was inlined into. Functions of
// the same file count as the user's own. Flang does not tell where a loop begins: where LLVM put a
// subroutine in the place of its call, the first code of the loop may be the subroutine's.
DebugLoc br_loop_place(const Loop &L) {
    if (const Loop *Inner = runsOnce(L) ? firstInner(L) : nullptr)
        return br_loop_place(*Inner);
    const DILocation *Where = startOf(L);
    auto Chain = inlinedInto(Where);
    size_t Depth = Where ? commonDepth(L, Chain) : 0;
    if (Depth < Chain.size() && !hasPlace(L)) {
        const DILocation *Latch = placeOfLatch(L, Chain, Depth);
        return DebugLoc(outsideLibraries(Latch ? Latch : Chain[Depth]));
    }
    bool IsLibrary = Depth < Chain.size() && Chain[Depth]->getFile() != Where->getFile();
    return DebugLoc(outsideLibraries(IsLibrary ? Chain[Depth] : Where));
}

unsigned br_source_line(LLVMValueRef I) {
    const DILocation *Where = outsideLibraries(unwrap<Instruction>(I)->getDebugLoc().get());
    return Where ? Where->getLine() : 0;
}

unsigned br_line_beside(br_loop L, br_loop Other) {
    DebugLoc Where = br_loop_place(*unwrap(L)), There = br_loop_place(*unwrap(Other));
    return Where && There && Where->getFile() == There->getFile() ? Where.getLine() : 0;
}

bool br_in_library(br_loop L) {
    DebugLoc Where = br_loop_place(*unwrap(L));
    return Where && isLibrary(Where->getFile());
}

uint64_t br_place_number(br_loop L) {
    DebugLoc Where = br_loop_place(*unwrap(L));
    if (!Where)
        return 0;
    const DIFile *File = Where->getFile();
    return hash_combine(File->getDirectory(), File->getFilename(), Where.getLine(),
                        Where.getCol()) |
           1;
}

void br_location(br_loop L, LLVMValueRef Fn, char *Out, size_t Size) {
    DebugLoc Where = br_loop_place(*unwrap(L));
    printLocation(Where ? cast<DIScope>(Where.getScope()) : nullptr, Where ? Where.getLine() : 0,
                  Fn, Out, Size);
}

void br_function_location(LLVMValueRef Fn, char *Out, size_t Size) {
    const DISubprogram *Where = unwrap<Function>(Fn)->getSubprogram();
    printLocation(Where, Where ? Where->getLine() : 0, Fn, Out, Size);
}
