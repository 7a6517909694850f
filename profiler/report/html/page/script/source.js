// The view of the program's source with the cost of each line.

const longest = 46;

function shortPath(path) {
  return path.length <= longest ? path : `…${path.slice(-longest)}`;
}

// A link to the line in the source view. If the page does not have the file, the place as text.
function sourceLink(profile, file, line) {
  const text = `${baseName(file)}${line ? `:${line}` : ""}`;
  const index = profile.sources.findIndex((source) => source.path === file || (!file.includes("/") && baseName(source.path) === file));
  if (index < 0 || !profile.sources[index].lines.length) return element("span", {class: "code", title: file}, text);
  return element("a", {class: "code", title: file, href: `#source/${index}/${line || 0}`}, text);
}

// Makes the cells of costs of lines or instructions: own, total, waited, blame. `all`: the costs of all rows. Returns a
// function of a cost (null: none) to {cells, hot, weight}.
function costCells(profile, all) {
  const {sampled_cpu_ns} = profile.report;
  const {cpu} = metricsOf(profile);
  const most = Math.max(1, ...all.map(({self}) => self));
  const mostWait = Math.max(1, ...all.map(({wait}) => wait));
  const cell = (value, text, meaning, strength, hue) => {
    const node = element("td", {title: value ? meaning : null}, value ? text : "");
    if (value && strength > 0) node.style.background = `rgba(${hue}, ${(.45 * strength).toFixed(3)})`;
    return node;
  };
  return (cost, what) => {
    if (!cost) return {cells: [1, 2, 3, 4].map(() => element("td")), hot: false, weight: 0, wait: 0};
    const {self, total, wait, blame, samples, waitError, blameError} = cost;
    return {hot: self > most / 50 || wait > mostWait / 50, weight: self, wait, cells: [
      cell(self, cpu.format(self), `own ${cpu.noun}: ${formatShare(self, sampled_cpu_ns)} of ${cpu.format(sampled_cpu_ns)}, ${formatCount(samples)} samples`, self / most, "var(--heat)"),
      cell(total, cpu.format(total), `${cpu.noun} with calls from this ${what}: ${formatShare(total, sampled_cpu_ns)}`, 0, ""),
      cell(wait, formatMeasured(wait, waitError > 0, waitError), `waits of the construct on this ${what}: wall time, all threads; exact, or with ~ estimated`, wait / mostWait, "var(--heat-wait)"),
      cell(blame, formatMeasured(blame, blameError > 0, blameError), `thread time that other threads waited while this ${what} ran, or held a lock; exact, or with ~ estimated`, 0, "")]};
  };
}

// `columns` after those of the costs: [label, meaning, whether it is text].
function costTable(label, what, columns, body) {
  const heads = [["own", `the ${what}'s own time; from samples`], ["total", `with calls from the ${what}; from samples`], ["waited", `waits of the construct on the ${what}: wall time, all threads; exact, or with ~ estimated`],
    ["blame", `thread time that other threads waited while the ${what} ran, or held a lock; exact, or with ~ estimated`], ...columns];
  return element("table", {class: "source", "aria-label": label},
    element("thead", {}, element("tr", {}, heads.map(([text, title, isText]) => element("th", {title, scope: "col", class: isText ? "text" : null}, text)))), body);
}

function sourceTable(profile, source) {
  const costs = new Map(source.costs.map(([line, ...cost]) => [line, lineCost(cost)]));
  const cells = costCells(profile, [...costs.values()]);
  const body = element("tbody");
  let last = 0;
  source.lines.forEach((line, i) => {
    if (line > last + 1 && last > 0) body.append(gapRow(line - last - 1, 6, "lines"));
    last = line;
    const {cells: own, hot, weight, wait} = cells(costs.get(line) || null, "line");
    body.append(element("tr", {"data-line": line, "data-hot": hot ? "yes" : null, "data-weight": weight, "data-wait": wait}, own,
      element("td", {class: "line"}, line), element("td", {class: "code"}, source.text[i])));
  });
  return costTable(source.path, "line", [["line", "the line's number", false], [baseName(source.path), source.path, true]], body);
}

