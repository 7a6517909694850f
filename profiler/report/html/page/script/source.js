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
    if (line > last + 1 && last > 0) body.append(element("tr", {class: "gap"}, element("td", {colspan: 6}, `… ${formatCount(line - last - 1)} lines without a cost …`)));
    last = line;
    const cost = costs.get(line);
    const cell = (value, format, meaning, strength, hue) => {
      const node = element("td", {title: value ? meaning : null}, value ? format(value) : "");
      if (value) node.style.background = `rgba(${hue}, ${(.5 * strength).toFixed(3)})`;
      return node;
    };
    body.append(element("tr", {class: line === chosen ? "here" : null, "data-line": line, "data-hot": cost && (cost.self > most / 50 || cost.wait > mostWait / 50) ? "yes" : null},
      cost ? [cell(cost.self, metrics.cpu.format, `own ${metrics.cpu.noun}: ${formatShare(cost.self, sampled_cpu_ns)} of ${metrics.cpu.format(sampled_cpu_ns)}, ${formatCount(cost.samples)} samples`, cost.self / most, "var(--heat)"),
        cell(cost.total, metrics.cpu.format, `${metrics.cpu.noun} with calls from this line: ${formatShare(cost.total, sampled_cpu_ns)}`, 0, "var(--heat)"),
        cell(cost.wait, (ns) => formatMeasured(ns, cost.waitError > 0, cost.waitError), "waits of the construct on this line: wall time, all threads; exact, or with ~ estimated", cost.wait / mostWait, "239, 176, 58"),
        cell(cost.blame, (ns) => formatMeasured(ns, cost.blameError > 0, cost.blameError), "thread time that other threads waited while this line ran, or held a lock; exact, or with ~ estimated", 0, "var(--heat)")] : [element("td"), element("td"), element("td"), element("td")],
      element("td", {class: "line"}, line), element("td", {class: "code"}, source.text[i])));
  });
  return element("div", {class: "scroll source-box", tabindex: 0, role: "region", "aria-label": "Source text"}, element("table", {class: "source", "aria-label": source.path},
    element("thead", {}, element("tr", {}, [["own", "the line's own time; from samples"], ["total", "with calls from the line; from samples"], ["waited", "waits of the construct on the line: wall time, all threads; exact, or with ~ estimated"], ["blame", "thread time that other threads waited while the line ran, or held a lock; exact, or with ~ estimated"], ["line", "the line's number"]].map(([label, title]) => element("th", {title, scope: "col"}, label)), element("th", {class: "text", scope: "col"}, source.path))), body));
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
  const table = source.lines.length ? sourceTable(profile, source, Number(line)) : element("p", {}, `This page does not have the text: ${source.unreadable}.`);
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
    element("button", {type: "button", title: "the previous line with a large cost (p)", onclick: () => jump(-1)}, "Previous hot line"),
    element("button", {type: "button", title: "the next line with a large cost (n)", onclick: () => jump(1)}, "Next hot line"),
    quantity(`${metrics.cpu.format(own(source))} in this file`, `own ${metrics.cpu.noun} of the file's lines, from samples`),
    source.read_from && element("span", {class: "soft"}, "read from ", element("span", {class: "code"}, source.read_from)),
    source.changed && element("span", {class: "warn"}, "The file has changed since the recording, so lines may be wrong.")), table);
  node.keys = {n: () => jump(1), p: () => jump(-1)};
  node.shown = () => {
    const row = table.querySelector(`tr[data-line="${Number(line)}"]`) || hot()[0];
    if (row) centre(row);
  };
  return node;
}
