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

// What would name the functions without a name.
function unnamedNotes(profile) {
  const {unnamed, sampled_cpu_ns} = profile.report;
  if (!unnamed) return [];
  const share = (part) => formatShare(part, sampled_cpu_ns);
  const notes = unnamed.python_note ? [unnamed.python_note] : [];
  if (unnamed.noticeable && unnamed.objects.length) {
    const files = unnamed.objects.map((row) => `${baseName(row.path)} (${share(row.cpu_ns)}${row.command && `, ${row.command}`})`);
    notes.unshift(`${share(unnamed.cpu_ns)} of the time is in functions without a name. Debug symbols of these files would name them: ${files.join("; ")}.`);
  }
  return notes.map((note) => element("p", {class: "soft"}, note));
}

function drawFunctions(profile) {
  const {functions, function_count} = profile.report;
  const columns = [...functionColumns(profile), {label: "more", text: true, title: "other views of the function", meaning: () => null, cell: (row) => element("span", {class: "together"}, [callsLink(row.name, "callers"), codeLink(profile, row.name)].filter(Boolean).map((link, i) => [i > 0 && " · ", link]))}];
  return card("Functions", sortedTable(columns, functions, {label: "functions", sort: 0, filter: (row) => `${row.name} ${row.file}`}),
    function_count > functions.length && element("p", {class: "soft"}, `These are the ${formatCount(functions.length)} largest of ${formatCount(function_count)} functions.`),
    unnamedNotes(profile));
}