// A card with a table of costs, which opens on the chosen row or else on the hottest row. `what`: "line" or
// "instruction". `choices` and `facts` are before and after the buttons.
function hotView(title, table, chosen, what, choices, facts, about) {
  const node = element("section", {class: "card"});
  const box = scrollBox(table, {class: "source-box", tabindex: 0, role: "region", "aria-label": `${title}: costs of each ${what}`});
  const scroller = box.querySelector(".source-box");
  const hot = [...table.querySelectorAll("tr[data-hot]")];
  const largest = (member) => hot.reduce((best, row) => (Number(row.dataset[member]) > (best ? Number(best.dataset[member]) : 0) ? row : best), null);
  const hottest = largest("weight") || largest("wait");
  // Scrolls the box and not the page.
  const mark = (row) => {
    table.querySelectorAll("tr.here").forEach((other) => other.classList.remove("here"));
    if (!row) return;
    row.classList.add("here");
    scroller.scrollTo(scroller.scrollLeft, row.offsetTop - scroller.clientHeight / 2);
  };
  const present = () => table.querySelector("tr.here");
  const jump = (step) => {
    if (!hot.length) return;
    const rows = [...table.querySelectorAll("tr")];
    const at = rows.indexOf(present());
    const after = step > 0 ? hot.find((row) => rows.indexOf(row) > at) || hot[0] : hot.findLast((row) => rows.indexOf(row) < at) || hot.at(-1);
    mark(after);
    announce(`${what === "line" ? "Line" : "Instruction"} ${after.dataset.line || after.dataset.address}`);
  };
  append(node, [element("h2", {}, title), element("div", {class: "toolbar"}, choices,
    button(`Hottest ${what}`, `the ${what} with the largest cost (h)`, () => mark(hottest)),
    button("Previous", `the previous ${what} with a large cost (p)`, () => jump(-1)),
    button("Next", `the next ${what} with a large cost (n)`, () => jump(1)), facts), about, box]);
  node.keys = {n: () => jump(1), p: () => jump(-1), h: () => mark(hottest)};
  const first = chosen && table.querySelector(`tr[data-line="${chosen}"]`) || hottest;
  if (first) first.classList.add("here");
  node.shown = () => {
    window.scrollTo(0, 0);
    // The box ends where the window ends.
    scroller.style.maxHeight = `${Math.max(320, window.innerHeight - scroller.getBoundingClientRect().top - 24)}px`;
    mark(first);
  };
  return node;
}

function drawSource(profile, number, line) {
  const {sources} = profile;
  if (!sources.length) return card("Source", element("p", {}, "Source lines are not known. Compile with ", element("code", {}, "-g"), " to see the cost of each line."));
  let index = number === undefined ? Math.max(0, sources.findIndex((source) => source.lines.length > 0)) : Number(number);
  if (!sources[index]) index = 0;
  const source = sources[index];
  const {sampled_cpu_ns} = profile.report;
  const metrics = metricsOf(profile);
  const own = (file) => file.costs.reduce((sum, [, self]) => sum + self, 0);
  const select = element("select", {"aria-label": "File", onchange: (event) => location.hash = `#source/${event.target.value}`},
    sources.map((file, i) => element("option", {value: i, selected: i === index}, `${formatShare(own(file), sampled_cpu_ns)}  ${shortPath(file.path)}${file.lines.length ? "" : "  (not readable)"}`)));
  const facts = [quantity(`${metrics.cpu.format(own(source))} in this file`, `own ${metrics.cpu.noun} of the file's lines, from samples`),
    source.read_from && element("span", {class: "soft"}, "read from ", element("span", {class: "code"}, source.read_from)),
    source.changed && element("span", {class: "warn"}, "The file has changed since the recording, so lines may be wrong.")];
  if (!source.lines.length) {
    return card("Source", element("div", {class: "toolbar"}, select, facts), element("p", {}, `This page does not have the text: ${source.unreadable}.`));
  }
  return hotView("Source", sourceTable(profile, source), Number(line), "line", [select], facts, null);
}
