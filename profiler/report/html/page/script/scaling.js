// The page of `ompprof scale`: speed-up against the ideal, and where the threads' time went with each number of threads.

// The parts of the account, in the order of the bars, with the class of each.
const scalingParts = [
  ["work_inflation_ns", "inflation"], ["in_the_OpenMP_runtime_ns", "overhead"], ["at_barriers_ns", "barrier"],
  ["waiting_for_tasks_ns", "tasks"], ["waiting_for_locks_ns", "lock"], ["waiting_for_devices_ns", "target"],
  ["idle_between_regions_ns", "idle"], ["ready_without_a_processor_ns", "ready"], ["blocked_outside_OpenMP_ns", "blocked"],
  ["in_MPI_ns", "mpi"], ["waiting_outside_OpenMP_ns", "library"], ["in_ompprof_ns", "ompprof"],
];
const shownRegions = 5;
const lineColours = ["var(--accent)", "#e8743b", "#2db88b", "#d997bd", "#b58900", "#7fa8d9"];
const threadsText = (count) => `${formatCount(count)} ${count === 1 ? "thread" : "threads"}`;
const placeOf = ({file, line}) => (file ? `${file}${line ? `:${line}` : ""}` : "");

// The lines of the chart: the run, and the regions that took most of the first point's time. A value may be missing.
function speedLines({points, regions}) {
  const speedup = (values) => values.map((ns) => (ns > 0 && values[0] > 0 ? values[0] / ns : null));
  const largest = regions.filter(({points: times}) => times[0].elapsed_ns > 0)
    .sort((a, b) => b.points[0].elapsed_ns - a.points[0].elapsed_ns).slice(0, shownRegions);
  return [{name: "the run", values: points.map((point) => point.speedup)},
    ...largest.map((region) => ({name: region.short, full: region.name, values: speedup(region.points.map((point) => point.elapsed_ns))}))];
}

function speedupChart(scaling) {
  const {points} = scaling;
  const [width, height, left, bottom] = [640, 340, 44, 40];
  const lines = speedLines(scaling);
  const ideal = (point) => point.threads / points[0].threads;
  const most = Math.max(1, ...lines.flatMap(({values}) => values.filter((value) => value !== null)), ideal(points[points.length - 1])) * 1.05;
  const x = d3.scaleLinear([0, points[points.length - 1].threads * 1.04], [left, width - 12]);
  const y = d3.scaleLinear([0, most], [height - bottom, 12]);
  const path = (values) => values.map((value, i) => (value === null ? null : `${x(points[i].threads)},${y(value)}`)).filter(Boolean).join(" ");
  const svg = svgElement("svg", {viewBox: `0 0 ${width} ${height}`, class: "speedup", role: "img",
    "aria-label": `speed-up by threads: ${points.map((point) => `${point.threads}: ${formatFactor(point.speedup)}`).join(", ")}`});
  for (const tick of y.ticks(5)) {
    svg.append(svgElement("line", {class: "axis", x1: left, x2: width - 12, y1: y(tick), y2: y(tick)}),
      svgElement("text", {x: left - 6, y: y(tick) + 4, "text-anchor": "end"}, tick));
  }
  for (const {threads} of points) svg.append(svgElement("text", {x: x(threads), y: height - bottom + 18, "text-anchor": "middle"}, threads));
  svg.append(svgElement("text", {x: (left + width) / 2, y: height - 4, "text-anchor": "middle"}, "threads"),
    svgElement("polyline", {class: "ideal", points: path(points.map(ideal))}));
  lines.forEach(({name, values}, number) => {
    const colour = lineColours[number];
    svg.append(svgElement("polyline", {class: number === 0 ? "line run" : "line", points: path(values), stroke: colour}));
    values.forEach((value, i) => {
      if (value === null) return;
      const shared = i >= scaling.judged;
      const dot = svgElement("circle", {cx: x(points[i].threads), cy: y(value), r: 4.5, stroke: colour, "stroke-width": 2,
        class: shared ? "shared" : "own", ...(!shared && {fill: colour})});
      dot.append(svgElement("title", {}, `${name}: ${formatFactor(value)} times as fast with ${threadsText(points[i].threads)}${shared ? ", which shared processors" : ""}`));
      svg.append(dot);
    });
  });
  return [element("div", {class: "legend"}, lines.map(({name, full}, number) => {
    const swatch = element("i", {});
    swatch.style.background = lineColours[number];
    return element("span", {class: "key", title: full || name}, swatch, name);
  }), element("span", {class: "key"}, "dashed: ideal"), scaling.judged < points.length && element("span", {class: "key"}, "hollow: threads shared processors")), svg];
}

// A part that shrank has no bar: the whole is then less than the work.
function accountBars({points}) {
  const used = new Set(["work"]);
  const rows = points.flatMap((point) => {
    const whole = point.threads * point.wall_ns;
    const parts = [{name: "work", value: point.work_ns + Math.min(0, point.parts.work_inflation_ns), label: `work of ${threadsText(points[0].threads)}`, from: "exact"},
      ...scalingParts.map(([key, name]) => ({name, value: point.parts[key], from: name === "overhead" || name === "ompprof" ? "sampled" : "exact"}))].filter(({value}) => value > 0);
    for (const {name} of parts) used.add(name);
    return [element("span", {class: "name"}, threadsText(point.threads)), stackedBar(parts, whole, formatDuration),
      quantity(formatShare(point.parallel_efficiency, 1), "parallel efficiency: useful time / (threads x wall time)")];
  });
  return [legend(["work", ...scalingParts.map(([, name]) => name)].filter((name) => used.has(name))), element("div", {class: "threads"}, rows)];
}

