// Small charts: stacked bars by class of time, and sparklines by thread.

// A thread's time by class. If waits were recorded, waits are exact. Time off the processor outside of waits comes from
// the thread's clocks. The rest of the time is work.
function threadParts(profile, thread) {
  const of = (values, name) => values[profile.classes.indexOf(name)];
  if (!profile.waitsKnown) {
    return profile.classes.map((name, i) => ({name, value: thread.sampled[i], from: "sampled"})).filter((part) => part.value > 0);
  }
  const parts = [];
  let rest = thread.lifetime_ns;
  for (const name of profile.classes) {
    const value = of(thread.waited_ns, name);
    if (value <= 0) continue;
    parts.push({name, value, from: "exact"});
    rest -= value;
  }
  for (const [name, value] of [["ready", thread.ready_ns], ["blocked", thread.blocked_ns]]) {
    if (value <= 0) continue;
    parts.push({name, value, from: "from the thread's clocks"});
    rest -= value;
  }
  // The samples outside of measured waits distribute the time on the processor outside of these waits.
  const active = profile.classes.filter((name) => !measuredWaits.has(name));
  const sampled = active.reduce((sum, name) => sum + of(thread.sampled, name), 0);
  const work = active.map((name) => ({
    name, value: Math.max(0, rest) * (sampled > 0 ? of(thread.sampled, name) / sampled : Number(name === "unknown")),
    from: "time on the processor without measured waits, distributed by samples"}));
  return [...work, ...parts].filter((part) => part.value > 0);
}

// A part's `label` stands instead of its class's. `few`: the bar comes from few samples, and is drawn so.
function stackedBar(parts, whole, format, few = false) {
  const label = (part) => part.label || timeClasses[part.name].label;
  const all = parts.map((part) => `${label(part)} ${format(part.value)}`);
  return element("div", {class: few ? "stack few" : "stack", role: "img", "aria-label": all.join(", "), title: [...all, `full bar: ${format(whole)}`].join("\n")},
    parts.map((part) => element("i", {class: `c-${part.name}`, "width%": whole > 0 ? 100 * part.value / whole : 0,
      title: `${label(part)}: ${format(part.value)}, ${formatShare(part.value, whole)} of ${format(whole)} (${part.from})`})));
}

// Fewer samples than this say little about the differences between threads: two standard deviations are half of the
// value.
const fewSamples = 16;

// A bar for each value, relative to the largest value. Values from few samples have hollow bars.
function sparkline(values, kind, meaning, samples = []) {
  const width = Math.max(44, Math.min(96, values.length * 5));
  const height = 20;
  const largest = Math.max(...values, 1);
  const each = width / values.length;
  const svg = svgElement("svg", {width, height, class: `spark ${kind}`, role: "img", "aria-label": meaning});
  svg.append(svgElement("title", {}, meaning));
  values.forEach((value, i) => {
    const tall = Math.max(value > 0 ? 1 : 0, height * value / largest);
    const few = i < samples.length && samples[i] < fewSamples;
    svg.append(svgElement("rect", {x: i * each, y: height - tall, width: Math.max(.8, each - (each > 3 ? 1 : .2)), height: tall, class: few ? "few" : "whole"}));
  });
  return svg;
}

function spread(values) {
  const sum = values.reduce((all, value) => all + value, 0);
  return {least: Math.min(...values), mean: sum / Math.max(1, values.length), most: Math.max(...values), sum};
}

function sparkMeaning(what, values, format, samples = []) {
  const {least, mean, most} = spread(values);
  const few = samples.some((count) => count < fewSamples) ? `; dashed bars: fewer than ${fewSamples} samples` : "";
  return `${what} by thread: least ${format(least)}, mean ${format(mean)}, most ${format(most)}${few}`;
}
