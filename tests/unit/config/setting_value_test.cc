// The table of settings: each row reads, accepts and writes its values.
#include "profiler/config/setting_value.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "profiler/config/perf_events.h"
#include "profiler/config/settings.h"

namespace ompprof::config {
namespace {

std::string Value(const Setting& setting, const Config& config) {
  char text[sizeof(Config::output)];
  ValueText(setting, config, text, sizeof text);
  return text;
}

std::string Accepted(const Setting& setting) {
  char text[1024];
  AcceptedText(setting, text, sizeof text);
  return text;
}

bool Accepts(const Setting& setting, const std::string& text, Config* config) {
  return SetValue(setting, text.c_str(), config);
}

// Some value that is not the default.
std::string OtherValue(const Setting& setting) {
  switch (setting.type.kind) {
    case SettingKind::kUnsigned:
      return "17";
    case SettingKind::kSeconds:
      return "0.25";
    case SettingKind::kPermille:
      return "12.5";
    case SettingKind::kBytes:
      return "3G";
    case SettingKind::kFlag:
      return Value(setting, Config()) == "0" ? "1" : "0";
    case SettingKind::kWord:
      return setting.type.words[1].text;
    case SettingKind::kText:
      return "name";
    case SettingKind::kEvent:
      return "cycles";
    case SettingKind::kEvents:
      return "cycles,LLC-load-misses";
    case SettingKind::kRanks:
      return "0,7,100-120";
    case SettingKind::kSignal:
      return "RTMIN+5";
  }
  return "";
}

const Setting& Find(const std::string& variable) {
  for (const Setting& setting : Settings()) {
    if (setting.variable == variable) return setting;
  }
  ADD_FAILURE() << variable;
  return Settings()[0];
}

TEST(Settings, EachSetsAMemberOfItsOwn) {
  for (const Setting& changed : Settings()) {
    SCOPED_TRACE(changed.variable);
    Config config;
    ASSERT_TRUE(Accepts(changed, OtherValue(changed), &config));
    for (const Setting& setting : Settings()) {
      const std::string expected =
          setting.variable == changed.variable ? OtherValue(setting) : Value(setting, Config());
      EXPECT_EQ(Value(setting, config), expected) << setting.variable;
    }
  }
}

TEST(Settings, NoTwoHaveANameInCommon) {
  std::set<std::string> names;
  for (const Setting& setting : Settings()) {
    const std::string option = setting.option;
    EXPECT_TRUE(names.insert(setting.variable).second) << setting.variable;
    EXPECT_EQ(std::string(setting.variable).rfind("OMPPROF_", 0), 0u) << setting.variable;
    EXPECT_TRUE(names.insert(option.substr(option.find("--"))).second) << option;
    if (option[1] != '-') {
      EXPECT_TRUE(names.insert(option.substr(0, option.find(','))).second) << option;
    }
  }
  for (const OtherVariable& variable : OtherVariables()) EXPECT_TRUE(names.insert(variable.name).second);
}

TEST(Settings, DefaultsAreValuesOrSaySo) {
  const std::vector<std::string> expected = {"199",  "ompprof.%x.%h.%p.ompprof",
                                             "none", "all",
                                             "cpu",  "none",
                                             "none", "PROF",
                                             "cfi",  "512",
                                             "256M", "site",
                                             "0",    "0",
                                             "1",    "1",
                                             "on",   "3",
                                             "0",    "auto",
                                             "auto"};
  std::vector<std::string> found;
  for (const Setting& setting : Settings()) {
    const std::string value = Value(setting, Config());
    found.push_back(value);
    Config config;
    if (*setting.type.unset == '\0' && !value.empty()) {
      EXPECT_TRUE(Accepts(setting, value, &config)) << setting.variable;
      EXPECT_EQ(Value(setting, config), value) << setting.variable;
    }
  }
  EXPECT_EQ(found, expected);
}

// The limits themselves are accepted and kept, and nothing beyond.
TEST(Settings, Limits) {
  struct Limit {
    const char* variable;
    const char* below;
    const char* lowest;
    const char* highest;
    const char* above;
  };
  const Limit limits[] = {{"OMPPROF_FREQUENCY", "0", "1", "10000", "10001"},
                          {"OMPPROF_MAX_DEPTH", "15", "16", "16384", "16385"},
                          {"OMPPROF_MAX_MEMORY", "4095K", "4M", "17179869183G", "17179869184G"},
                          {"OMPPROF_DELAY", "-0.1", "0", "1000000", "1000000.1"},
                          {"OMPPROF_FLUSH_INTERVAL", "0.0099", "0.01", "1000000", "1000000.1"},
                          {"OMPPROF_MAX_OVERHEAD", "0.09", "0.1", "100", "100.1"}};
  for (const Limit& limit : limits) {
    SCOPED_TRACE(limit.variable);
    const Setting& setting = Find(limit.variable);
    Config config;
    for (const char* value : {limit.lowest, limit.highest}) {
      EXPECT_TRUE(Accepts(setting, value, &config)) << value;
      EXPECT_EQ(Value(setting, config), value);
    }
    for (const char* value : {limit.below, limit.above}) EXPECT_FALSE(Accepts(setting, value, &config)) << value;
    EXPECT_EQ(Value(setting, config), limit.highest) << "a refused value changes nothing";
    EXPECT_NE(Accepted(setting).find(limit.lowest), std::string::npos) << Accepted(setting);
    if (setting.type.high != 0) {
      EXPECT_NE(Accepted(setting).find(limit.highest), std::string::npos) << Accepted(setting);
    }
  }
}

TEST(Settings, EachWordIsAcceptedAndNamed) {
  for (const Setting& setting : Settings()) {
    for (const SettingWord& word : setting.type.words) {
      Config config;
      EXPECT_TRUE(Accepts(setting, word.text, &config)) << word.text;
      EXPECT_EQ(setting.type.member.get(config), word.value) << word.text;
      EXPECT_EQ(Value(setting, config), word.text);
      EXPECT_NE(Accepted(setting).find(word.text), std::string::npos) << Accepted(setting);
      EXPECT_FALSE(Accepts(setting, std::string(word.text) + "x", &config)) << word.text;
    }
  }
}

TEST(Settings, EachEventIsAcceptedAndNamed) {
  const Setting& setting = Find("OMPPROF_EVENT");
  for (const PerfEvent& event : PerfEvents()) {
    Config config;
    EXPECT_TRUE(Accepts(setting, event.name, &config)) << event.name;
    EXPECT_NE(Accepted(setting).find(event.name), std::string::npos) << Accepted(setting);
  }
}

TEST(Settings, Signals) {
  const Setting& setting = Find("OMPPROF_SIGNAL");
  Config config;
  for (const char* name : {"PROF", "USR1", "USR2", "ALRM", "VTALRM", "RTMIN+0", "RTMIN+30"}) {
    EXPECT_TRUE(Accepts(setting, name, &config)) << name;
    EXPECT_EQ(Value(setting, config), name);
  }
  EXPECT_TRUE(Accepts(setting, "sigrtmin", &config));
  EXPECT_EQ(Value(setting, config), "RTMIN+0");
  for (const char* name : {"RTMIN+31", "RTMIN+9223372036854775807", "RTMIN-1", "RTMINX", "SIG", "-1", "0", "27x"})
    EXPECT_FALSE(Accepts(setting, name, &config)) << name;
}

TEST(Settings, AcceptedText) {
  const auto text = [](const char* variable) { return Accepted(Find(variable)); };
  EXPECT_EQ(text("OMPPROF_FREQUENCY"), "a whole number of samples per second from 1 to 10000");
  EXPECT_EQ(text("OMPPROF_DELAY"), "a number of seconds from 0 to 1000000");
  EXPECT_EQ(text("OMPPROF_FLUSH_INTERVAL"), "a number of seconds from 0.01 to 1000000");
  EXPECT_EQ(text("OMPPROF_MAX_MEMORY"), "bytes, with K, M or G behind the number, 4M or more");
  EXPECT_EQ(text("OMPPROF_MAX_OVERHEAD"),
            "percent of the CPU time from 0.1 to 100, or 0: every wait is measured, whatever it costs");
  EXPECT_EQ(text("OMPPROF_UNWIND"), "cfi, fp or libunwind");
  EXPECT_EQ(text("OMPPROF_CLOCK"), "cpu or wall");
  EXPECT_EQ(text("OMPPROF_PAUSED"), "0 or 1");
  EXPECT_EQ(text("OMPPROF_COUNT"), "one to 4 events of --event, each once, with commas between them");
  EXPECT_EQ(text("OMPPROF_SIGNAL"), "PROF, USR1, USR2, ALRM, VTALRM, RTMIN+N, or the number of such a signal");
}

// Each text is cut to its room.
TEST(Settings, TextsAreCut) {
  for (const Setting& setting : Settings()) {
    for (size_t size = 1; size < 12; ++size) {
      std::vector<char> room(size + 1, '#');
      AcceptedText(setting, room.data(), size);
      EXPECT_EQ(std::string(room.data()), Accepted(setting).substr(0, size - 1));
      ValueText(setting, Config(), room.data(), size);
      EXPECT_EQ(std::string(room.data()), Value(setting, Config()).substr(0, size - 1));
      EXPECT_EQ(room[size], '#');
    }
  }
}

}  // namespace
}  // namespace ompprof::config
