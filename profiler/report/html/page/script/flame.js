// A flame graph: drawn by d3-flame-graph, with this page's colours, keys and hover texts.

const frameHeight = 20;
const leastWidth = 1.2;  // pixels; narrower frames are not drawn

// The hover text of a frame.
function frameMeaning(profile, metric, whole, data, compare) {
  const lines = [data.frame === null ? "all stacks" : data.frame < 0
    ? `${formatCount(-data.frame)} more calls, each too small to show` : profile.frames.name[data.frame]];
  if (data.frame !== null && data.frame >= 0) {
    const {file, line, module} = profile.frames;
    const place = file[data.frame] ? `${baseName(file[data.frame])}${line[data.frame] ? `:${line[data.frame]}` : ""}` : "";
    if (data.calls) lines.push(depthMeaning(data.calls));
    lines.push([data.inlined ? "inlined" : "", place, baseName(module[data.frame])].filter(Boolean).join(" · "));
  }
  lines.push(`total ${metric.format(data.value)}, ${formatShare(data.value, whole)} of ${metric.format(whole)} (${metric.title})`);
  lines.push(`own ${metric.format(data.own)}`);
  if (compare) lines.push(`before ${metric.format(data.before)}: ${changeText(data.before, data.value)}`);
  return lines.filter(Boolean).join("\n");
}

function changeText(before, after) {
  if (before === 0 && after === 0) return "no change";
  if (before === 0) return "▲ new";
  const percent = 100 * (after - before) / before;
  if (Math.abs(percent) < .05) return "no change";
  return `${percent > 0 ? "▲ +" : "▼ −"}${Math.abs(percent).toFixed(1)} %`;
}

// The frames from the root to a node of the chart.
function pathOf(node) {
  const path = [];
  for (; node && node.parent; node = node.parent) path.unshift(node.data.frame);
  return path;
}

function nodeAt(root, path) {
  let node = root;
  for (const frame of path) node = node && (node.children || []).find(({data}) => data.frame === frame);
  return node || null;
}

// options: onSelect(data, whole), when the pointer or a key reaches a frame, and with null if there is none;
// onSearch(text); onFocus(name); inverted: the root is at the bottom.
class FlameGraph {
  constructor(profile, label, options) {
    this.profile = profile;
    this.options = options;
    this.host = element("div", {class: "flame", tabindex: 0, role: "application", "aria-label":
      `${label}. Arrow keys move between frames. Enter zooms to the frame. Escape shows all frames. f shows only stacks through the frame.`});
    this.host.addEventListener("keydown", (event) => this.key(event));
    this.host.addEventListener("dblclick", () => this.focusCurrent());
    this.current = null;
    this.zoomed = null;  // the frame that has the whole width; null: the root
    this.searched = "";
    this.colouring = "state";
    this.width = 0;
    new ResizeObserver(() => {
      if (this.data && Math.abs(this.host.clientWidth - this.width) > 2) this.draw();
    }).observe(this.host);
  }

  // `data` is from flameTree. colouring: "state", "module" or "change"; moduleIndex: Map of paths for "module".
  show(data, {metric, colouring, modules}) {
    Object.assign(this, {data, metric, colouring, modules});
    this.draw();
  }

  draw() {
    this.width = this.host.clientWidth;
    if (this.width === 0) return;  // not in the document yet: the observer calls again
    // Other data keep the frames that are selected and zoomed to, as far as they have them.
    const kept = {current: pathOf(this.current), zoomed: pathOf(this.zoomed)};
    replace(this.host);
    this.current = this.zoomed = this.chart = null;
    if (!(this.data && (this.data.value > 0 || this.data.before > 0))) {
      replace(this.host, element("p", {class: "loading"}, `These stacks have no ${this.metric.noun}.`));
      this.options.onSearch("");
      this.options.onSelect(null, 0);
      return;
    }
    this.build();
    this.root = d3.select(this.host).datum();
    if (this.searched) this.chart.search(this.searched);
    else this.options.onSearch("");
    this.settle();
    const zoomed = kept.zoomed.length > 0 && nodeAt(this.root, kept.zoomed);
    if (zoomed) this.zoomTo(zoomed);
    this.select(nodeAt(this.root, kept.current) || this.root);
  }

