#include "profiler/analyze/view/short_name.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace ompprof::analyze {
namespace {

// Names that begin with model::kFortranMain, with or without a construct.
constexpr char kFortranMain[] = "main program";

// The length of the operator's name at `at`, after "operator". Brackets in this name open nothing.
size_t OperatorLength(const std::string& name, size_t at) {
  for (const char* symbol : {"()", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "[]", "<", ">"}) {
    const size_t length = std::strlen(symbol);
    if (name.compare(at, length, symbol) == 0) return length;
  }
  return 0;
}

bool EndsWithOperator(const std::string& text) {
  constexpr char kWord[] = "operator";
  constexpr size_t kLength = sizeof kWord - 1;
  if (text.size() < kLength || text.compare(text.size() - kLength, kLength, kWord) != 0) return false;
  const char before = text.size() > kLength ? text[text.size() - kLength - 1] : ' ';
  return !std::isalnum(static_cast<unsigned char>(before)) && before != '_';
}

// The brackets of a name, while it is read.
class BracketReader {
 public:
  explicit BracketReader(NameParts* parts) : parts_(*parts) {}

  int depth() const { return depth_; }

  void Read(char c, size_t at) {
    if (c == '<' || c == '(') {
      if (depth_++ == 0) parts_.brackets.push_back({parts_.text.size(), c, {{at + 1, at + 1}}});
    } else if (c == '>' || c == ')') {
      if (depth_ > 0 && --depth_ == 0) parts_.brackets.back().items.back().end = at;
    } else if (depth_ == 0) {
      parts_.text += c;
    } else if (depth_ == 1 && c == ',') {
      parts_.brackets.back().items.back().end = at;
      parts_.brackets.back().items.push_back({at + 1, at + 1});
    }
  }

 private:
  NameParts& parts_;
  int depth_ = 0;
};

NameParts WithoutBrackets(const std::string& name) {
  constexpr char kAnonymous[] = "(anonymous namespace)::";
  NameParts parts;
  BracketReader reader(&parts);
  for (size_t at = 0; at < name.size(); ++at) {
    if (name.compare(at, sizeof kAnonymous - 1, kAnonymous) == 0) {
      at += sizeof kAnonymous - 2;
      continue;
    }
    if (reader.depth() == 0 && EndsWithOperator(parts.text)) {
      if (const size_t length = OperatorLength(name, at)) {
        parts.text.append(name, at, length);
        at += length - 1;
        continue;
      }
    }
    reader.Read(name[at], at);
  }
  parts.text.erase(parts.text.find_last_not_of(' ') + 1);
  return parts;
}

void DropReturnType(NameParts* parts) {
  std::string& text = parts->text;
  // The text before a blank is a return type, except in "operator bool" and in the "[clone .cold]" of a clone.
  const size_t clone = text.find(" [");
  const size_t blank = text.rfind(' ', clone == std::string::npos ? clone : clone - 1);
  if (clone == 0 || blank == std::string::npos || text.find("operator") != std::string::npos) return;
  text.erase(0, blank + 1);
  std::vector<NameParts::Bracket> kept;
  for (NameParts::Bracket& bracket : parts->brackets) {
    if (bracket.at <= blank) continue;
    bracket.at -= blank + 1;
    kept.push_back(std::move(bracket));
  }
  parts->brackets = std::move(kept);
}

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// What a name shows beside its short name, in ascending order.
enum Detail { kArguments, kParameters, kInFull, kWhole };

// The names with one short name, which become longer until they differ.
class Alike {
 public:
  void Add(const std::string& name) {
    members_.push_back({name, PartsOf(name), {}, ""});
    Member& member = members_.back();
    member.shown = member.parts.text + member.parts.construct;
  }

  void TellApart() {
    std::vector<Member*> all;
    for (Member& member : members_) all.push_back(&member);
    Refine(all, kArguments);
  }

  template <class Take>
  void ForEach(Take take) const {
    for (const Member& member : members_) take(member.name, member.shown);
  }

 private:
  using Place = std::pair<size_t, size_t>;  // bracket, item

  struct Member {
    std::string name;
    NameParts parts;
    std::set<Place> chosen;  // what is shown of the brackets
    std::string shown;
  };
  using Items = std::map<Place, std::string>;

  static std::string TextOf(const Member& member, const NameParts::Item& item, Detail detail) {
    const std::string text = Trimmed(member.name.substr(item.begin, item.end - item.begin));
    const std::string brief = WithoutBrackets(text).text;
    return detail >= kInFull || brief.empty() ? text : brief;
  }

