// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes C functions passes of LLVM's new pass manager, and says where in clang's pipelines they
// run.
#include "bridge/handles.h"
#include "bridge/versions.h"

#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <mutex>

using namespace llvm;

enum { MaxPasses = 8 };
static const br_pass *Registered[MaxPasses];
thread_local std::string *ComplaintsOfParsing;

namespace {
// LLVM asks the pass's type for its name, not the pass. So each pass has a type of its own.
template <size_t Number> struct CPass : PassInfoMixin<CPass<Number>> {
    std::string Parameters;
    explicit CPass(StringRef Parameters) : Parameters(Parameters.str()) {}

    PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
        const br_pass *Pass = Registered[Number];
        if (!Pass->run(wrap(&M), &MAM, Parameters.c_str()))
            return PreservedAnalyses::all();
        PreservedAnalyses Kept;
        if (Pass->invalidates) {
            Kept.preserveSet<AllAnalysesOn<Function>>();
            Kept.preserve<FunctionAnalysisManagerModuleProxy>();
            Kept.abandon<GlobalsAA>(); // it would stay otherwise; functions may have new effects
        }
        return Kept;
    }
    void printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)>) {
        OS << name();
        if (!Parameters.empty())
            OS << '<' << Parameters << '>';
    }
    static StringRef name() {
        return Registered[Number]->name;
    }
    static bool isRequired() {
        return !Registered[Number]->optional;
    }
};

struct CSimplify : PassInfoMixin<CSimplify> {
    br_simplify *Run;
    unsigned Level;
    CSimplify(br_simplify *Run, unsigned Level) : Run(Run), Level(Level) {}

    PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
        br_function Handle{F, FAM, nullptr, nullptr};
        if (!Run(&Handle, wrap(&F), Level))
            return PreservedAnalyses::all();
        PreservedAnalyses Kept;
        Kept.preserveSet<CFGAnalyses>();
        return Kept;
    }
    static StringRef name() {
        return "stencil-keep-loops";
    }
};

// Removes the marks of CSimplify if no pass did before, for example because it was skipped. Drops
// the bodies that it kept, and inlines what CPutOff put off.
struct CSplit : PassInfoMixin<CSplit> {
    PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
        auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
        Function *Mark = Intrinsic::getDeclarationIfExists(&M, Intrinsic::sideeffect);
        bool Changed = false;
        for (Function &F : M) {
            br_function Handle{F, FAM, nullptr, nullptr};
            Changed |= br_may_be_marked(F, Mark) && br_function_split(&Handle);
        }
        if (Mark && Mark->use_empty())
            Mark->eraseFromParent();
        bool Inlined = br_catch_up(M, FAM);
        if (br_drop_brought_in(M, FAM) || Inlined)
            return PreservedAnalyses::none();
        PreservedAnalyses Kept;
        Kept.preserveSet<AllAnalysesOn<Function>>();
        Kept.preserve<FunctionAnalysisManagerModuleProxy>();
        return Changed ? Kept : PreservedAnalyses::all();
    }
    static StringRef name() {
        return "stencil-split-loops";
    }
    static bool isRequired() {
        return true;
    }
};

// Tells LLVM that the compiler's own functions for complex numbers access no memory. Otherwise each
// product of complex numbers may change all that a loop reads.
struct CComplex : PassInfoMixin<CComplex> {
    PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
        bool Changed = false;
        for (StringRef Name : {"__muldc3", "__mulsc3", "__divdc3", "__divsc3"}) {
            Function *F = M.getFunction(Name);
            if (!F || !F->isDeclaration() || F->doesNotAccessMemory())
                continue;
            F->setDoesNotAccessMemory();
            F->setDoesNotThrow();
            F->setWillReturn();
            Changed = true;
        }
        return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
    static StringRef name() {
        return "stencil-complex";
    }
    static bool isRequired() {
        return true;
    }
};

// Puts off inlining of library functions that hide what a kernel computes. CSplit makes up for it.
struct CPutOff : PassInfoMixin<CPutOff> {
    PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
        return br_put_off(M) ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
    static StringRef name() {
        return "stencil-put-off";
    }
};

// Prepares IR as a front end writes it, with variables in memory. Runs the passes that LLVM's
// pipeline runs before ours.
struct CPrepare : PassInfoMixin<CPrepare> {
    FunctionPassManager Simplification;
    explicit CPrepare(FunctionPassManager Simplification)
        : Simplification(std::move(Simplification)) {}

    static bool isRaw(Function &F) {
        return !F.hasOptNone() && any_of(F.getEntryBlock(), [](const Instruction &I) {
            auto *Variable = dyn_cast<AllocaInst>(&I);
            return Variable && isAllocaPromotable(Variable);
        });
    }
    PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
        return isRaw(F) ? Simplification.run(F, FAM) : PreservedAnalyses::all();
    }
    static StringRef name() {
        return "stencil-prepare";
    }
};
} // namespace

template <size_t... Numbers>
static void addNumbered(ModulePassManager &MPM, size_t Number, StringRef Parameters,
                        std::index_sequence<Numbers...>) {
    (void)((Numbers == Number && (MPM.addPass(CPass<Numbers>(Parameters)), true)) || ...);
}

static void add(ModulePassManager &MPM, size_t Number, StringRef Parameters) {
    addNumbered(MPM, Number, Parameters, std::make_index_sequence<MaxPasses>());
}

