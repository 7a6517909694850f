// The view of one region.

function facts(list) {
  return element("dl", {class: "facts-grid"}, list.flatMap(([label, value, meaning]) => [
    element("dt", {title: meaning}, label), element("dd", {title: meaning}, value)]));
}

// Bars for the useful time of the least busy, the mean and the busiest thread.
function usefulRange(region) {
  const {min, mean, max} = region.useful_ns;
  const bar = (label, value, meaning) => [element("span", {class: "name", title: meaning}, label),
    stackedBar([{name: "work", value, from: region.estimated ? "estimated" : "exact"}], region.elapsed_ns, formatDuration), quantity(tilde(region.estimated, formatDuration(value)), meaning)];
  return element("div", {class: "threads range-bars"},
    bar("least busy", min, "useful time of each instance's least busy thread, added up; the bar's end is the elapsed time; exact, or with ~ estimated"),
    bar("mean", mean, "mean useful time of a thread; the bar's end is the elapsed time; exact, or with ~ estimated"),
    bar("busiest", max, "useful time of each instance's busiest thread, added up; the bar's end is the elapsed time; exact, or with ~ estimated"));
}

function regionFacts(profile, region) {
  const {duration_ns} = profile.report;
  const inside = region.barrier_wait_ns - region.end_wait_ns;
  const waits = [
    ["end_wait_ns", "waiting for the last thread", "thread time from a thread's arrival at the barrier at the region's end to the region's end: no work was left for the thread; exact, or with ~ estimated"],
    ["barrier_wait_ns", "waiting at all barriers", "thread time at all barriers of the region, with the barrier at its end; exact, or with ~ estimated"],
    ["lock_wait_ns", "waiting for locks", "thread time waiting for locks, criticals, ordered and atomic constructs; exact, or with ~ estimated"],
    ["task_wait_ns", "waiting for tasks", "thread time in taskwait and taskgroup with no task to run; exact, or with ~ estimated"],
  ].filter(([member]) => region[member] > 0 && (member !== "barrier_wait_ns" || inside > region.barrier_wait_ns / 1000))
    .map(([member, label, meaning]) => [label, regionTime(region, member), meaning]);
  return card("Time of the region", usefulRange(region), facts([
    ["elapsed", `${formatDuration(region.elapsed_ns)} (${formatShare(region.elapsed_ns, duration_ns)})`, "wall time from begin to end, added up over instances, and its share of the run; exact"],
    ["instances", formatCount(region.invocations), "number of instances begun; exact"],
    ["each", formatDuration(region.invocations ? region.elapsed_ns / region.invocations : 0), "mean wall time of an instance; exact"],
    ["threads", `${+region.team_size.toFixed(2)} (${region.team_size_min} to ${region.team_size_max})`, "mean team size, and the smallest and largest; exact"],
    ["imbalance", tilde(region.estimated, formatShare(region.imbalance, 1)), "how much longer the busiest thread works than the mean thread; exact, or with ~ estimated"],
    ...waits,
  ]));
}

function regionLosses(profile, region) {
  const ofWaits = ["imbalance", "serialization", "task_wait"];
  const list = (members, meaning) => {
    const rows = Object.entries(members).filter(([, value]) => value > 0)
      .map(([name, value]) => [name.replaceAll("_", " "), tilde(region.estimated && ofWaits.includes(name), formatDuration(value)), meaning]);
    return rows.length ? facts(rows) : element("p", {class: "soft"}, "nothing");
  };
  return card("Losses", element("h3", {title: "each cause alone, all else unchanged; computed"}, "Potential gain: wall time that the run would save without"),
    list(region.potential_gain_ns, "wall time that the run would save without this cause, all else unchanged; computed"),
    element("h3", {title: "from samples"}, "CPU time in the OpenMP runtime, without waits"),
    list(region.overhead_cpu_ns, "CPU time in the runtime in no state of waiting, by the program's purpose in calling it; from samples"));
}

