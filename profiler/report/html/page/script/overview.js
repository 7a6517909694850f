// The first view: efficiency, advice, hottest functions, threads, states.

// The figures that the page's head does not have.
function efficiencyTiles(profile) {
  const {efficiency, overhead} = profile.report;
  const tiles = [];
  if (profile.waitsKnown) {
    const about = (text) => tilde(efficiency.estimated, text);
    tiles.push(
      [`${about(formatFactor(efficiency.busy_threads))} of ${formatCount(efficiency.threads)}`, "threads busy on average", "the threads' useful time / wall time; useful time is on a processor and has no waits, no time in MPI and no time of ompprof"],
      [about(formatShare(efficiency.parallel, 1)), "parallel efficiency", "busy threads / threads = load balance x busiest thread"],
      [about(formatShare(efficiency.load_balance, 1)), "load balance", "mean / maximum of the threads' useful time; 100 % if all threads work equally long"],
      [about(formatShare(efficiency.communication, 1)), "busiest thread", "the busiest thread's useful time / wall time; the rest is the busiest thread's own waiting"],
      [formatShare(efficiency.serial_fraction, 1), "serial", "share of wall time in no region of more than one thread"],
      [efficiency.speedup_bound > 0 && efficiency.speedup_bound <= 100 ? `${formatFactor(efficiency.speedup_bound)} ×` : "none", "speedup bound", "Amdahl's bound: how many times faster any number of threads can make the run; bounds above 100 are left out"]);
  }
  tiles.push([formatShare(overhead.collector_percent, 100), overhead.collector_percent > 5 ? "taken by ompprof; see the notes" : "taken by ompprof", "samples in the profiler's own code, which no function, region or advice contains; its signals and its thread; and an estimate of what the OpenMP runtime does because a tool is there"]);
  return element("div", {class: "tiles"}, tiles.map(([value, label, meaning]) =>
    element("div", {class: "tile", title: meaning}, element("div", {class: "value"}, value), element("div", {class: "label"}, label))));
}

// Where the time of all threads went: useful, and each kind of loss.
function accountCard(profile) {
  const {efficiency, regions} = profile.report;
  if (!profile.waitsKnown || !efficiency.threads) return null;
  const whole = efficiency.threads * efficiency.duration_ns;
  const wall = "wall time of all threads";
  const parts = [["work", efficiency.useful_ns], ["barrier", efficiency.barrier_ns], ["lock", efficiency.lock_ns], ["tasks", efficiency.task_ns], ["target", efficiency.device_wait_ns],
    ["idle", efficiency.idle_ns], ["ready", efficiency.ready_ns], ["blocked", efficiency.blocked_ns], ["mpi", efficiency.mpi_ns], ["library", efficiency.library_wait_ns], ["ompprof", efficiency.ompprof_ns]]
    .map(([name, value]) => ({name, value, from: wall})).filter(({value}) => value > 0);
  const losses = regions.map((region) => region.barrier_wait_ns + region.task_wait_ns + region.lock_wait_ns + region.ready_ns + region.blocked_ns).filter((ns) => ns > 0);
  // The useful share is the parallel efficiency, which has a tile.
  const label = ({name, value}) => (name === "work" ? "useful" : `${timeClasses[name].label} ${formatShare(value, whole)}`);
  return card("Where the threads' time went", stackedBar(parts, whole, formatDuration),
    element("div", {class: "legend"}, parts.map((part) => element("span", {class: "key", title: `${formatDuration(part.value)}, ${formatShare(part.value, whole)} of ${formatDuration(whole)} of thread time: ${timeClasses[part.name].meaning}`}, element("i", {class: `c-${part.name}`}), label(part)))),
    element("p", {class: "soft"}, "The full bar is the wall time of all threads. Useful time is on a processor and does not wait.",
      losses.length > 1 ? ` The losses are in ${formatCount(losses.length)} regions, and the largest has ${formatShare(Math.max(...losses), whole)}.` : null));
}

// A link to the region that the advice is about, if there is one.
function advicePlace(profile, where) {
  const region = profile.report.regions.findIndex(({short, name}) => short && (where === short || where === name || where.endsWith(` in ${short}`)));
  return region >= 0 ? element("a", {href: `#region/${region}`}, where) : where;
}