static bool matches(StringRef Text, const br_pass &Pass, StringRef &Parameters) {
    Parameters = "";
    if (!Text.consume_front(Pass.name))
        return false;
    if (Text.empty())
        return true;
    if (!Text.consume_front("<") || !Text.consume_back(">"))
        return false;
    Parameters = Text;
    return true;
}

static void complain(StringRef Pass, StringRef Problem) {
    if (ComplaintsOfParsing)
        *ComplaintsOfParsing = (Pass + ": " + Problem).str();
    else
        errs() << "error: " << Pass << ": " << Problem << "\n";
}

static CPrepare makePrepare(PassBuilder &PB) {
    return CPrepare(
        PB.buildFunctionSimplificationPipeline(OptimizationLevel::O2, ThinOrFullLTOPhase::None));
}

static bool addPass(StringRef Text, ModulePassManager &MPM, PassBuilder &PB) {
    if (Text == CComplex::name()) { // of a pipeline that was printed
        MPM.addPass(CComplex());
        return true;
    }
    for (size_t I = 0; I < MaxPasses && Registered[I]; ++I) {
        StringRef Parameters;
        if (!matches(Text, *Registered[I], Parameters))
            continue;
        if (const char *Problem = Registered[I]->check(Parameters.str().c_str())) {
            complain(Registered[I]->name, Problem);
            return false;
        }
        MPM.addPass(CComplex());
        MPM.addPass(createModuleToFunctionPassAdaptor(makePrepare(PB)));
        add(MPM, I, Parameters);
        return true;
    }
    return false;
}

static void addFirst(ModulePassManager &MPM) {
    for (size_t I = 0; I < MaxPasses && Registered[I]; ++I)
        if (Registered[I]->first)
            add(MPM, I, "");
}

static void addEarly(ModulePassManager &MPM) {
    for (size_t I = 0; I < MaxPasses && Registered[I]; ++I)
        if (Registered[I]->early)
            add(MPM, I, "");
    MPM.addPass(CSplit());
}

static void nameForPrinting(PassInstrumentationCallbacks *PIC) {
    for (size_t I = 0; PIC && I < MaxPasses && Registered[I]; ++I)
        PIC->addClassToPassName(Registered[I]->name, Registered[I]->name);
    for (StringRef Name :
         {CSimplify::name(), CSplit::name(), CComplex::name(), CPrepare::name(), CPutOff::name()})
        if (PIC)
            PIC->addClassToPassName(Name, Name);
}

void br_register_passes(void *Builder, const br_pass *Passes, size_t Count, br_simplify *Simplify) {
    PassBuilder &PB = *static_cast<PassBuilder *>(Builder);
    assert(Count <= MaxPasses);
    // Pipelines are built in several threads at a time. All of them register the same passes.
    static std::once_flag Once;
    std::call_once(Once, [=] {
        for (size_t I = 0; I < Count; ++I)
            Registered[I] = &Passes[I];
    });
    nameForPrinting(PB.getPassInstrumentationCallbacks());
    PB.registerPipelineParsingCallback(
        [&PB](StringRef Text, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
            return addPass(Text, MPM, PB);
        });
    // Only for pipelines that were printed, as by -print-pipeline-passes.
    PB.registerPipelineParsingCallback(
        [&PB](StringRef Text, FunctionPassManager &FPM, ArrayRef<PassBuilder::PipelineElement>) {
            bool Same = Text == CPrepare::name();
            if (Same)
                FPM.addPass(makePrepare(PB));
            return Same;
        });
    // Loops are marked only in pipelines that reach OptimizerEarly, where the marks are removed.
    // These are the pipelines that simplify modules. The pipeline of full LTO's link is none of
    // them.
    auto ComesToEarly = std::make_shared<bool>(false);
    PB.registerPipelineEarlySimplificationEPCallback(
        [=](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase) {
            *ComesToEarly = true;
            if (Level != OptimizationLevel::O0) {
                MPM.addPass(CComplex());
                if (versions::speed(Level) > 1)
                    MPM.addPass(CPutOff());
                addFirst(MPM);
            }
        });
    PB.registerPeepholeEPCallback([=](FunctionPassManager &FPM, OptimizationLevel Level) {
        if (*ComesToEarly && versions::speed(Level) > 1)
            FPM.addPass(CSimplify(Simplify, versions::speed(Level)));
    });
    PB.registerOptimizerEarlyEPCallback(
        [=](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase) {
            *ComesToEarly = false;
            if (Level != OptimizationLevel::O0)
                addEarly(MPM);
        });
    // The pipeline of full LTO's link has no OptimizerEarly.
    PB.registerFullLinkTimeOptimizationEarlyEPCallback(
        [](ModulePassManager &MPM, OptimizationLevel Level) {
            if (Level != OptimizationLevel::O0)
                addEarly(MPM);
        });
}

uint32_t br_plugin_api_version() {
    return LLVM_PLUGIN_API_VERSION;
}

static_assert(sizeof(br_plugin_info) == sizeof(PassPluginLibraryInfo),
              "br_plugin_info mirrors LLVM's struct");
static_assert(offsetof(br_plugin_info, register_passes) ==
                  offsetof(PassPluginLibraryInfo, RegisterPassBuilderCallbacks),
              "br_plugin_info mirrors LLVM's struct");
