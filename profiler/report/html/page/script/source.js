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

function sourceTable(profile, source, chosen) {
  const {sampled_cpu_ns} = profile.report;
  const metrics = metricsOf(profile);
  const costs = new Map(source.costs.map(([line, self, total, wait, blame, samples, waitError, blameError]) => [line, {self, total, wait, blame, samples, waitError, blameError}]));
  const most = Math.max(1, ...source.costs.map(([, self]) => self));
  const mostWait = Math.max(1, ...source.costs.map(([, , , wait]) => wait));
  const body = element("tbody");
  let last = 0;
  source.lines.forEach((line, i) => {
    if (line > last + 1 && last > 0) body.append(element("tr", {class: "gap"}, element("td", {colspan: 6}, `… ${formatCount(line - last - 1)} lines that cost nothing …`)));
    last = line;
    const cost = costs.get(line);
    const cell = (value, format, meaning, strength, hue) => {
      const node = element("td", {title: value ? meaning : null}, value ? format(value) : "");
      if (value) node.style.background = `rgba(${hue}, ${(.5 * strength).toFixed(3)})`;
      return node;
    };
    body.append(element("tr", {class: line === chosen ? "here" : null, "data-line": line, "data-hot": cost && (cost.self > most / 50 || cost.wait > mostWait / 50) ? "yes" : null},
      cost ? [cell(cost.self, metrics.cpu.format, `own ${metrics.cpu.noun}: ${formatShare(cost.self, sampled_cpu_ns)} of ${metrics.cpu.format(sampled_cpu_ns)}, ${formatCount(cost.samples)} samples`, cost.self / most, "var(--heat)"),
        cell(cost.total, metrics.cpu.format, `${metrics.cpu.noun} with what was called from this line: ${formatShare(cost.total, sampled_cpu_ns)}`, 0, "var(--heat)"),
        cell(cost.wait, (ns) => formatMeasured(ns, cost.waitError > 0, cost.waitError), "wall time, all threads, of waits of the construct on this line; exact, or with ~ estimated", cost.wait / mostWait, "239, 176, 58"),
        cell(cost.blame, (ns) => formatMeasured(ns, cost.blameError > 0, cost.blameError), "thread-time that others waited while this line ran or held a lock", 0, "var(--heat)")] : [element("td"), element("td"), element("td"), element("td")],
      element("td", {class: "line"}, line), element("td", {class: "code"}, source.text[i])));
  });
  return element("div", {class: "scroll source-box", tabindex: 0, role: "region", "aria-label": "Source text"}, element("table", {class: "source", "aria-label": source.path},
    element("thead", {}, element("tr", {}, [["own", "its own, from samples"], ["total", "with what was called from it, from samples"], ["waited", "all threads, for the construct on this line; exact, or with ~ estimated"], ["blame", "what others waited meanwhile"], ["line", "its number"]].map(([label, title]) => element("th", {title, scope: "col"}, label)), element("th", {class: "text", scope: "col"}, source.path))), body));
}

function drawSource(profile, number, line) {
  const {sources} = profile;
  if (!sources.length) return card("Source", element("p", {}, "No source lines are known: compile with ", element("code", {}, "-g"), " to see what each line costs."));
  let index = number === undefined ? Math.max(0, sources.findIndex((source) => source.lines.length > 0)) : Number(number);
  if (!sources[index]) index = 0;
  const source = sources[index];
  const {sampled_cpu_ns} = profile.report;
  const metrics = metricsOf(profile);
  const own = (file) => file.costs.reduce((sum, [, self]) => sum + self, 0);
  const select = element("select", {"aria-label": "File", onchange: (event) => location.hash = `#source/${event.target.value}`},
    sources.map((file, i) => element("option", {value: i, selected: i === index}, `${formatShare(own(file), sampled_cpu_ns)}  ${shortPath(file.path)}${file.lines.length ? "" : "  (not readable)"}`)));
  const table = source.lines.length ? sourceTable(profile, source, Number(line)) : element("p", {}, `The text is not in the page: ${source.unreadable}.`);
  const hot = () => [...table.querySelectorAll("tr[data-hot]")];
  let at = -1;
  // Scrolls the box and not the page.
  const centre = (row) => table.scrollTo(0, row.offsetTop - table.clientHeight / 2);
  const jump = (step) => {
    const rows = hot();
    if (!rows.length) return;
    at = (at + step + rows.length) % rows.length;
    rows.forEach((row, i) => row.classList.toggle("here", i === at));
    centre(rows[at]);
    announce(`Line ${rows[at].dataset.line}`);
  };
  const node = card("Source", element("div", {class: "toolbar"}, select,
    element("button", {type: "button", title: "the line before that costs much (p)", onclick: () => jump(-1)}, "Previous hot line"),
    element("button", {type: "button", title: "the next line that costs much (n)", onclick: () => jump(1)}, "Next hot line"),
    quantity(`${metrics.cpu.format(own(source))} in this file`, `own ${metrics.cpu.noun} of its lines, from samples`),
    source.read_from && element("span", {class: "soft"}, "read from ", element("span", {class: "code"}, source.read_from)),
    source.changed && element("span", {class: "warn"}, "The file was changed after the profile was recorded: lines may not fit.")), table);
  node.keys = {n: () => jump(1), p: () => jump(-1)};
  node.shown = () => {
    const row = table.querySelector(`tr[data-line="${Number(line)}"]`) || hot()[0];
    if (row) centre(row);
  };
  return node;
}