// Possible savings for which no change is suggested, and why.
function refusedList(profile) {
  const {advice_refused, duration_ns} = profile.report;
  if (!advice_refused.length) return null;
  return element("details", {}, element("summary", {}, `Possible savings without advice: ${formatCount(advice_refused.length)}`),
    element("ul", {class: "refused"}, advice_refused.map(({where, cause, text, gain_ns}) => element("li", {},
      element("span", {class: "num", title: "wall time that the run would save without this loss, all else unchanged; computed"}, `${formatDuration(gain_ns)} (${formatShare(gain_ns, duration_ns)})`),
      " · ", advicePlace(profile, where), `, ${cause.replaceAll("_", " ")}: ${text}`))));
}

function adviceList(profile, advice) {
  const {duration_ns} = profile.report;
  return element("ol", {class: "advice"}, advice.map(({where, text, evidence, kind, gain_ns, estimated, ci95}) => element("li", {},
    element("div", {}, gain_ns > 0 && element("span", {class: "gain num", title: "wall time that the change would save, all else unchanged; computed"},
      `saves ${["serial-part", "idle-device"].includes(kind) ? "up to" : "at least"} ${formatMeasured(gain_ns, estimated, ci95)} (${formatShare(gain_ns, duration_ns)})`), gain_ns > 0 ? " · " : null, advicePlace(profile, where)),
    element("div", {}, text),
    element("div", {class: "soft"}, evidence))));
}

// What to change in the program, and then in the measurement.
function adviceCard(profile) {
  const {advice, disturbance} = profile.report;
  if (!profile.waitsKnown) {
    return card("What to change", element("p", {class: "soft"}, "Not known: advice needs the waits that an OpenMP runtime reports (OMPT), and the profile has no waits."));
  }
  const refused = refusedList(profile);
  const banner = disturbance ? element("p", {class: "disturbance"}, disturbance[0].toUpperCase() + disturbance.slice(1)) : null;
  if (!advice.length) {
    return card("What to change", banner, element("p", {}, refused || disturbance ? "No change is suggested." : "No change would save 3 % of the run or more."), refused);
  }
  const program = advice.filter(({about}) => about === "program");
  const measurement = advice.filter(({about}) => about === "measurement");
  return card("What to change", banner, program.length > 0 && adviceList(profile, program),
    measurement.length > 0 && element("h4", {}, "In this measurement"), measurement.length > 0 && adviceList(profile, measurement), refused);
}

function threadsCard(profile) {
  const {threads} = profile;
  const wholes = threads.map((thread) => threadParts(profile, thread).reduce((sum, {value}) => sum + value, 0));
  const most = Math.max(...threads.map((thread, i) => (profile.waitsKnown ? thread.lifetime_ns : wholes[i]) / Math.max(1, thread.threads)), 1);
  const format = (value) => (profile.waitsKnown ? formatDuration(value) : formatWeight(profile, value));
  const rows = threads.flatMap((thread, i) => {
    const parts = threadParts(profile, thread);
    const busy = parts.filter(({name}) => !waitingClasses.has(name)).reduce((sum, {value}) => sum + value, 0);
    const meaning = `${thread.name ? `${thread.name}; ` : ""}${thread.threads > 1 ? `${formatCount(thread.threads)} threads, ` : ""}CPU time ${formatDuration(thread.cpu_ns)}${thread.placement ? `; processors: ${thread.placement}` : ""}`;
    return [element("span", {class: "name", title: `${meaning}; a click shows the stacks of ${thread.threads > 1 ? "these threads" : "this thread"}`},
      profileHasThreads(profile) ? element("button", {type: "button", class: "link", onclick: () => showThread(i)}, threadLabel(thread)) : threadLabel(thread)),
      stackedBar(parts, most * thread.threads, format),
      quantity(formatShare(busy, wholes[i]), `at work: ${format(busy)} of ${format(wholes[i])}`)];
  });
  const used = [...profile.classes, "ready", "blocked"].filter((name) => threads.some((thread) => threadParts(profile, thread).some((part) => part.name === name)));
  return card(threads.some((thread) => thread.threads > 1) ? "Threads, in groups" : "Threads", legend(used),
    element("div", {class: threads.length > 24 ? "threads many" : "threads"}, rows),
    element("p", {class: "soft"}, profile.waitsKnown ? `Waits are wall time, ${profile.report.efficiency.estimated ? "estimated in part" : "exact"}. Time off the processor comes from the thread's clocks. The rest is work, divided by the thread's samples.`
      : "CPU time by state, from samples. Sleeping threads use no CPU time."));
}