function regionThreads(profile, region) {
  const {useful, samples, wait_ns, wait_by_class} = region.threads;
  const from = region.estimated ? "estimated in part" : "exact";
  const present = useful.map((value, i) => i).filter((i) => useful[i] > 0 || wait_ns[i] > 0);
  const longest = Math.max(1, ...present.map((i) => (profile.eventsCounted ? wait_ns[i] : useful[i] + wait_ns[i]) / profile.threads[i].threads));
  // Instances of a nested region overlap, so its elapsed time is no thread's time.
  const scaled = region.nesting_level === 0 && region.elapsed_ns >= longest;
  const most = scaled ? region.elapsed_ns : longest;
  const parts = (i) => [
    {name: "work", value: profile.eventsCounted ? 0 : useful[i], from: "CPU time in the region, from samples"},
    ...Object.entries(wait_by_class).map(([name, waited]) => ({name, value: waited[i], from}))].filter(({value}) => value > 0);
  return card("Threads", legend(["work", ...Object.keys(wait_by_class)]), element("div", {class: present.length > 24 ? "threads many" : "threads"}, present.flatMap((i) => [
    element("span", {class: "name", title: profile.threads[i].name}, `${profile.threads[i].threads > 1 ? "" : "thread "}${profile.threads[i].label}`),
    stackedBar(parts(i), most * profile.threads[i].threads, formatDuration, samples[i] < fewSamples),
    element("span", {}, quantity(formatWeight(profile, useful[i]), `work: CPU time in the region, from ${formatCount(samples[i])} samples`), " + ", quantity(tilde(region.estimated, formatDuration(wait_ns[i])), `waiting in the region: wall time, ${from}`))])),
    element("p", {class: "soft"}, `Work is CPU time, from samples${present.some((i) => samples[i] < fewSamples) ? ` (dashed: fewer than ${fewSamples}, so differences mean little)` : ""}; waits are wall time, ${from}. ${scaled ? `A full bar is the region's elapsed time: the empty part is time off the processors, in nested regions, or in teams without the thread.` : "The bars have no time off the processors, and no nested regions."}`));
}

function regionTables(profile, region) {
  const time = (label, member, title) => ({label, title, value: (row) => row[member], cell: (row) => formatDuration(row[member])});
  const count = (label, member, title) => ({label, title, value: (row) => row[member], cell: (row) => formatCount(row[member])});
  const text = (label, member, title) => ({label, title, text: true, value: (row) => row[member], cell: (row) => row[member] || "not known"});
  const cards = [];
  if (region.threads.last.length) {
    cards.push(card("Threads that came last to barriers", sortedTable([
      text("thread", "thread", "the thread's number"), text("barrier", "at", "the barrier's place"),
      count("times last", "count", "how often this thread came last; exact"), time("by", "by_ns", "how much later than the previous thread, added up; exact")],
    region.threads.last, {label: "last arrivers", sort: 3})));
  }
  if (region.loops.length) {
    cards.push(card("Loops and other worksharing", sortedTable([
      text("kind", "kind", "as far as the runtime tells"), text("where", "at", "file and line"),
      count("executions", "executions", "one for each thread and each time; exact"), count("iterations", "iterations", "added up over executions, as far as the runtime tells"),
      {...count("chunks", "chunks", "added up over executions"), cell: (row) => (row.chunks ? formatCount(row.chunks) : "not known")}],
    region.loops, {label: "loops", sort: 2})));
  }
  if (region.threads.waits.length) {
    cards.push(card("Where threads waited", sortedTable([
      {...text("kind", "state", "the OpenMP state"), cell: (row) => [element("i", {class: `c-${row.class} swatch`}), row.state]},
      text("where", "at", "file and line of the construct that waits"), count("waits", "count", "number of waits; exact"), {...time("waited", "wait_ns", "thread time; exact, or with ~ estimated"), cell: (row) => formatMeasured(row.wait_ns, row.estimated, row.ci95)}, time("longest", "max_ns", "the longest wait; exact")],
    region.threads.waits, {label: "waits", sort: 3})));
  }
  return cards;
}

// The call paths that reach the region, with the region's costs on each path.
function regionPaths(profile, region) {
  if (!region.paths.length) return null;
  const sum = region.paths.reduce((all, path) => all + path.cpu_ns, 0);
  const column = (label, title, value, format) => ({label, title, value, cell: (path) => format(value(path))});
  const ofRuns = (format) => (path, value) => (path.runs ? format(value, path) : "–");
  const runs = "instances on this path with a sample or a wait of a sampling period";
  const counted = (label, title, value, format) => ({...column(label, title, value, format), cell: (path) => ofRuns(format)(path, value(path))});
  const left = region.path_count - region.paths.length;
  return card("Call paths", sortedTable([
    {...column(metricsOf(profile).cpu.noun, "in the region on this path, nested regions included; share of the paths listed here; from samples", (path) => path.cpu_ns),
      cell: (path) => shareCell(path.cpu_ns, sum, (value) => formatWeight(profile, value))},
    {...column("waited", "thread time of waits of a sampling period or more; exact, or with ~ estimated", (path) => path.wait_ns, formatDuration),
      cell: (path) => formatMeasured(path.wait_ns, path.ci95.wait_ns > 0, path.ci95.wait_ns)},
    counted("runs", `${runs}; exact`, (path) => path.runs, formatCount),
    counted("elapsed", `wall time of the ${runs}; exact`, (path) => path.elapsed_ns, formatDuration),
    counted("imbalance", `how much longer the busiest thread works than the mean thread, in the ${runs}; exact, or with ~ estimated`, (path) => path.imbalance, (value, path) => tilde(path.estimated, formatShare(value, 1))),
    {label: "called by", title: "callers, outermost first", text: true, value: (path) => path.callers.join(" → "),
      cell: (path) => element("span", {class: "code wrap"}, path.callers.join(" → ") || "(no caller)")}],
  region.paths, {label: "call paths", sort: 0}),
  left > 0 && element("p", {class: "soft"}, `${formatCount(left)} paths with less time are left out. "ompprof report --format=json" lists all paths.`));
}

function drawRegion(profile, number) {
  const region = regionRows(profile)[Number(number)];
  if (!region) return card("No such region", element("a", {href: "#regions"}, "All regions"));
  return element("div", {},
    element("p", {}, element("a", {href: "#regions"}, "← All regions")),
    element("div", {class: "toolbar"}, element("h1", {class: "code", title: region.name}, region.short), region.file && sourceLink(profile, region.file, region.line),
      element("button", {type: "button", onclick: () => showInFlame(region.name)}, "Show in the flame graph")),
    element("div", {class: "columns"}, element("div", {}, regionFacts(profile, region), regionLosses(profile, region)),
      element("div", {}, regionThreads(profile, region), regionTables(profile, region), regionPaths(profile, region))));
}
