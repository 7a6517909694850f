// Draws a job's ranks on a canvas, a row each: shades over time, or bars if no rank has a timeline. Ranks that share a
// line of pixels are drawn as their mean. In a column of the shades where one of them stands out from all ranks, it is
// drawn instead, so that one late rank among thousands is seen.

const rankRowsTall = 480;      // pixels of many ranks
const rankRowTallest = 22;     // pixels of one rank
const standsOutBy = 4;         // standard deviations over the ranks
const rankMetrics = {
  work: {label: "Work", meaning: "at work, outside of MPI"},
  mpi: {label: "MPI", meaning: "in functions of MPI, mostly waiting for other ranks"},
  wait: {label: "Waiting", meaning: "waiting in OpenMP, for a device or in a library, or idle between regions"},
  rest: {label: "Rest", meaning: "none of these: in the OpenMP runtime's own code, off the processor, or not running"},
};

// The share of a rank's thread time in one column.
function rankShare(rank, metric, column) {
  const {work, mpi, wait} = rank.times;
  if (metric !== "rest") return rank.times[metric][column] / 255;
  return Math.max(0, 1 - (work[column] + mpi[column] + wait[column]) / 255);
}

// The parts of a rank's bar, with their words.
const rankClasses = {
  work: {label: "work", meaning: "at work, outside of MPI; sampled"},
  mpi: {label: "in MPI", meaning: "in functions of MPI, mostly waiting for other ranks; sampled"},
  waiting: {label: "waiting", meaning: timeClasses.waiting.meaning},
};

function rankLegend() {
  return element("div", {class: "legend"}, Object.entries(rankClasses).map(([name, {label, meaning}]) =>
    element("span", {class: "key", title: meaning}, element("i", {class: `c-${name}`}), label)));
}

// The parts of a rank's thread time in the whole run, of which none is larger than the whole.
function rankParts(profile, rank) {
  const whole = rank.duration_ns * Math.max(1, rank.threads);
  const parts = profile.eventsCounted ? [["waiting", rank.wait_ns]] : [["work", rank.work], ["mpi", rank.mpi], ["waiting", rank.wait_ns]];
  return {whole, parts: parts.map(([name, value]) => ({name, value: Math.min(value, whole), label: rankClasses[name].label, from: rankClasses[name].meaning})).filter(({value}) => value > 0)};
}