function statesCard(profile) {
  const {states, sampled_cpu_ns} = profile.report;
  const rows = Object.entries(states).map(([name, state]) => ({name: printable(name), ...state}));
  const wait = rows.reduce((sum, row) => sum + row.wait_ns, 0);
  const classes = new Map(profile.states.map((state) => [state.name, state.class]));
  const columns = declaredColumns(profile, "states", {
    state: {value: (row) => row.name, meaning: (row) => row.name,
      cell: (row) => [element("i", {class: `c-${classes.get(row.name) || "unknown"} swatch`}), row.plain]},
    cpu_ns: {whole: sampled_cpu_ns, of: formatWeight(profile, sampled_cpu_ns)},
    wait_ns: {whole: wait, of: `${formatDuration(wait)} that all threads waited`},
  });
  return card("States", sortedTable(columns, rows, {label: "states", sort: columnAt(columns, "cpu_ns")}));
}

// The functions with the largest costs, and their blame. Waiting has a table of its own.
function hottestCard(profile) {
  const rows = profile.report.functions.filter(({waits}) => !waits).sort((a, b) => b.self_cpu_ns - a.self_cpu_ns).slice(0, 8);
  const wanted = ["self_cpu_ns", "blame_ns", "name"];
  const columns = functionColumns(profile).filter(({key}) => wanted.includes(key));
  return card("Hottest functions", sortedTable(columns, rows, {label: "hottest functions", sort: 0}),
    element("p", {class: "soft"}, element("a", {href: "#functions"}, "All functions"), " · ", element("a", {href: "#flame"}, "Flame graph")));
}

// The places with the longest waits in regions.
function waitsCard(profile) {
  const rows = profile.regions.flatMap((region, index) => region.waits.map((wait) => ({...wait, index, region: profile.report.regions[index].short})))
    .sort((a, b) => b.wait_ns - a.wait_ns).slice(0, 8);
  if (!rows.length) return null;
  return card("Where threads waited", sortedTable([
    {label: "waited", title: "thread time, spinning or asleep; exact, or with ~ estimated", value: (row) => row.wait_ns, cell: (row) => formatMeasured(row.wait_ns, row.estimated, row.ci95)},
    {label: "waits", title: "number of waits", value: (row) => row.count, cell: (row) => formatCount(row.count)},
    {label: "for", text: true, title: "what threads waited for", value: (row) => row.state, cell: (row) => [element("i", {class: `c-${row.class} swatch`}), row.state]},
    {label: "at", text: true, title: "file and line of the construct that waits; a click opens its region", value: (row) => row.at, meaning: (row) => row.region,
      cell: (row) => element("a", {href: `#region/${row.index}`, class: "code"}, row.at || row.region)},
  ], rows, {label: "waits", sort: 0}));
}

// A rank's name; in a unified job, a link to the rank in the view of ranks.
function rankLink(profile, {rank, process, host}) {
  const label = rank || `pid ${process}`;
  const index = profile.ranks ? profile.ranks.findIndex((known) => known.pid === process && known.host === host && known.ranks === 1) : -1;
  return index < 0 ? label : element("a", {href: `#ranks/${index}`}, label);
}

// Compares the processes, if there are several.
function ranksCard(profile) {
  const ranks = profile.report.ranks || [];
  const launchers = profile.report.launchers || [];
  if (!ranks.length || ranks.length + launchers.length < 2) return null;
  const most = Math.max(...ranks.map((rank) => rank.duration_ns));
  const columns = declaredColumns(profile, "ranks", {
    rank: {value: (row) => (row.rank === "" ? row.process : Number(row.rank)), cell: (row) => rankLink(profile, row), meaning: (row) => `pid ${row.process} on ${row.host}`},
    duration_ns: {whole: most, of: "the longest rank"},
  });
  const names = [...new Set(launchers.map(({program}) => program))].sort().join(", ");
  return card("Ranks", sortedTable(columns, ranks, {label: "ranks", sort: columnAt(columns, "duration_ns")}),
    launchers.length > 0 && element("p", {class: "soft"}, `${formatCount(launchers.length)} ${launchers.length > 1 ? "others" : "other"}, not counted in the table: ${names}`));
}

