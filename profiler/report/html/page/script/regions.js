// The view of parallel regions: costs, losses and threads of each.

const totalGain = (region) => Object.values(region.potential_gain_ns).reduce((sum, value) => sum + value, 0);

// A region's sum of waits, with its error.
const regionTime = (region, member) => formatMeasured(region[member], region.ci95[member] > 0, region.ci95[member]);

function regionColumns(profile) {
  const {duration_ns, sampled_cpu_ns, regions} = profile.report;
  const threads = profile.threads;
  const each = (values) => values.map((value, i) => value / Math.max(1, threads[i].threads));
  const meaning = (row, causes) => causes.map(([cause, value]) => `without ${cause.replaceAll("_", " ")}: ${formatDuration(value)} saved`).join("\n");
  const columns = declaredColumns(profile, "regions", {
    name: {value: (row) => row.short, meaning: (row) => `${row.name}\n${row.file}:${row.line}`,
      cell: (row) => element("a", {href: `#region/${row.index}`, class: "code"}, row.short)},
    cpu_ns: {whole: sampled_cpu_ns, of: `${formatWeight(profile, sampled_cpu_ns)} sampled`},
    elapsed_ns: {whole: duration_ns, of: "the run's wall time"},
    invocations: {meaning: (row) => `${formatCount(row.invocations)} instances`},
    team_size: {meaning: (row) => `teams of ${row.team_size_min} to ${row.team_size_max} threads`},
    gain_ns: {value: totalGain, cell: (row) => (totalGain(row) ? tilde(row.estimated, formatDuration(totalGain(row))) : ""),
      meaning: (row) => meaning(row, Object.entries(row.potential_gain_ns).filter(([, value]) => value > 0)) || "no potential gain"},
    imbalance: {meaning: (row) => `the busiest thread works ${formatShare(row.imbalance, 1)} longer than the mean thread`},
    "threads.useful": {value: (row) => spread(each(row.threads.useful)).most - spread(each(row.threads.useful)).least,
      cell: (row) => sparkline(each(row.threads.useful), "useful", sparkMeaning("work", each(row.threads.useful), (value) => formatWeight(profile, value), row.threads.samples), row.threads.samples), meaning: () => null},
    "threads.wait_ns": {value: (row) => spread(row.threads.wait_ns).sum,
      cell: (row) => sparkline(each(row.threads.wait_ns), "wait", sparkMeaning("waiting", each(row.threads.wait_ns), formatDuration)), meaning: () => null},
  });
  // A loss that is 0 in all regions needs no column.
  const losses = ["barrier_wait_ns", "lock_wait_ns", "task_wait_ns"];
  return columns.filter(({key}) => !losses.includes(key) || regions.some((region) => region[key] > 0));
}

const regionRows = (profile) => profile.report.regions.map((region, index) => ({...region, index, threads: profile.regions[index]}));

function drawRegions(profile) {
  const rows = regionRows(profile);
  const targets = targetsCard(profile);
  if (!rows.length && targets) return targets;
  if (!rows.length) return card("Regions", element("p", {}, "This profile has no parallel regions. Either the program has none, or no OpenMP runtime has started ompprof's tool."));
  const columns = regionColumns(profile);
  const regions = card("Regions", sortedTable(columns, rows, {label: "regions", sort: columnAt(columns, "gain_ns"), filter: (row) => row.name}),
    element("p", {class: "soft"}, "Sorted by the time that the run could save. A click on a heading sorts by it."));
  return targets ? element("div", {}, regions, targets) : regions;
}
