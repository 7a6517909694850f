// Colours and patterns. Each class of time has both, so a reader can do without either.

const timeClasses = {
  work: {label: "work in parallel regions", meaning: "on a processor in a parallel region, outside of waits", hatch: null},
  serial: {label: "serial work", meaning: "the initial thread outside of parallel regions", hatch: null},
  inflation: {label: "work inflation", meaning: "useful time beyond that of the fewest threads: memory bandwidth, caches or false sharing, or more work", hatch: "M-1 5L1 7M0 0L6 6M5 -1L7 1"},
  overhead: {label: "OpenMP runtime", meaning: "in the OpenMP runtime's own code, outside of waits", hatch: "M2 0V6"},
  barrier: {label: "waiting at barriers", meaning: "the thread has come to a barrier, and others have not", hatch: "M-1 1L1 -1M0 6L6 0M5 7L7 5"},
  lock: {label: "waiting for locks", meaning: "another thread has the lock, critical, ordered or atomic construct", hatch: "M0 6L6 0M0 0L6 6"},
  tasks: {label: "waiting for tasks", meaning: "in taskwait or taskgroup, with no task to execute", hatch: "M2 3h1.4"},
  target: {label: "waiting for a device", meaning: "a kernel or a copy on a device has not ended", hatch: "M-1 5L1 7M0 0L6 6M5 -1L7 1"},
  library: {label: "waiting outside OpenMP", meaning: "for a mutex or another lock outside OpenMP, or in a library whose threads spin or sleep while they have no work", hatch: "M0 3H6M3 0V6"},
  idle: {label: "idle between regions", meaning: "a worker thread without work until the next region", hatch: "M0 3H6"},
  ready: {label: "ready, without a processor", meaning: "the thread could run, but other threads or programs had the processors", hatch: "M-1 1L1 -1M0 6L6 0M5 7L7 5M0 0L6 6"},
  blocked: {label: "blocked outside OpenMP", meaning: "asleep in the kernel: I/O, page faults or other locks", hatch: "M1 0V6M4 0V6"},
  gap: {label: "off the processor, or in short waits", meaning: "no samples: the thread is off the processor, or in waits shorter than a sampling period, or has ended", hatch: null},
  mpi: {label: "in MPI", meaning: "in functions of MPI, mostly waiting for other ranks", hatch: "M2 3h1.4M5 0h1"},
  waiting: {label: "waiting", meaning: "thread time in OpenMP's waits, without idle time between regions", hatch: "M-1 1L1 -1M0 6L6 0M5 7L7 5"},
  ompprof: {label: "ompprof itself", meaning: "the profiler's own work", hatch: "M0 0L6 6"},
  unknown: {label: "outside OpenMP", meaning: "in threads that OpenMP does not know", hatch: null},
  kernel: {label: "kernel on a device", meaning: "a target region runs on the device", hatch: null},
  upload: {label: "copy to a device", meaning: "from the host to the device", hatch: "M-1 5L1 7M0 0L6 6M5 -1L7 1"},
  download: {label: "copy from a device", meaning: "from the device to the host", hatch: "M-1 1L1 -1M0 6L6 0M5 7L7 5"},
  memory: {label: "memory of a device: allocation, free", meaning: "memory of the device is allocated or freed", hatch: "M2 3h1.4"},
};

// The classes of devices' operations.
const deviceClasses = ["kernel", "upload", "download", "memory"];

const waitingClasses = new Set(["barrier", "lock", "tasks", "target", "library", "mpi", "idle", "ready", "blocked"]);
// Waits with exact times, from OpenMP's events. The other waiting is sampled.
const measuredWaits = new Set(["barrier", "lock", "tasks", "idle"]);
const moduleColours = ["#6cbcf0", "#efb03a", "#2db88b", "#f3e85a", "#d997bd", "#e8743b", "#7fa8d9", "#b4becb"];

const classColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// The patterns that SVG charts fill with, as "url(#fill-lock)".
function patternDefinitions() {
  const definitions = svgElement("defs", {});
  for (const [name, {hatch}] of Object.entries(timeClasses)) {
    const pattern = svgElement("pattern", {id: `fill-${name}`, width: 6, height: 6, patternUnits: "userSpaceOnUse"},
      svgElement("rect", {width: 6, height: 6, class: `pattern-${name}`}));
    pattern.firstChild.style.fill = `var(--${name})`;
    if (hatch) {
      const lines = svgElement("path", {d: hatch, "stroke-width": 1, fill: "none"});
      lines.style.stroke = "var(--hatch)";
      pattern.append(lines);
    }
    definitions.append(pattern);
  }
  const svg = svgElement("svg", {width: 0, height: 0, "aria-hidden": "true"}, definitions);
  svg.style.position = "absolute";
  return svg;
}

const classFill = (name) => (timeClasses[name].hatch ? `url(#fill-${name})` : `var(--${name})`);

// A pattern that a canvas fills with.
function canvasFill(context, name) {
  const scale = window.devicePixelRatio || 1;
  const tile = document.createElement("canvas");
  tile.width = tile.height = Math.round(6 * scale);
  const pen = tile.getContext("2d");
  pen.scale(tile.width / 6, tile.height / 6);
  pen.fillStyle = classColour(name);
  pen.fillRect(0, 0, 6, 6);
  if (timeClasses[name].hatch) {
    pen.strokeStyle = classColour("hatch");
    pen.stroke(new Path2D(timeClasses[name].hatch));
  }
  return context.createPattern(tile, "repeat");
}

function legend(names) {
  return element("div", {class: "legend"}, names.map((name) =>
    element("span", {class: "key", title: timeClasses[name].meaning}, element("i", {class: `c-${name}`}), timeClasses[name].label)));
}

// From blue (less) over grey to red (more), all light enough for a dark label: `change` is -1 to 1.
const changeColour = (change) =>
  d3.interpolateRgbBasis(["#4393c3", "#7db8d8", "#cfe3ee", "#e8e8e8", "#fad7c5", "#f0987a", "#e0604f"])(
    (Math.max(-1, Math.min(1, change)) + 1) / 2);
