// Colours and patterns. Each class of time has both, so a reader can do without either.

const timeClasses = {
  work: {label: "work in parallel regions", hatch: null},
  serial: {label: "serial work", hatch: null},
  overhead: {label: "OpenMP runtime", hatch: "M2 0V6"},
  barrier: {label: "waiting at barriers", hatch: "M-1 1L1 -1M0 6L6 0M5 7L7 5"},
  lock: {label: "waiting for locks", hatch: "M0 6L6 0M0 0L6 6"},
  tasks: {label: "waiting for tasks", hatch: "M2 3h1.4"},
  target: {label: "waiting for a device", hatch: "M-1 5L1 7M0 0L6 6M5 -1L7 1"},
  library: {label: "waiting in a library", hatch: "M0 3H6M3 0V6"},
  idle: {label: "idle between regions", hatch: "M0 3H6"},
  ready: {label: "ready, without a processor", hatch: "M-1 1L1 -1M0 6L6 0M5 7L7 5M0 0L6 6"},
  blocked: {label: "blocked outside OpenMP", hatch: "M1 0V6M4 0V6"},
  gap: {label: "off the processor, or in short waits", hatch: null},
  mpi: {label: "in MPI", hatch: "M2 3h1.4M5 0h1"},
  ompprof: {label: "ompprof itself", hatch: "M0 0L6 6"},
  unknown: {label: "outside OpenMP", hatch: null},
  kernel: {label: "kernel on a device", hatch: null},
  upload: {label: "copy to a device", hatch: "M-1 5L1 7M0 0L6 6M5 -1L7 1"},
  download: {label: "copy from a device", hatch: "M-1 1L1 -1M0 6L6 0M5 7L7 5"},
  memory: {label: "memory of a device: allocation, free", hatch: "M2 3h1.4"},
};

// The classes of devices' operations.
const deviceClasses = ["kernel", "upload", "download", "memory"];

const waitingClasses = new Set(["barrier", "lock", "tasks", "target", "library", "idle", "ready", "blocked"]);
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
    element("span", {class: "key"}, element("i", {class: `c-${name}`}), timeClasses[name].label)));
}

// From blue (less) over the card's own colour to red (more): `change` is -1 to 1.
const changeColour = (change) =>
  d3.interpolateRgbBasis(["#2166ac", "#67a9cf", "#d1e5f0", "#e8e8e8", "#fddbc7", "#ef8a62", "#b2182b"])(
    (Math.max(-1, Math.min(1, change)) + 1) / 2);
