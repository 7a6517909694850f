// Draws the state of each thread and the work of each device over time on a canvas. The user can select a part of the
// time.

const chartLeft = 96;
const chartBottom = 24;
const mostNamed = 6;  // operations of a device, or states of a thread, in a hover text

// The chart's rows: threads, and after the threads of a process its devices.
function rowsOverTime(profile) {
  const devices = profile.timeline.devices ? profile.timeline.devices.rows : [];
  return profile.threads.flatMap(({label, threads}, thread) => [{thread, label: threads > 1 ? label : `thread ${label}`},
    ...devices.map(({label: name}, device) => ({device, label: name})).filter(({device}) => devices[device].after_row === thread)]);
}

// onSelect({from, to} in microseconds, or null); onThread(row of threads), when its name is clicked.
class TimelineChart {
  constructor(profile, onSelect, onThread) {
    this.profile = profile;
    this.onSelect = onSelect;
    this.onThread = onThread;
    this.thread = null;  // the chosen row of threads
    this.from = 0;
    this.to = this.end = profile.timeline.duration;
    this.cursor = this.to / 2;
    this.range = null;
    this.canvas = element("canvas", {});
    this.selection = element("div", {class: "range", hidden: true});
    this.host = element("div", {class: "timeline", tabindex: 0, role: "application", "aria-label":
      "Timeline of threads and devices. Left and right move the cursor; with Shift, they select time. Plus and minus zoom. Escape clears the selection. 0 shows the whole run."}, this.canvas, this.selection);
    this.rows = rowsOverTime(profile);
    this.rowHeight = profile.threads.length > 48 ? 9 : profile.threads.length > 20 ? 14 : profile.threads.length > 6 ? 24 : 36;
    this.drag = null;
    this.host.addEventListener("pointerdown", (event) => this.press(event));
    this.host.addEventListener("pointermove", (event) => this.move(event));
    this.host.addEventListener("pointerup", (event) => this.release(event));
    this.host.addEventListener("pointerleave", hideTip);
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
    const rows = this.rows.length;
    const height = rows * this.rowHeight + chartBottom;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(this.host.clientWidth * scale);
    canvas.height = Math.round(height * scale);
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const columns = Math.floor(this.width / 2);
    const span = {from: this.from, to: this.to, columns};
    const threads = profile.threads.length;
    const lines = occupancy(profile, {...span, lines: threads, rows: new Map(profile.threads.map((thread, i) => [i, i]))});
    const devices = profile.timeline.devices ? deviceOccupancy(profile, span) : [];
    const each = (this.to - this.from) / columns;
    const ofThreads = {names: classesOverTime(profile), all: profile.classes};
    const ofDevices = {names: deviceClassesOverTime(profile), all: deviceClasses};
    const fills = new Map([...ofThreads.names, ...ofDevices.names].map((name) => [name, canvasFill(pen, name)]));
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    this.rows.forEach(({thread, device, label}, row) => {
      const place = {columns, fills, top: row * this.rowHeight, tall: this.rowHeight - (this.rowHeight > 10 ? 3 : 1)};
      pen.fillStyle = classColour(device === undefined ? "gap" : "hover");
      pen.fillRect(chartLeft, place.top, this.width, place.tall);
      // A kernel of microseconds is still a line.
      if (device === undefined) this.drawRow(pen, place, ofThreads, lines[thread], each * profile.threads[thread].threads, 0);
      else this.drawRow(pen, place, ofDevices, devices[device], each * 1e3, 1);
      const every = device === undefined ? Math.ceil(12 / this.rowHeight) : 1;
      if (row % every === 0) {
        const chosen = device === undefined && thread === this.thread;
        pen.fillStyle = classColour(chosen ? "ink" : "soft");
        pen.font = `${chosen ? "bold " : ""}11px system-ui, sans-serif`;
        pen.textAlign = "right";
        pen.fillText(label, chartLeft - 8, place.top + place.tall / 2, chartLeft - 10);
      }
    });
    pen.font = "11px system-ui, sans-serif";
    this.axis(pen, rows * this.rowHeight);
    this.place();
  }

  // Marks the name of a chosen row of threads; null: of none.
  mark(thread) {
    if (thread === this.thread) return;
    this.thread = thread;
    this.draw();
  }