// Compares the processes in each parallel region, with the process that is late there.
function rankRegionsCard(profile) {
  const most = 24;
  const rows = (profile.report.rank_regions || []).slice(0, most);
  if (!rows.length) return null;
  const name = (rank, pid) => rank || `pid ${pid}`;
  const columns = declaredColumns(profile, "rank_regions", {
    name: {cell: (row) => element("span", {class: "code"}, row.short), meaning: (row) => row.name},
    late_rank: {cell: (row) => name(row.late_rank, row.late_process)},
    most_mpi_rank: {cell: (row) => (row.most_mpi_cpu_ns ? `${name(row.most_mpi_rank, row.most_mpi_process)}: ${formatWeight(profile, row.most_mpi_cpu_ns)}` : "")},
  });
  return card("Regions and their late ranks", sortedTable(columns, rows, {label: "regions by rank", sort: columnAt(columns, "late_by_cpu_ns")}),
    element("p", {class: "soft"}, "Time in MPI is of the whole run. A profile does not tell for which rank the others waited there."));
}

// What a unified job's overview has of the view of ranks.
function lateRanksCard(profile) {
  const most = 5;
  const far = profile.ranks.map((rank, index) => ({rank, index})).filter(({rank}) => rank.reason)
    .sort((a, b) => b.rank.distance - a.rank.distance).slice(0, most);
  const all = profile.ranks.reduce((sum, {ranks}) => sum + ranks, 0);
  return [card("Ranks", element("p", {}, `${formatCount(all)} ranks are one tree here. `, element("a", {href: "#ranks"}, "What each rank did")),
    far.length > 0 && element("ul", {}, far.map(({rank, index}) => element("li", {}, element("a", {href: `#ranks/${index}`}, rankTitle(rank)), `: ${rank.reason}`)))), rankRegionsCard(profile)];
}

// The program's phases, if it pushes labels.
function phasesCard(profile) {
  const rows = Object.entries(profile.report.phases || {}).map(([name, phase]) => ({name: printable(name), ...phase}));
  if (!rows.length) return null;
  const {sampled_cpu_ns} = profile.report;
  const of = metricsOf(profile).cpu.format(sampled_cpu_ns);
  const columns = declaredColumns(profile, "phases", {total_cpu_ns: {whole: sampled_cpu_ns, of}, cpu_ns: {whole: sampled_cpu_ns, of}});
  return card("Phases", sortedTable(columns, rows, {label: "phases", sort: columnAt(columns, "total_cpu_ns")}));
}

function overTimeCard(profile) {
  const title = "Over time";
  if (!profile.timeline) return card(title, noTimeline(profile));
  const host = element("div");
  const chart = card(title, legend([...classesOverTime(profile), "gap"]), host, element("p", {class: "soft"}, "Living threads by state: waits of a sampling period or more, and samples. Threads off the processor take no samples; \"Threads\" tells whether they were ready or blocked. ", element("a", {href: "#timeline"}, "Each thread")));
  drawOverTime(profile, host);
  return chart;
}

function notesCard(profile) {
  const {notes, complete} = profile.report;
  const all = complete ? notes : ["The profile has no end: the program was killed or is still running, and its last second may be missing.", ...notes];
  return all.length ? card("Notes", element("ul", {}, all.map((note) => element("li", {}, note)))) : null;
}

function drawOverview(profile) {
  return element("div", {}, efficiencyTiles(profile), accountCard(profile),
    element("div", {class: "columns"}, element("div", {}, adviceCard(profile), hottestCard(profile), waitsCard(profile), notesCard(profile)), element("div", {}, threadsCard(profile), devicesCard(profile), overTimeCard(profile))),
    profile.ranks ? lateRanksCard(profile) : [ranksCard(profile), rankRegionsCard(profile)], phasesCard(profile), statesCard(profile));
}