// onChoose(index into `ranks`), when a row is clicked.
class RankChart {
  constructor(profile, ranks, onChoose) {
    Object.assign(this, {profile, ranks, onChoose, metric: "work", chosen: null, drag: null, known: new Map()});
    this.order = ranks.map((_, i) => i);
    this.from = 0;
    this.to = ranks.length;
    this.timed = ranks.some(({times}) => times !== null);
    this.end = Math.max(...ranks.map((rank) => (this.timed ? rank.columnNs * rank.columns : rankParts(profile, rank).whole)), 1);
    this.canvas = element("canvas", {});
    this.selection = element("div", {class: "range rows", hidden: true});
    this.host = element("div", {class: "timeline ranks", tabindex: 0, role: "application", "aria-label":
      "Ranks over time. Up and down move the cursor, Enter chooses the rank. Plus and minus zoom, 0 shows all ranks."}, this.canvas, this.selection);
    for (const [name, does] of [["pointerdown", this.press], ["pointermove", this.move], ["pointerup", this.release], ["keydown", this.key], ["pointerleave", hideTip]]) {
      this.host.addEventListener(name, (event) => does.call(this, event));
    }
    this.host.addEventListener("wheel", (event) => this.wheel(event), {passive: false});
    new ResizeObserver(() => this.draw()).observe(this.host);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  get width() { return Math.max(10, this.host.clientWidth - chartLeft); }
  get tall() { return Math.min(rankRowsTall, (this.to - this.from) * rankRowTallest); }
  lines() { return Math.min(this.to - this.from, this.tall); }

  // The ranks of a line of pixels, as places in the order.
  placesOf(line) {
    const each = (this.to - this.from) / this.lines();
    const first = this.from + Math.floor(line * each);
    return [first, Math.max(first + 1, this.from + Math.floor((line + 1) * each))];
  }

  lineOf(place) { return Math.floor((place - this.from) / (this.to - this.from) * this.lines()); }

  draw() {
    const {canvas} = this;
    if (this.host.clientWidth < 50) return;
    const scale = window.devicePixelRatio || 1;
    const height = this.tall + chartBottom;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(this.host.clientWidth * scale);
    canvas.height = Math.round(height * scale);
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const lines = this.lines();
    const high = this.tall / lines;
    const gap = high > 10 ? 2 : 0;
    const fills = this.timed ? rankShades() : new Map(["work", "mpi", "waiting"].map((name) => [name, canvasFill(pen, name)]));
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    for (let line = 0; line < lines; ++line) {
      const top = line * high;
      const ranks = this.order.slice(...this.placesOf(line)).map((i) => this.ranks[i]);
      if (this.timed) this.drawShades(pen, ranks, top, high - gap, fills);
      else this.drawBar(pen, ranks, top, high - gap, fills);
    }
    this.drawLabels(pen, lines, high);
    this.drawAxis(pen);
    this.place();
  }

  // The mean share of all ranks in each of the columns of `rank`, and the least difference from it that stands out.
  usual({columns, columnNs}) {
    const key = `${this.metric} ${columns} ${columnNs}`;
    if (!this.known.has(key)) {
      const alike = this.ranks.filter((rank) => rank.times !== null && rank.columns === columns && rank.columnNs === columnNs);
      const each = (of) => Float64Array.from({length: columns}, (_, column) => alike.reduce((sum, rank) => sum + of(rankShare(rank, this.metric, column), column), 0) / alike.length);
      const mean = each((share) => share);
      const variance = each((share, column) => (share - mean[column]) ** 2);
      this.known.set(key, {mean, limit: variance.map((value) => Math.max(.02, standsOutBy * Math.sqrt(value)))});
    }
    return this.known.get(key);
  }

  // Of ranks with timelines, the one that differs most from the mean of all ranks in a column.
  furthest(ranks, column) {
    const mean = this.usual(ranks[0]).mean[column];
    const difference = (rank) => Math.abs(rankShare(rank, this.metric, column) - mean);
    return ranks.reduce((most, rank) => (difference(rank) > difference(most) ? rank : most));
  }

  // The share that is drawn for these ranks.
  shareOf(ranks, column) {
    const {mean, limit} = this.usual(ranks[0]);
    const share = rankShare(this.furthest(ranks, column), this.metric, column);
    if (ranks.length === 1 || Math.abs(share - mean[column]) > limit[column]) return share;
    return ranks.reduce((sum, rank) => sum + rankShare(rank, this.metric, column), 0) / ranks.length;
  }

  drawShades(pen, ranks, top, high, shades) {
    const timed = ranks.filter(({times}) => times !== null);
    pen.fillStyle = classColour("gap");
    if (!timed.length) return pen.fillRect(chartLeft, top, this.width, high);
    const {columns, columnNs} = timed[0];
    const step = columnNs / this.end * this.width;
    const alike = timed.filter((rank) => rank.columns === columns && rank.columnNs === columnNs);
    for (let column = 0; column < columns; ++column) {
      pen.fillStyle = shades[Math.round(this.shareOf(alike, column) * (shades.length - 1))];
      pen.fillRect(chartLeft + column * step, top, step + .5, high + (high < 10 ? .5 : 0));
    }
  }

  drawBar(pen, ranks, top, high, fills) {
    pen.fillStyle = classColour("gap");
    const each = ranks.map((rank) => rankParts(this.profile, rank));
    const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const whole = mean(each.map(({whole: all}) => all));
    pen.fillRect(chartLeft, top, whole / this.end * this.width, high);
    let left = chartLeft;
    for (const [name, fill] of fills) {
      const wide = mean(each.map(({parts}) => parts.filter((part) => part.name === name).reduce((sum, {value}) => sum + value, 0))) / this.end * this.width;
      pen.fillStyle = fill;
      pen.fillRect(left, top, wide, high);
      left += wide;
    }
  }

  drawLabels(pen, lines, high) {
    pen.textAlign = "right";
    const every = Math.ceil(14 / high);
    const chosen = this.order.indexOf(this.chosen);
    const chosenLine = chosen >= this.from && chosen < this.to ? this.lineOf(chosen) : null;
    const yOf = (line) => Math.max(6, Math.min(this.tall - 6, line * high + high / 2));
    for (let line = 0; line < lines; ++line) {
      const mine = line === chosenLine;
      if (!mine && (line % every !== 0 || (line > 0 && yOf(line) - yOf(0) < 12))) continue;
      if (!mine && chosenLine !== null && Math.abs(yOf(line) - yOf(chosenLine)) < 12) continue;
      const rank = this.ranks[mine ? this.chosen : this.order[this.placesOf(line)[0]]];
      pen.fillStyle = classColour(mine ? "ink" : "soft");
      pen.font = `${mine ? "bold " : ""}11px system-ui, sans-serif`;
      pen.fillText(rank.label, chartLeft - 8, yOf(line), chartLeft - 10);
    }
    if (chosenLine === null) return;
    pen.strokeStyle = classColour("ink");
    pen.strokeRect(chartLeft + .5, Math.floor(chosenLine * high) + .5, this.width - 1, Math.max(2, high - 1));
  }

  drawAxis(pen) {
    const unit = this.timed ? 1e9 : this.end / 100;
    const scale = d3.scaleLinear([0, this.end / unit], [chartLeft, chartLeft + this.width]);
    const ticks = scale.ticks(Math.max(2, Math.floor(this.width / 110)));
    const digits = Math.max(0, -Math.floor(Math.log10(ticks.length > 1 ? ticks[1] - ticks[0] : 1)));
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = classColour("soft");
    pen.textAlign = "center";
    for (const tick of ticks) {
      pen.fillRect(scale(tick), this.tall, 1, 5);
      pen.fillText(this.timed ? `${tick.toFixed(digits)} s` : `${tick.toFixed(digits)} %`, Math.min(scale(tick), chartLeft + this.width - 18), this.tall + 14);
    }
  }

  place() {
    this.selection.hidden = !this.drag;
    if (!this.drag) return;
    const [from, to] = [Math.min(...this.drag), Math.max(...this.drag)];
    this.selection.style.top = `${from}px`;
    this.selection.style.height = `${Math.max(1, to - from)}px`;
  }

  // Shows the metric and the order of ranks; `order`: indexes into `ranks`.
  show(metric, order) {
    this.metric = metric;
    this.order = order;
    this.draw();
  }

  choose(index) {
    this.chosen = index;
    const place = this.order.indexOf(index);
    if (index !== null && (place < this.from || place >= this.to)) this.window((this.to - this.from), place);
    this.draw();
  }

  // Shows `count` ranks around a place.
  window(count, around) {
    const all = this.ranks.length;
    const shown = Math.max(1, Math.min(all, Math.round(count)));
    this.from = Math.max(0, Math.min(all - shown, Math.round(around - shown / 2)));
    this.to = this.from + shown;
    this.draw();
  }

  get middle() {
    const place = this.order.indexOf(this.chosen);
    return place >= this.from && place < this.to ? place : (this.from + this.to) / 2;
  }

  zoom(factor) { this.window((this.to - this.from) * factor, this.middle); }

  point(event) {
    const {left, top} = this.host.getBoundingClientRect();
    return {x: event.clientX - left, y: Math.max(0, Math.min(this.tall, event.clientY - top))};
  }

  placeAt(y) { return Math.min(this.to - 1, this.placesOf(Math.min(this.lines() - 1, Math.floor(y / this.tall * this.lines())))[0]); }

  press(event) {
    if (event.button !== 0) return;
    hideTip();
    this.host.setPointerCapture(event.pointerId);
    const {y} = this.point(event);
    this.drag = [y, y];
  }

  move(event) {
    const point = this.point(event);
    if (this.drag) {
      this.drag[1] = point.y;
      this.place();
      return;
    }
    showTip(this.meaning(point), event.clientX, event.clientY);
  }

  // A click chooses a rank; a drag zooms to the ranks that it crossed.
  release(event) {
    if (!this.drag) return;
    const [first, last] = [Math.min(...this.drag), Math.max(...this.drag)];
    this.drag = null;
    this.place();
    if (last - first < 6) return this.onChoose(this.ranks.indexOf(this.at(this.point(event)).rank));
    const [from, to] = [this.placeAt(first), this.placeAt(last) + 1];
    this.window(to - from, (from + to) / 2);
  }

  // What is drawn at a point: the ranks of the line, one of them, and the column; null: left of the columns, or no
  // timeline.
  at({x, y}) {
    const line = Math.min(this.lines() - 1, Math.floor(y / this.tall * this.lines()));
    const ranks = this.order.slice(...this.placesOf(line)).map((i) => this.ranks[i]);
    const timed = ranks.filter(({times}) => times !== null);
    if (!timed.length || x < chartLeft) return {ranks, rank: ranks[0], column: null};
    const {columns, columnNs} = timed[0];
    const column = Math.floor((x - chartLeft) / this.width * this.end / columnNs);
    if (column >= columns) return {ranks, rank: timed[0], column: null};
    const alike = timed.filter((rank) => rank.columns === columns && rank.columnNs === columnNs);
    return {ranks, rank: this.furthest(alike, column), column};
  }

  meaning(point) {
    const {ranks, rank, column} = this.at(point);
    const lines = [`${rankTitle(rank)} on ${rank.host}`];
    if (column === null) {
      const {whole, parts} = rankParts(this.profile, rank);
      lines.push(...parts.map(({label, value}) => `${label} ${formatShare(value, whole)}`));
    } else {
      lines.push(`${formatDuration(column * rank.columnNs)} to ${formatDuration((column + 1) * rank.columnNs)} after the ${rank.fromOwnStart ? "rank's" : "job's"} start`,
        Object.entries(rankMetrics).map(([metric, {label}]) => `${label.toLowerCase().replace("mpi", "MPI")} ${formatShare(rankShare(rank, metric, column), 1)}`).join(", "));
    }
    if (ranks.length > 1) lines.push(`one of ${formatCount(ranks.length)} in this line, ${rankTitle(ranks[0])} to ${rankTitle(ranks[ranks.length - 1])}; a drag zooms`);
    return lines.join("\n");
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;  // plain wheels scroll the page
    event.preventDefault();
    this.window((this.to - this.from) * (event.deltaY > 0 ? 1.25 : .8), this.placeAt(this.point(event).y));
  }

  key(event) {
    const step = {ArrowUp: -1, ArrowDown: 1, PageUp: -50, PageDown: 50}[event.key];
    if (step !== undefined) {
      const place = this.chosen === null ? this.from : this.order.indexOf(this.chosen) + step;
      this.onChoose(this.order[Math.max(0, Math.min(this.ranks.length - 1, place))]);
    } else if (event.key === "+" || event.key === "=") {
      this.zoom(.5);
    } else if (event.key === "-") {
      this.zoom(2);
    } else if (event.key === "0") {
      this.window(this.ranks.length, 0);
    } else if (event.key === "Escape") {
      this.onChoose(null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

// The colours of the shares 0 to 1.
function rankShades() {
  const colour = d3.interpolateRgb(classColour("card"), `rgb(${classColour("heat")})`);
  return Array.from({length: 64}, (_, i) => colour(.04 + .96 * i / 63));
}

const rankTitle = (rank) => (rank.hasNumber ? `rank ${rank.label}${rank.several ? ` of ${rank.program}` : ""}` : rank.label);