  static Items ItemsOf(const Member& member, Detail detail) {
    Items items;
    for (size_t i = 0; i < member.parts.brackets.size(); ++i) {
      const NameParts::Bracket& bracket = member.parts.brackets[i];
      if (detail == kArguments && bracket.opens != '<') continue;
      for (size_t k = 0; k < bracket.items.size(); ++k) items[{i, k}] = TextOf(member, bracket.items[k], detail);
    }
    return items;
  }

  // Adds the items by which the members differ. Lists of different lengths differ in all of their items.
  static void Choose(const std::vector<Member*>& members, Detail detail) {
    std::vector<Items> items;
    for (const Member* member : members) items.push_back(ItemsOf(*member, detail));
    const auto same_places = [&](const Items& other) {
      return std::equal(other.begin(), other.end(), items[0].begin(), items[0].end(),
                        [](const auto& a, const auto& b) { return a.first == b.first; });
    };
    const bool comparable = std::all_of(items.begin(), items.end(), same_places);
    for (size_t i = 0; i < members.size(); ++i) {
      for (const auto& [place, text] : items[i]) {
        const auto differs = [&place = place, &text = text](const Items& other) { return other.at(place) != text; };
        if (!comparable || std::any_of(items.begin(), items.end(), differs)) members[i]->chosen.insert(place);
      }
    }
  }

  static std::string Shown(const Member& member, Detail detail) {
    std::string shown;
    size_t done = 0;
    for (size_t i = 0; i < member.parts.brackets.size(); ++i) {
      const NameParts::Bracket& bracket = member.parts.brackets[i];
      std::string list;
      bool any = false;
      for (size_t k = 0; k < bracket.items.size(); ++k) {
        if (member.chosen.count({i, k}) == 0) continue;
        list += (any ? ", " : "") + TextOf(member, bracket.items[k], detail);
        any = true;
      }
      if (!any) continue;
      const size_t at = std::min(bracket.at, member.parts.text.size());
      shown += member.parts.text.substr(done, at - done) + bracket.opens + list + (bracket.opens == '<' ? '>' : ')');
      done = at;
    }
    return shown + member.parts.text.substr(done) + member.parts.construct;
  }

  static void Refine(const std::vector<Member*>& members, Detail detail) {
    if (members.size() < 2) return;
    if (detail != kWhole) Choose(members, detail);
    std::map<std::string, std::vector<Member*>> alike;
    for (Member* member : members) {
      member->shown = detail == kWhole ? member->name : Shown(*member, detail);
      alike[member->shown].push_back(member);
    }
    if (detail == kWhole) return;
    for (const auto& [shown, still] : alike) Refine(still, static_cast<Detail>(detail + 1));
  }

  std::vector<Member> members_;
};

}  // namespace

NameParts PartsOf(const std::string& name) {
  NameParts parts;
  parts.text = name;
  if (name.empty() || name[0] == '<') return parts;
  if (name.rfind(kFortranMain, 0) == 0) return parts;  // two words, but the first word is no return type
  const size_t bracket = std::min(name.rfind(" [omp "), name.size());
  parts = WithoutBrackets(name.substr(0, bracket));
  parts.construct = name.substr(bracket);
  constexpr char kConst[] = " const";
  const size_t tail = parts.text.size() - std::min(parts.text.size(), sizeof kConst - 1);
  if (parts.text.compare(tail, std::string::npos, kConst) == 0) parts.text.resize(tail);
  DropReturnType(&parts);
  if (parts.text.empty()) {
    parts = {};
    parts.text = name;
  }
  return parts;
}

std::string ShortName(const std::string& name) {
  const NameParts parts = PartsOf(name);
  return parts.text + parts.construct;
}

void ShortNames::Set(const std::vector<std::string>& names) {
  longer_.clear();
  names_ = {names.begin(), names.end()};
  std::map<std::string, std::set<std::string>> by_short_name;
  for (const std::string& name : names_) by_short_name[ShortName(name)].insert(name);
  for (const auto& [brief, full] : by_short_name) {
    if (full.size() < 2) continue;
    Alike alike;
    for (const std::string& name : full) alike.Add(name);
    alike.TellApart();
    alike.ForEach([&, &brief = brief](const std::string& name, const std::string& shown) {
      if (shown != brief) longer_[name] = shown;
    });
  }
}

std::string ShortNames::Of(const std::string& name) const {
  const auto longer = longer_.find(name);
  return longer != longer_.end() ? longer->second : ShortName(name);
}

}  // namespace ompprof::analyze
