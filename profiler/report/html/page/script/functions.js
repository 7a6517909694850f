// The view of functions by cost.

function functionColumns(profile) {
  const {sampled_cpu_ns, functions} = profile.report;
  const wait = functions.reduce((sum, row) => sum + row.wait_ns, 0);
  const blame = functions.reduce((sum, row) => sum + row.blame_ns, 0);
  const cpu = metricsOf(profile).cpu;
  return declaredColumns(profile, "functions", {
    self_cpu_ns: {whole: sampled_cpu_ns, of: cpu.format(sampled_cpu_ns)},
    total_cpu_ns: {whole: sampled_cpu_ns, of: cpu.format(sampled_cpu_ns)},
    wait_ns: {whole: wait, of: formatDuration(wait)},
    blame_ns: {whole: blame, of: formatDuration(blame)},
    name: {action: "a click opens the function's stacks in the flame graph", value: (row) => row.short, meaning: (row) => row.name,
      cell: (row) => element("button", {type: "button", class: "link code", onclick: () => showInFlame(row.name)}, row.short)},
    file: {meaning: (row) => `${row.file || "source not known"}\n${row.module}`,
      cell: (row) => (row.file ? sourceLink(profile, row.file, row.line) : element("span", {class: "soft"}, baseName(row.module)))},
  });
}

function drawFunctions(profile) {
  const {functions, function_count} = profile.report;
  return card("Functions", sortedTable(functionColumns(profile), functions, {label: "functions", sort: 0, filter: (row) => `${row.name} ${row.file}`}),
    function_count > functions.length && element("p", {class: "soft"}, `These are the ${formatCount(functions.length)} largest of ${formatCount(function_count)} functions.`));
}
