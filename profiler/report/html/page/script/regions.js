// Parallel regions: what each costs and loses, and the threads in it.

const totalGain = (region) => Object.values(region.potential_gain_ns).reduce((sum, value) => sum + value, 0);

// One of a region's sums of waits.
const regionTime = (region, member) => formatMeasured(region[member], region.ci95[member] > 0, region.ci95[member]);

function regionColumns(profile) {
  const {duration_ns, sampled_cpu_ns} = profile.report;
  const threads = profile.threads;
  const time = (label, member, title) => ({label, title, value: (row) => row[member], cell: (row) => (row[member] ? regionTime(row, member) : ""),
    meaning: (row) => `${regionTime(row, member)}: ${title}`});
  const each = (values) => values.map((value, i) => value / Math.max(1, threads[i].threads));
  const columns = [
    {label: "region", text: true, title: "parallel construct", value: (row) => row.short, meaning: (row) => `${row.name}\n${row.file}:${row.line}`,
      cell: (row) => element("a", {href: `#region/${row.index}`, class: "code"}, row.short)},
    {label: "CPU", title: "CPU time of all threads in it, regions nested in it included; from samples", value: (row) => row.cpu_ns,
      cell: (row) => shareCell(row.cpu_ns, sampled_cpu_ns, (value) => formatWeight(profile, value)), meaning: (row) => `${formatShare(row.cpu_ns, sampled_cpu_ns)} of ${formatWeight(profile, sampled_cpu_ns)} sampled`},
    {label: "elapsed", title: "wall time from begin to end, all instances; exact", value: (row) => row.elapsed_ns,
      cell: (row) => shareCell(row.elapsed_ns, duration_ns, formatDuration), meaning: (row) => `${formatShare(row.elapsed_ns, duration_ns)} of the run's wall time; exact`},
    {label: "runs", title: "instances begun; exact", value: (row) => row.invocations, cell: (row) => formatCount(row.invocations), meaning: (row) => `${formatCount(row.invocations)} instances`},
    {label: "threads", title: "mean of the team's sizes; exact", value: (row) => row.team_size, cell: (row) => String(+row.team_size.toFixed(1)), meaning: (row) => `teams of ${row.team_size_min} to ${row.team_size_max} threads`},
    {label: "gain", title: "wall time that the run would save without its losses (imbalance, locks, tasks, runtime), each by itself, added up; computed", value: totalGain,
      cell: (row) => (totalGain(row) ? tilde(row.estimated, formatDuration(totalGain(row))) : ""), meaning: (row) => Object.entries(row.potential_gain_ns).filter(([, value]) => value > 0).map(([cause, value]) => `without ${cause.replaceAll("_", " ")}: ${formatDuration(value)} saved`).join("\n") || "nothing to gain"},
    {label: "imbalance", title: "maximum / mean of the threads' useful time, less 1; exact, or with ~ estimated", value: (row) => row.imbalance, cell: (row) => tilde(row.estimated, formatShare(row.imbalance, 1)), meaning: (row) => `the busiest thread works ${formatShare(row.imbalance, 1)} longer than the mean`},
    time("barriers", "barrier_wait_ns", "thread-time at its barriers; exact, or with ~ estimated"),
    time("locks", "lock_wait_ns", "thread-time for locks, criticals, ordered and atomic constructs; exact, or with ~ estimated"),
    time("tasks", "task_wait_ns", "thread-time in taskwait and taskgroup with nothing to run; exact, or with ~ estimated"),
    {label: "work by thread", title: "CPU time of each thread in the region, waiting left out; from samples", value: (row) => spread(each(row.threads.useful)).most - spread(each(row.threads.useful)).least,
      cell: (row) => sparkline(each(row.threads.useful), "useful", sparkMeaning("work", each(row.threads.useful), (value) => formatWeight(profile, value))), meaning: () => null},
    {label: "waits by thread", title: "wall time that each thread waited in the region; exact, or where the region's waits have a ~ estimated", value: (row) => spread(row.threads.wait_ns).sum,
      cell: (row) => sparkline(each(row.threads.wait_ns), "wait", sparkMeaning("waiting", each(row.threads.wait_ns), formatDuration)), meaning: () => null},
  ];
  // What nothing was lost to needs no column.
  const losses = {barriers: "barrier_wait_ns", locks: "lock_wait_ns", tasks: "task_wait_ns"};
  return columns.filter(({label}) => !losses[label] || profile.report.regions.some((region) => region[losses[label]] > 0));
}

const regionRows = (profile) => profile.report.regions.map((region, index) => ({...region, index, threads: profile.regions[index]}));

function drawRegions(profile) {
  const rows = regionRows(profile);
  if (!rows.length) return card("Regions", element("p", {}, "There are no parallel regions in this profile: the program has none, or its OpenMP runtime offered no OMPT."));
  return card("Regions", sortedTable(regionColumns(profile), rows, {label: "regions", sort: 1, filter: (row) => row.name}));
}
