// Functions by what they cost.

function functionColumns(profile) {
  const {sampled_cpu_ns, functions} = profile.report;
  const wait = functions.reduce((sum, row) => sum + row.wait_ns, 0);
  const blame = functions.reduce((sum, row) => sum + row.blame_ns, 0);
  const cpu = metricsOf(profile).cpu;
  const column = (label, member, whole, format, title) => ({label, title, value: (row) => row[member],
    cell: (row) => (row[member] ? shareCell(row[member], whole, row.ci95 && row.ci95[member] > 0 ? (ns) => formatMeasured(ns, true, row.ci95[member]) : format) : ""), meaning: (row) => `${formatShare(row[member], whole)} of ${format(whole)}: ${title}`});
  return [
    column("own", "self_cpu_ns", sampled_cpu_ns, cpu.format, `the function's own ${cpu.noun}, from samples`),
    column("total", "total_cpu_ns", sampled_cpu_ns, cpu.format, `${cpu.noun} of it and of what it calls, from samples`),
    column("waited", "wait_ns", wait, formatDuration, "wall time of waits of a sampling period or more that ended there; exact, or with ~ estimated"),
    column("blame", "blame_ns", blame, formatDuration, "thread-time that others waited while this code worked or held a lock"),
    {label: "function", text: true, title: "click for its stacks in the flame graph", value: (row) => row.short, meaning: (row) => row.name,
      cell: (row) => element("button", {type: "button", class: "link code", onclick: () => showInFlame(row.name)}, row.short)},
    {label: "where", text: true, title: "file and line of its declaration", value: (row) => row.file, meaning: (row) => `${row.file || "no source known"}\n${row.module}`,
      cell: (row) => (row.file ? sourceLink(profile, row.file, row.line) : element("span", {class: "soft"}, baseName(row.module)))},
  ];
}

function drawFunctions(profile) {
  const {functions, function_count} = profile.report;
  return card("Functions", sortedTable(functionColumns(profile), functions, {label: "functions", sort: 0, filter: (row) => `${row.name} ${row.file}`}),
    function_count > functions.length && element("p", {class: "soft"}, `The ${formatCount(functions.length)} largest of ${formatCount(function_count)}.`));
}