  build() {
    this.chart = flamegraph.default()
      .width(this.width).cellHeight(frameHeight).minFrameSize(leastWidth).inverted(!this.options.inverted).resetHeightOnZoom(true)
      .transitionDuration(this.still() ? 0 : 160).sort(false).title("");
    this.chart.label((node) => frameMeaning(this.profile, this.metric, this.data.value, node.data, this.colouring === "change"));
    this.chart.setColorMapper((node) => this.colour(node));
    this.chart.setSearchMatch((node, term) => node.data.frame !== null && node.data.frame >= 0 &&
      matcher(term).test(this.profile.frames.name[node.data.frame]));
    this.chart.setSearchHandler((results, sum) => this.options.onSearch(results.length
      ? `${formatCount(results.length)} frames, ${formatShare(sum, this.data.value)} of ${this.metric.format(this.data.value)}`
      : "no frame matches"));
    this.chart.onHover((node) => this.options.onSelect(node.data, this.data.value));
    this.chart.onClick((node) => {
      this.zoomed = node.parent ? node : null;
      this.arrived();
      this.select(node);
    });
    d3.select(this.host).datum(this.data).call(this.chart);
  }

  // The vertical place of a frame.
  topOf(node) {
    if (!this.options.inverted) return node.depth * frameHeight;
    return Number(d3.select(this.host).select("svg").attr("height")) - (node.depth + 1) * frameHeight;
  }

  still() { return window.matchMedia("(prefers-reduced-motion: reduce)").matches; }

  // Puts frames at their places immediately, because the library lets new frames grow.
  settle() {
    const width = (node) => (node.x1 - node.x0) * this.width;
    const frames = d3.select(this.host).selectAll("g.frame").interrupt()
      .attr("transform", (node) => `translate(${node.x0 * this.width},${this.topOf(node)})`);
    frames.select("rect").interrupt().attr("width", width);
    this.fillNarrow();
    this.dress();
  }

