// The comparison of two runs.

const differenceFlame = {direction: "down", metric: "cpu", colouring: "change", view: "user", recursion: "folded", focus: "", search: "", range: null, thread: null};

function changeCell(before, after, format) {
  const kind = after > before ? "up" : after < before ? "down" : null;
  return element("span", {class: kind}, `${after >= before ? "+" : "−"}${format(Math.abs(after - before))}`);
}

// Pairs two lists by name, to rows {name, before, after}. `member(row)` is the compared figure.
function paired(before, after, member) {
  const rows = new Map();
  const add = (list, side) => list.forEach((row) => {
    if (!rows.has(row.name)) rows.set(row.name, {name: row.name, short: row.short, before: 0, after: 0});
    rows.get(row.name)[side] += member(row);
  });
  add(before, "before");
  add(after, "after");
  return [...rows.values()].filter((row) => row.before > 0 || row.after > 0);
}

function differenceTable(label, rows, format, title) {
  return sortedTable([
    {label: "before", title: `${title}, in the profile before`, value: (row) => row.before, cell: (row) => format(row.before)},
    {label: "after", title: `${title}, in this profile`, value: (row) => row.after, cell: (row) => format(row.after)},
    {label: "change", title: "after - before; sorted by its size", value: (row) => Math.abs(row.after - row.before), cell: (row) => changeCell(row.before, row.after, format)},
    {label: "in percent", title: "change / before", value: (row) => (row.before ? row.after / row.before : Infinity), cell: (row) => changeText(row.before, row.after)},
    {label: "name", text: true, title: label, value: (row) => row.short, meaning: (row) => row.name, cell: (row) => element("span", {class: "code"}, row.short)},
  ], rows, {label, sort: 2, filter: (row) => row.name});
}

function drawDifference(profile) {
  const {before, report} = profile;
  const cpu = metricsOf(profile).cpu;
  const pairs = [["wall time", before.duration_ns, report.duration_ns, formatDuration], ["CPU time", before.cpu_ns, report.cpu_ns, formatDuration]];
  const tiles = pairs.map(([label, from, to, format]) => element("div", {class: "tile", title: `${label}: ${format(from)} before, ${format(to)} now`},
    element("div", {class: "value"}, changeText(from, to)), element("div", {class: "label"}, `${label}, was ${format(from)}`)));
  if (before.efficiency.threads && report.efficiency.threads) {
    tiles.push(element("div", {class: "tile", title: "busy threads / threads"}, element("div", {class: "value"}, `${formatShare(report.efficiency.parallel, 1)}`),
      element("div", {class: "label"}, `parallel efficiency, was ${formatShare(before.efficiency.parallel, 1)}`)));
  }
  const panel = flamePanel(profile, differenceFlame, {compare: true, label: "Flame graph of both runs"});
  return element("div", {}, element("div", {class: "tiles"}, tiles),
    card("Stacks: width is this profile's time, colour is the change", panel.node),
    element("div", {class: "columns"},
      card("Functions", differenceTable("functions", paired(before.functions, report.functions, (row) => row.self_cpu_ns), cpu.format, `own ${cpu.noun}, from samples`)),
      card("Regions", differenceTable("regions", paired(before.regions, report.regions, (row) => row.elapsed_ns), formatDuration, "wall time, added up over instances; exact"))));
}
