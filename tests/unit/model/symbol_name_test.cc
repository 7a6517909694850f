// The compilers' names for the bodies of constructs, by clang 14 and 19, flang 19 and gcc 12.
#include "profiler/model/symbol_name.h"

#include <gtest/gtest.h>

namespace ompprof::model {
namespace {

TEST(Demangle, OnlyCxxNames) {
  EXPECT_EQ(Demangle("_Z5inneri"), "inner(int)");
  EXPECT_EQ(Demangle("main"), "main");
  EXPECT_EQ(Demangle("_Znonsense"), "_Znonsense");
  EXPECT_EQ(Demangle(""), "");
}

TEST(Demangle, RustNames) {
  EXPECT_EQ(Demangle("_ZN1a8hot_rust17hf41b5ce968e69ef6E"), "a::hot_rust");
  EXPECT_EQ(Demangle("_ZN4core3ops8function6FnOnce40call_once$u7b$$u7b$vtable.shim$u7d$$u7d$17hdd2e9b88aae332f9E"),
            "core::ops::function::FnOnce::call_once{{vtable.shim}}");
  EXPECT_EQ(Demangle("_RINvCs6xxl1lAjzDf_1a8hot_rustfEB2_"), "a::hot_rust<f32>");
  EXPECT_EQ(Demangle("_Rnonsense"), "_Rnonsense");
}

TEST(Demangle, GlibcsNames) {
  EXPECT_EQ(Demangle("__GI_munmap"), "munmap");
  EXPECT_EQ(Demangle("__GI___printf_fp_l"), "__printf_fp_l");
}

TEST(Demangle, FortranNames) {
  EXPECT_EQ(Demangle("MAIN__"), "main program");
  EXPECT_EQ(Demangle("__heat_MOD_relax"), "heat::relax");
  EXPECT_EQ(Demangle("__heat_MOD_relax.constprop.0"), "heat::relax [clone .constprop.0]");
  EXPECT_EQ(Demangle("__two_words_MOD_a_b"), "two_words::a_b");
  EXPECT_EQ(Demangle("__MOD_relax"), "__MOD_relax");
  EXPECT_EQ(Demangle("relax_"), "relax_");
}

TEST(Demangle, FlangsNames) {
  EXPECT_EQ(Demangle("_QQmain"), "main program");
  EXPECT_EQ(Demangle("_QMheatPrelax"), "heat::relax");
  EXPECT_EQ(Demangle("_QMheatPrelax..omp_par.1"), "heat::relax [clone ..omp_par.1]");
  EXPECT_EQ(Demangle("_QMtwo_wordsPa_b2"), "two_words::a_b2");
  EXPECT_EQ(Demangle("_QMheatSimplPrelax"), "heat::impl::relax");
  EXPECT_EQ(Demangle("_QMheatSimplFrelaxEcalls"), "heat::impl::relax::calls");
  EXPECT_EQ(Demangle("_QMheatEdoor"), "heat::door");
  EXPECT_EQ(Demangle("_QFsolvePinner"), "solve::inner");
  EXPECT_EQ(Demangle("_QFPinner"), "inner");  // in the main program
  EXPECT_EQ(Demangle("_QFB1Ei"), "i");        // in a block of it
  EXPECT_EQ(Demangle("_QPrelax"), "relax");
  for (const char* other : {"_Q", "_QM", "_QMheat", "_QMPrelax", "_QMheatP", "_QMheatXrelax", "_Qheat", "_QQcl2F"})
    EXPECT_EQ(Demangle(other), other);
}

struct Case {
  const char* name;
  Outlined construct;
  const char* parent;
};

TEST(ParseOutlined, KnownCompilers) {
  const Case cases[] = {
      {"main", Outlined::kNo, ""},
      {"outlined", Outlined::kNo, ""},
      {".omp_outlined.", Outlined::kParallel, ""},
      {".omp_outlined..5", Outlined::kParallel, ""},
      {".omp_outlined._debug__.3", Outlined::kParallel, ""},
      {".omp_task_entry.", Outlined::kTask, ""},
      {".omp_task_entry..7", Outlined::kTask, ""},
      {".omp_task_privates_map.", Outlined::kTask, ""},
      {"main.omp_outlined", Outlined::kParallel, "main"},
      {"main.omp_outlined_debug__.2", Outlined::kParallel, "main"},
      {"main.omp_outlined.omp_outlined", Outlined::kParallel, "main"},
      {"__omp_outlined__", Outlined::kParallel, ""},
      {"main._omp_fn.0", Outlined::kUnknown, "main"},
      {"solve._omp_fn.1.cold", Outlined::kUnknown, "solve"},
      {"solve._omp_fn.1.constprop.0", Outlined::kUnknown, "solve"},
      {"solve.constprop.0._omp_fn.1", Outlined::kUnknown, "solve"},
      {"solve.isra.0.part.0._omp_fn.1", Outlined::kUnknown, "solve"},
      {"inner.0._omp_fn.1", Outlined::kUnknown, "inner"},  // gfortran numbers internal procedures
      {".omp.reduction.reduction_func", Outlined::kReduction, ""},
      {"main.omp_outlined.omp.reduction.reduction_func", Outlined::kReduction, "main"},
      {"__omp_offloading_fe00_a7204e_main_l72", Outlined::kTarget, "main"},
      {"__omp_offloading_fe00_a7204e_main_l72_debug__", Outlined::kTarget, "main"},
      {"__omp_offloading_fe00_a7204e__Z5inneri_l9", Outlined::kTarget, "inner(int)"},
      {"__omp_offloading_fe00_a7204e_my_l1_loop_l72", Outlined::kTarget, "my_l1_loop"},
      {"__omp_offloading_fe00_a7204e_main_l72.omp_outlined", Outlined::kParallel, "main"},
      {"__omp_offloading_", Outlined::kNo, ""},
      {"solve_..omp_par.1", Outlined::kUnknown, "solve"},  // by flang, a procedure that is in no module
  };
  for (const Case& c : cases) {
    const OutlinedName parsed = ParseOutlined(c.name);
    EXPECT_EQ(parsed.construct, c.construct) << c.name;
    EXPECT_EQ(parsed.parent, c.parent) << c.name;
  }
}

TEST(ParseOutlined, DemangledClones) {
  EXPECT_EQ(ParseOutlined(Demangle("_ZN2ns1KIdE3runEd._omp_fn.0")).parent, "ns::K<double>::run(double)");
  EXPECT_EQ(ParseOutlined(Demangle("_Z5inneri.omp_outlined")).parent, "inner(int)");
  EXPECT_EQ(ParseOutlined(Demangle("_Z5inneri.omp_outlined_debug__")).parent, "inner(int)");
  EXPECT_EQ(ParseOutlined(Demangle("_ZZ4mainENKUliE_clEi._omp_fn.0")).parent,
            "main::{lambda(int)#1}::operator()(int) const");
}

TEST(ParseOutlined, ClonesOfClones) {
  for (const char* name : {"_Z5inneri.constprop.0._omp_fn.0", "_Z5inneri._omp_fn.0.constprop.0",
                           "_Z5inneri.isra.0.part.0._omp_fn.0.cold"}) {
    const OutlinedName parsed = ParseOutlined(Demangle(name));
    EXPECT_EQ(parsed.construct, Outlined::kUnknown) << name;
    EXPECT_EQ(parsed.parent, "inner(int)") << name;
  }
  EXPECT_EQ(ParseOutlined(Demangle("_Z3logPKcz._omp_fn.0")).parent, "log(char const*, ...)");
}

TEST(ParseOutlined, Fortran) {
  EXPECT_EQ(ParseOutlined(Demangle("__heat_MOD_relax._omp_fn.0")).parent, "heat::relax");
  EXPECT_EQ(ParseOutlined(Demangle("MAIN__._omp_fn.3")).parent, "main program");
  EXPECT_EQ(ParseOutlined(Demangle("MAIN__")).construct, Outlined::kNo);
  const OutlinedName flang = ParseOutlined(Demangle("_QMheatPrelax..omp_par.1"));
  EXPECT_EQ(flang.parent, "heat::relax");
  EXPECT_TRUE(flang.flang_body);
  EXPECT_EQ(ParseOutlined(Demangle("_QQmain..omp_par")).parent, "main program");
  EXPECT_FALSE(ParseOutlined(Demangle("__heat_MOD_relax._omp_fn.0")).flang_body);
}

TEST(IsWrapper, PairsThatClangMakes) {
  const auto is_wrapper = [](const char* outer, const char* inner) {
    return IsWrapper(ParseOutlined(outer), ParseOutlined(inner));
  };
  EXPECT_TRUE(is_wrapper(".omp_outlined..4", ".omp_outlined._debug__.3"));
  EXPECT_TRUE(is_wrapper("main.omp_outlined", "main.omp_outlined_debug__"));
  EXPECT_TRUE(is_wrapper(".omp_task_entry.", ".omp_outlined..2"));
  EXPECT_TRUE(is_wrapper(".omp_outlined..2", ".omp_task_privates_map."));
  EXPECT_FALSE(is_wrapper("foo", ".omp_task_privates_map."));
  EXPECT_TRUE(is_wrapper("__omp_offloading_fe00_a7204e_main_l72", "__omp_offloading_fe00_a7204e_main_l72_debug__"));
  EXPECT_FALSE(is_wrapper(".omp_outlined.", ".omp_outlined..5"));
  EXPECT_FALSE(is_wrapper("main", ".omp_outlined._debug__"));
  EXPECT_FALSE(is_wrapper(".omp_outlined.", "main"));
}

}  // namespace
}  // namespace ompprof::model