  // Makes every label readable on its frame: a hatched or faded frame has a plain plate behind the label, and a grey
  // frame a label in the colour of text.
  dress() {
    const graph = this;
    d3.select(this.host).selectAll("g.frame").each(function (node) {
      const fill = graph.colour(node);
      const hatched = /^url\(#fill-(.*)\)$/.exec(fill);
      const plate = node.data.fade ? "var(--card)" : hatched && `var(--${hatched[1]})`;
      const label = this.querySelector("div");
      d3.select(this).classed("plate", Boolean(plate)).classed("muted", ["var(--line)", "var(--hover)"].includes(fill));
      if (label) label.style.background = plate || "";
    });
  }

  // Fills the holes of frames that are too narrow to draw: a grey bar with their number stands for neighbouring frames.
  fillNarrow() {
    const svg = d3.select(this.host).select("svg");
    svg.selectAll("rect.narrow").remove();
    svg.selectAll("g.frame").each(({children}) => {
      let run = [];
      const end = () => {
        const [first, last] = [run[0], run.at(-1)];
        if (first && (last.x1 - first.x0) * this.width > 1.5) {
          const bar = svg.insert("rect", "g").attr("class", "narrow").attr("x", first.x0 * this.width).attr("y", this.topOf(first))
            .attr("width", (last.x1 - first.x0) * this.width).attr("height", frameHeight - 1);
          bar.append("title").text(`${formatCount(run.length)} frames too narrow to draw: zoom in to see them`);
        }
        run = [];
      };
      for (const child of children || []) {
        const width = (child.x1 - child.x0) * this.width;
        if (width > leastWidth) end();
        else if (width > 0) run.push(child);
      }
      end();
    });
  }

  // After the library has zoomed: at once, or when its frames have arrived.
  arrived() {
    this.dress();
    if (this.still()) this.settle();
    else setTimeout(() => this.fillNarrow(), 250);
  }

  colour({data, highlight}) {
    if (this.searched && !highlight) return "var(--line)";
    if (data.frame !== null && data.frame < 0) return "var(--hover)";
    if (this.colouring === "change") {
      const most = Math.max(data.value, data.before);
      return changeColour(most > 0 ? 1.6 * (data.value - data.before) / most : 0);
    }
    if (this.colouring === "module") {
      if (data.frame === null) return "var(--idle)";
      const index = this.modules.get(this.profile.frames.module[data.frame]) ?? moduleColours.length - 1;
      return moduleColours[Math.min(index, moduleColours.length - 1)];
    }
    return classFill(dominantClass(this.profile, data.byClass));
  }

  search(text) {
    this.searched = text;
    if (!this.chart) return;
    if (text) {
      this.chart.search(text);
    } else {
      this.chart.clear();
      this.options.onSearch("");
    }
    this.dress();
    this.mark();
  }

  select(node) {
    this.current = node;
    this.mark();
    this.options.onSelect(node.data, this.data.value);
  }

  mark() {
    d3.select(this.host).selectAll("g.frame").classed("current", (node) => node === this.current);
  }

  zoomTo(node) {
    this.chart.zoomTo(node);
    this.zoomed = node.parent ? node : null;
    this.arrived();
    this.mark();
  }

  resetZoom() {
    if (!this.chart) return;
    const {current} = this;
    this.chart.resetZoom();
    this.zoomed = null;
    this.arrived();
    this.select(current);  // the library has "clicked" on the root
  }

  focusCurrent() {
    if (this.current && this.current.data.frame !== null && this.current.data.frame >= 0 && this.options.onFocus) {
      this.options.onFocus(this.profile.frames.name[this.current.data.frame]);
    }
  }

  key(event) {
    if (!this.current || event.altKey || event.ctrlKey || event.metaKey) return;
    const visible = (node) => node.x1 - node.x0 > 0;
    const beside = (step) => {
      const all = (this.current.parent ? this.current.parent.children : [this.current]).filter(visible);
      return all[all.indexOf(this.current) + step];
    };
    const moves = {
      [this.options.inverted ? "ArrowUp" : "ArrowDown"]: () => (this.current.children || []).find(visible),
      [this.options.inverted ? "ArrowDown" : "ArrowUp"]: () => this.current.parent,
      ArrowRight: () => beside(1),
      ArrowLeft: () => beside(-1),
      Home: () => this.root,
    };
    if (event.key in moves) {
      const next = moves[event.key]();
      if (next) this.select(next);
    } else if (event.key === "Enter" || event.key === " ") {
      this.zoomTo(this.current);
    } else if (event.key === "Escape") {
      this.resetZoom();
    } else if (event.key === "f") {
      this.focusCurrent();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

// The facts about a frame, below a flame graph.
function frameDetail(profile, metric, data, whole, compare) {
  if (!data) return null;
  const parts = profile.classes.map((name, i) => ({name, value: data.byClass[i], from: metric.title})).filter((part) => part.value > 0);
  const named = data.frame !== null && data.frame >= 0;
  const {name, file, line, module} = profile.frames;
  const links = named ? [file[data.frame] && sourceLink(profile, file[data.frame], line[data.frame]), baseName(module[data.frame]),
    callsLink(name[data.frame], "callers and callees"), codeLink(profile, name[data.frame])].filter(Boolean) : [];
  return [
    element("div", {class: "title code"}, named ? name[data.frame] : data.name === "all" ? "all stacks" : `${data.name}: calls too small to show`,
      data.inlined && element("span", {class: "soft"}, "  inlined into its caller"),
      data.calls && element("span", {class: "soft"}, `  ${depthMeaning(data.calls)}`)),
    element("div", {class: "soft"}, links.map((link, i) => [i > 0 && " · ", link])),
    element("div", {},
      "total ", quantity(metric.format(data.value), `with the called functions: ${metric.title}`), " (", quantity(formatShare(data.value, whole), `of ${metric.format(whole)} shown`), ")",
      " · own ", quantity(metric.format(data.own), `the function's own: ${metric.title}`), " (", quantity(formatShare(data.own, whole), `of ${metric.format(whole)} shown`), ")",
      compare && [" · before ", quantity(metric.format(data.before), "in the profile before"), " ", changeText(data.before, data.value)]),
    stackedBar(parts, data.value, metric.format),
  ];
}