  // Draws a row's columns, each as a stack of classes. `values`: columns x `all` classes; `whole`: a full column;
  // `least`: the least height of a class, in pixels.
  drawRow(pen, {columns, fills, top, tall}, {names, all}, values, whole, least) {
    const step = this.width / columns;
    const kinds = names.map((name) => all.indexOf(name));
    for (let column = 0; column < columns; ++column) {
      const at = column * all.length;
      const sum = kinds.reduce((before, kind) => before + values[at + kind], 0);
      // Rounding may make the sum slightly larger than the whole, and operations at the same time much larger.
      const fit = Math.max(1, sum / whole) * whole;
      let below = 0;
      kinds.forEach((kind, i) => {
        const value = values[at + kind];
        if (value <= 0) return;
        pen.fillStyle = fills.get(names[i]);
        const high = Math.max(least, value / fit * tall);
        pen.fillRect(chartLeft + column * step, top + tall - below / fit * tall - high, step + .4, high);
        below += value;
      });
    }
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
    selection.style.height = `${this.rows.length * this.rowHeight}px`;
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
    if (event.button !== 0) return;
    if (this.at(event) < chartLeft) {
      const place = this.rows[this.rowOf(event)];
      if (place && place.device === undefined && profileHasThreads(this.profile)) this.onThread(place.thread);
      return;
    }
    hideTip();
    this.host.setPointerCapture(event.pointerId);
    this.drag = this.clamp(this.timeAt(this.at(event)));
  }

  at(event) { return event.clientX - this.host.getBoundingClientRect().left; }
  rowOf(event) { return Math.floor((event.clientY - this.host.getBoundingClientRect().top) / this.rowHeight); }

  move(event) {
    const time = this.clamp(this.timeAt(this.at(event)));
    if (this.drag === null) {
      showTip(this.at(event) < chartLeft ? this.nameMeaning(this.rowOf(event)) : this.meaning(time, this.rowOf(event)), event.clientX, event.clientY);
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

  nameMeaning(number) {
    const place = this.rows[number];
    if (!place) return "";
    if (place.device !== undefined) return place.label;
    const {name} = this.profile.threads[place.thread];
    return `${place.label}${name ? `: ${name}` : ""}${profileHasThreads(this.profile) ? `; a click selects ${place.thread === this.thread ? "all threads again" : "it"}` : ""}`;
  }

  meaning(time, number) {
    const place = this.rows[number];
    if (!place) return formatDuration(time * 1e3);
    if (place.device !== undefined) return this.meaningOfDevice(time * 1e3, place);
    const row = place.thread;
    const thread = this.profile.threads[row];
    const {row: rows, begin, length, busy, state, node} = this.profile.timeline;
    const found = new Set();
    for (let i = 0; i < rows.length && found.size < mostNamed; ++i) {
      if (rows[i] !== row || busy[i] === 0 || begin[i] > time || time >= begin[i] + length[i]) continue;
      found.add(`${timeClasses[this.profile.states[state[i]].class].label}${this.where(node[i])}`);
    }
    return `${formatDuration(time * 1e3)} after the start, ${thread.threads > 1 ? "threads" : "thread"} ${thread.label}: ${[...found].join("\n") || timeClasses.gap.label}`;
  }

  // ": compute in solve [omp parallel solve.c:12]": the function of a path, and the construct around it.
  where(node) {
    if (node === 0) return "";
    const {frame, parent} = this.profile.trees.user.down;
    const own = frameName(this.profile, frame[node]);
    for (let at = parent[node]; at > 0; at = parent[at]) {
      const name = frameName(this.profile, frame[at]);
      if (name.includes(" [omp ")) return `: ${own} in ${name}`;
    }
    return `: ${own}`;
  }

  // The operations at the time, and those within a pixel of it. Times are in nanoseconds.
  meaningOfDevice(time, {device, label}) {
    const {device: devices, begin, length, busy, what, construct, bytes, count} = this.profile.timeline.devices;
    const near = (this.to - this.from) * 1e3 / this.width;
    const found = [];
    let more = 0;
    for (let i = 0; i < devices.length; ++i) {
      if (devices[i] !== device || begin[i] > time + near || begin[i] + length[i] < time - near) continue;
      if (found.length === mostNamed) {
        ++more;
        continue;
      }
      const rate = bytes[i] > 0 && busy[i] > 0 && /copy/.test(what[i]) ? `, ${formatRate(bytes[i], busy[i])}` : "";
      const size = bytes[i] > 0 ? `, ${formatBytes(bytes[i])}${rate}` : "";
      const times = count[i] > 1 ? `${formatCount(count[i])} times ` : "";
      found.push(`${times}${what[i]}: ${construct[i] || "several constructs"}, ${formatDuration(busy[i])}${size}`);
    }
    if (more > 0) found.push(`${formatCount(more)} more`);
    return `${formatDuration(time)} after the start, ${label}: ${found.join("\n") || "nothing"}`;
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
