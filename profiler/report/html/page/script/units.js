// Formats numbers for people.

function formatDuration(ns) {
  const value = Math.abs(ns);
  if (value === 0) return "0 s";
  if (value < 1e3) return `${ns.toFixed(0)} ns`;
  if (value < 999.995e3) return `${(ns / 1e3).toFixed(2)} µs`;
  if (value < 999.995e6) return `${(ns / 1e6).toFixed(2)} ms`;
  return `${(ns / 1e9).toFixed(2)} s`;
}

// "~1.23 s ±0.08", both in one unit, for an estimated sum. ci95 is in nanoseconds.
function formatMeasured(ns, estimated, ci95) {
  if (!estimated) return formatDuration(ns);
  const [unit, name] = ns < 999.995e3 ? [1e3, "µs"] : ns < 999.995e6 ? [1e6, "ms"] : [1e9, "s"];
  return `~${(ns / unit).toFixed(2)} ${name} ±${(ci95 / unit).toFixed(2)}`;
}

// Puts "~" before a figure that is computed from an estimated figure.
const tilde = (estimated, text) => (estimated ? `~${text}` : text);

const formatCount = (count) => Math.round(count).toLocaleString("en-US");

function formatShare(part, whole) {
  if (!whole) return "–";
  const percent = 100 * part / whole;
  return `${percent.toFixed(Math.abs(percent) < 10 && percent !== 0 ? 2 : 1)} %`;
}

const formatFactor = (value) => value.toFixed(2);

function formatEvents(count) {
  if (count < 1e3) return `${count.toFixed(0)} events`;
  if (count < 1e6) return `${(count / 1e3).toFixed(2)} k events`;
  if (count < 1e9) return `${(count / 1e6).toFixed(2)} M events`;
  return `${(count / 1e9).toFixed(2)} G events`;
}

// Powers of ten, as the rates of buses and memory are given.
function formatBytes(bytes) {
  if (bytes < 1e3) return `${bytes} bytes`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(2)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(2)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

const formatRate = (bytes, ns) => (ns > 0 ? `${formatCount(1e3 * bytes / ns)} MB/s` : "–");

const baseName = (path) => path.slice(path.lastIndexOf("/") + 1);

// Characters that can deceive a reader: control characters, and marks that change the direction of writing.
const deceptive = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const printable = (text) => text.replace(deceptive, "\ufffd");
