// Draws the state of each thread over time on a canvas. The user can select a part of the time.

const chartLeft = 96;
const chartBottom = 24;

// onSelect({from, to} in microseconds, or null).
class TimelineChart {
  constructor(profile, onSelect) {
    this.profile = profile;
    this.onSelect = onSelect;
    this.from = 0;
    this.to = this.end = profile.timeline.duration;
    this.cursor = this.to / 2;
    this.range = null;
    this.canvas = element("canvas", {});
    this.selection = element("div", {class: "range", hidden: true});
    this.host = element("div", {class: "timeline", tabindex: 0, role: "application", "aria-label":
      "Timeline of threads. Left and right move the cursor; with Shift, they select time. Plus and minus zoom. Escape clears the selection. 0 shows the whole run."}, this.canvas, this.selection);
    this.rowHeight = profile.threads.length > 48 ? 9 : profile.threads.length > 20 ? 14 : profile.threads.length > 6 ? 24 : 36;
    this.drag = null;
    this.host.addEventListener("pointerdown", (event) => this.press(event));
    this.host.addEventListener("pointermove", (event) => this.move(event));
    this.host.addEventListener("pointerup", (event) => this.release(event));
    this.host.addEventListener("keydown", (event) => this.key(event));
    this.host.addEventListener("wheel", (event) => this.wheel(event), {passive: false});
    this.host.addEventListener("dblclick", () => this.zoomToRange());
    new ResizeObserver(() => this.draw()).observe(this.host);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  get width() { return Math.max(10, this.host.clientWidth - chartLeft); }
  timeAt(x) { return this.from + (x - chartLeft) / this.width * (this.to - this.from); }
  xOf(time) { return chartLeft + (time - this.from) / (this.to - this.from) * this.width; }
  clamp(time) { return Math.max(0, Math.min(this.end, time)); }

  draw() {
    const {profile, canvas} = this;
    if (this.host.clientWidth < 50) return;
    const scale = window.devicePixelRatio || 1;
    const rows = profile.threads.length;
    const height = rows * this.rowHeight + chartBottom;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(this.host.clientWidth * scale);
    canvas.height = Math.round(height * scale);
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const columns = Math.floor(this.width / 2);
    const lines = occupancy(profile, {from: this.from, to: this.to, columns, lines: rows, rows: new Map(profile.threads.map((thread, i) => [i, i]))});
    const each = (this.to - this.from) / columns;
    const step = this.width / columns;
    const names = classesOverTime(profile);
    const fills = new Map(names.map((name) => [name, canvasFill(pen, name)]));
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    lines.forEach((line, row) => {
      const top = row * this.rowHeight;
      const tall = this.rowHeight - (this.rowHeight > 10 ? 3 : 1);
      pen.fillStyle = classColour("hover");
      pen.fillRect(chartLeft, top, this.width, tall);
      for (const name of names) {
        const kind = profile.classes.indexOf(name);
        pen.fillStyle = fills.get(name);
        for (let column = 0; column < columns; ++column) {
          const at = column * profile.classes.length;
          const share = line[at + kind] / each / profile.threads[row].threads;
          if (share <= 0) continue;
          let below = 0;
          let all = 0;
          for (const other of names) {
            const value = line[at + profile.classes.indexOf(other)];
            if (names.indexOf(other) < names.indexOf(name)) below += value;
            all += value;
          }
          // Rounding to microseconds may make the sum slightly larger than the whole.
          const fit = Math.max(1, all / each / profile.threads[row].threads);
          const high = share / fit * tall;
          pen.fillRect(chartLeft + column * step, top + tall - below / each / profile.threads[row].threads / fit * tall - high, step + .4, high);
        }
      }
      const every = Math.ceil(12 / this.rowHeight);
      if (row % every === 0) {
        pen.fillStyle = classColour("soft");
        pen.textAlign = "right";
        const {label, threads} = profile.threads[row];
        pen.fillText(threads > 1 ? label : `thread ${label}`, chartLeft - 8, top + tall / 2, chartLeft - 10);
      }
    });
    this.axis(pen, rows * this.rowHeight);
    this.place();
  }

  axis(pen, top) {
    const scale = d3.scaleLinear([this.from / 1e6, this.to / 1e6], [chartLeft, chartLeft + this.width]);
    const ticks = scale.ticks(Math.max(2, Math.floor(this.width / 110)));
    pen.fillStyle = classColour("soft");
    pen.textAlign = "center";
    const digits = Math.max(0, -Math.floor(Math.log10(ticks.length > 1 ? ticks[1] - ticks[0] : 1)));
    for (const tick of ticks) {
      pen.fillRect(scale(tick), top, 1, 5);
      pen.fillText(`${tick.toFixed(digits)} s`, Math.min(scale(tick), chartLeft + this.width - 18), top + 14);
    }
    pen.fillStyle = classColour("ink");
    pen.fillRect(this.xOf(this.cursor), 0, 1, top);
  }

  place() {
    const {selection, range} = this;
    selection.hidden = !range;
    if (!range) return;
    const left = Math.max(chartLeft, this.xOf(range.from));
    const right = Math.min(chartLeft + this.width, this.xOf(range.to));
    selection.style.left = `${left}px`;
    selection.style.width = `${Math.max(2, right - left)}px`;
    selection.style.height = `${this.profile.threads.length * this.rowHeight}px`;
  }

  select(range) {
    this.range = range && range.to - range.from > 1 ? range : null;
    this.place();
    this.onSelect(this.range);
  }

  zoom(factor, around) {
    const wide = Math.max(50, Math.min(this.end, (this.to - this.from) * factor));
    const share = (around - this.from) / (this.to - this.from);
    this.from = Math.max(0, Math.min(this.end - wide, around - share * wide));
    this.to = this.from + wide;
    this.draw();
  }

  zoomToRange() {
    if (!this.range) return;
    [this.from, this.to] = [this.range.from, this.range.to];
    this.draw();
  }

  press(event) {
    if (event.button !== 0 || event.offsetX < chartLeft) return;
    this.host.setPointerCapture(event.pointerId);
    this.drag = this.clamp(this.timeAt(this.at(event)));
  }

  at(event) { return event.clientX - this.host.getBoundingClientRect().left; }

  move(event) {
    const time = this.clamp(this.timeAt(this.at(event)));
    if (this.drag === null) {
      this.host.title = this.meaning(time, Math.floor((event.clientY - this.host.getBoundingClientRect().top) / this.rowHeight));
      return;
    }
    this.range = {from: Math.min(this.drag, time), to: Math.max(this.drag, time)};
    this.place();
  }

  release(event) {
    if (this.drag === null) return;
    const time = this.clamp(this.timeAt(this.at(event)));
    const range = {from: Math.min(this.drag, time), to: Math.max(this.drag, time)};
    this.cursor = time;
    this.drag = null;
    this.select(range);
    this.draw();
  }

  meaning(time, row) {
    const thread = this.profile.threads[row];
    if (!thread) return formatDuration(time * 1e3);
    const {row: rows, begin, length, busy, state} = this.profile.timeline;
    const found = new Set();
    for (let i = 0; i < rows.length; ++i) {
      if (rows[i] === row && busy[i] > 0 && begin[i] <= time && time < begin[i] + length[i]) found.add(timeClasses[this.profile.states[state[i]].class].label);
    }
    return `${formatDuration(time * 1e3)} after the start, ${thread.threads > 1 ? "threads" : "thread"} ${thread.label}: ${[...found].join(", ") || "asleep, or not sampled"}`;
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;  // plain wheels scroll the page
    event.preventDefault();
    this.zoom(event.deltaY > 0 || event.deltaX > 0 ? 1.25 : .8, this.timeAt(this.at(event)));
  }

  key(event) {
    const step = (this.to - this.from) / 50;
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const before = this.cursor;
      this.cursor = this.clamp(this.cursor + (event.key === "ArrowRight" ? step : -step));
      if (event.shiftKey) {
        if (!this.range) this.anchor = before;
        this.select({from: Math.min(this.anchor, this.cursor), to: Math.max(this.anchor, this.cursor)});
      }
      if (this.cursor < this.from || this.cursor > this.to) {
        const wide = this.to - this.from;
        this.from = Math.max(0, Math.min(this.end - wide, this.cursor - wide / 2));
        this.to = this.from + wide;
      }
      this.draw();
    } else if (event.key === "+" || event.key === "=") {
      this.zoom(.5, this.cursor);
    } else if (event.key === "-") {
      this.zoom(2, this.cursor);
    } else if (event.key === "0") {
      [this.from, this.to] = [0, this.end];
      this.draw();
    } else if (event.key === "Enter") {
      this.zoomToRange();
    } else if (event.key === "Escape") {
      this.select(null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