function speedTable({points}) {
  return sortedTable([
    {label: "threads", title: "number of threads", value: ({threads}) => threads, cell: ({threads}) => formatCount(threads)},
    {label: "processors", title: "processors that the threads could use", value: ({processors}) => processors, cell: ({processors}) => (processors ? +processors.toFixed(2) : "–")},
    {label: "runs", title: "runs that the row is the mean of", value: ({runs}) => runs, cell: ({runs}) => formatCount(runs)},
    {label: "wall time", title: "with its 95 % error, by the differences between runs", value: ({wall_ns}) => wall_ns,
      cell: ({wall_ns, ci95_ns}) => formatDuration(wall_ns) + (ci95_ns === undefined ? "" : ` ± ${formatDuration(ci95_ns)}`)},
    {label: "speed-up", title: "over the fewest threads", value: ({speedup}) => speedup, cell: ({speedup}) => formatFactor(speedup)},
    {label: "parallel efficiency", title: "useful time / (threads x wall time), of the POP project", value: (point) => point.parallel_efficiency, cell: (point) => formatShare(point.parallel_efficiency, 1)},
    {label: "computation scaling", title: "useful time with the fewest threads over that with so many, of the POP project", value: (point) => point.computation_scaling, cell: (point) => formatShare(point.computation_scaling, 1)},
  ], points, {label: "speed", sort: 0, ascending: true});
}

// The regions. A click on one shows only the lines of its file.
function scalingRegions(scaling, onChoose) {
  const last = Math.max(0, scaling.judged - 1);
  const {threads} = scaling.points[last];
  return sortedTable([
    {label: "would save", title: `wall time that the run with ${threadsText(threads)} would save, were the region's speed-up ideal`, value: ({gain_ns}) => gain_ns, cell: ({gain_ns}) => formatDuration(gain_ns)},
    {label: "wall time", title: `with ${threadsText(threads)}`, value: ({points}) => points[last].elapsed_ns, cell: ({points}) => formatDuration(points[last].elapsed_ns)},
    {label: "speed-up", title: "over the fewest threads", value: ({points}) => (points[last].elapsed_ns > 0 ? points[0].elapsed_ns / points[last].elapsed_ns : 0),
      cell: ({points}) => (points[last].elapsed_ns > 0 ? formatFactor(points[0].elapsed_ns / points[last].elapsed_ns) : "–")},
    {label: "work grew by", title: "useful thread time beyond that of the fewest threads", value: ({inflation_ns}) => inflation_ns, cell: ({inflation_ns}) => formatDuration(inflation_ns)},
    {key: "name", label: "region", text: true, title: "a click shows the lines of its file", value: ({name}) => name, meaning: (region) => `${region.name}\n${placeOf(region)}`,
      cell: (region) => element("button", {type: "button", class: "link code", onclick: () => onChoose(region)}, region.short)},
  ], scaling.regions, {label: "regions", sort: 0, filter: ({name}) => name});
}

function grownTable(rows, label) {
  const grew = ({first_ns, last_ns}) => last_ns - first_ns;
  return sortedTable([
    {label: "grew by", title: "own CPU time with the most threads that had a processor each, less that with the fewest; with its 95 % error", value: grew,
      cell: (row) => formatDuration(grew(row)) + (row.ci95_ns === undefined ? "" : ` ± ${formatDuration(row.ci95_ns)}`)},
    {label: "from", title: "own CPU time with the fewest threads", value: ({first_ns}) => first_ns, cell: ({first_ns}) => formatDuration(first_ns)},
    {label: "to", title: "own CPU time with the most threads that had a processor each", value: ({last_ns}) => last_ns, cell: ({last_ns}) => formatDuration(last_ns)},
    {key: "name", label: "function", text: true, title: "its name", value: ({short}) => short, meaning: ({name}) => name, cell: ({short}) => element("span", {class: "code"}, short)},
    {label: "at", text: true, title: "file and line", value: placeOf, cell: (row) => element("span", {class: "code"}, placeOf(row))},
  ], rows, {label, sort: 0, filter: (row) => `${row.name} ${row.file}`});
}

function drawScaling(scaling) {
  const lines = element("div", {});
  const drawLines = (region) => {
    const rows = region ? scaling.lines.filter(({file}) => file === region.file) : scaling.lines;
    replace(lines, region && element("p", {}, element("span", {class: "chip"}, `lines of ${region.file || region.short}`, button("×", "show all lines", () => drawLines(null)))),
      rows.length ? grownTable(rows, "lines") : element("p", {class: "soft"}, "No line's CPU time grew beyond noise."));
  };
  drawLines(null);
  const choose = (region) => {
    drawLines(region);
    lines.closest(".card").scrollIntoView({block: "nearest"});
  };
  return element("div", {},
    card("What limits it", element("ul", {class: "sentences"}, scaling.sentences.map((sentence) => element("li", {}, sentence)))),
    element("div", {class: "columns"},
      card("Speed-up", speedupChart(scaling)),
      card("Where the threads' time went", accountBars(scaling), element("p", {class: "soft"}, "The full bar is threads x wall time."))),
    card("Speed", speedTable(scaling)),
    scaling.regions.length > 0 && card("Regions", scalingRegions(scaling, choose)),
    card("Lines whose CPU time grew", lines),
    scaling.functions.length > 0 && card("Functions whose CPU time grew", grownTable(scaling.functions, "functions")));
}
