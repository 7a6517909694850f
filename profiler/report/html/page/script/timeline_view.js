// The timeline's view: the chart, and the stacks of the selected time.

const timelineFlame = {direction: "down", metric: "cpu", colouring: "state", view: "user", recursion: "folded", focus: "", search: "", range: null, thread: null};

// What all threads, or one row of them, did in the selected time: a bar and its parts.
function selectionSummary(profile, range, thread) {
  const {from, to} = range;
  const rows = new Map(profile.threads.map((each, i) => [i, 0]).filter(([i]) => thread === null || i === thread));
  const [values] = occupancy(profile, {from, to, columns: 1, rows, lines: 1});
  const whole = thread === null ? livingBetween(profile, from, to) : profile.threads[thread].threads * (to - from);
  const parts = profile.classes.map((name, i) => ({name, value: values[i] * 1e3, from: "samples, and waits of a sampling period or more"})).filter(({value}) => value > 0);
  const gap = whole * 1e3 - parts.reduce((sum, {value}) => sum + value, 0);
  if (gap > 0) parts.push({name: "gap", value: gap, from: timeClasses.gap.meaning});
  const all = parts.reduce((sum, {value}) => sum + value, 0);
  return [stackedBar(parts, all, formatDuration),
    element("div", {class: "legend"}, parts.map(({name, value}) => element("span", {class: "key", title: `${formatDuration(value)}: ${timeClasses[name].meaning}`}, element("i", {class: `c-${name}`}), `${timeClasses[name].label} ${formatShare(value, all)}`)))];
}

// The thread time that living threads have between two times, in microseconds.
function livingBetween(profile, from, to) {
  const {duration, living} = profile.timeline;
  return living.time.reduce((sum, time, i) => {
    const end = i + 1 < living.time.length ? living.time[i + 1] : duration;
    return sum + living.threads[i] * Math.max(0, Math.min(to, end) - Math.max(from, time));
  }, 0);
}

function drawTimeline(profile) {
  if (!profile.timeline) return card("Timeline", noTimeline(profile));
  timelineFlame.view = "user";
  const said = element("span", {"aria-live": "polite"});
  const summary = element("div", {class: "selected"});
  const title = element("h2", {});
  const panel = flamePanel(profile, timelineFlame, {compare: false, label: "Flame graph of the selected time", onRange: () => chart.select(null), onChange: () => say()});
  const chart = new TimelineChart(profile, (range) => {
    timelineFlame.range = range;
    panel.refresh();
  }, (thread) => panel.setThread(timelineFlame.thread === thread ? null : thread));
  const zoom = button("Zoom to selection", "shows the selected time over the whole width (Enter)", () => chart.zoomToRange());
  const clear = button("Clear selection", "shows the stacks of the whole run again (Escape)", () => chart.select(null));
  const say = () => {
    const {range, thread} = timelineFlame;
    const whose = thread === null ? "all threads" : threadLabel(profile.threads[thread]);
    const time = range ? `${formatDuration(range.from * 1e3)} to ${formatDuration(range.to * 1e3)}` : "the whole run";
    said.textContent = range ? `Selected: ${time} (${formatDuration((range.to - range.from) * 1e3)}), ${whose}` : "Drag over the chart to select a part of the time. A click on a thread's name selects the thread.";
    title.textContent = `Stacks of ${time}, ${whose}`;
    replace(summary, range && selectionSummary(profile, range, thread));
    zoom.disabled = clear.disabled = !range;
    chart.mark(thread);
  };
  chart.range = timelineFlame.range;
  say();
  const toFlame = button("Open in the flame graph", "shows the selected time and thread in the flame graph's view", () => {
    Object.assign(flameState, {range: timelineFlame.range, thread: timelineFlame.thread, focus: "", view: "user", metric: timelineFlame.metric});
    location.hash = "#flame";
  });
  const {resolution} = profile.timeline;
  return element("div", {}, card(profile.timeline.devices ? "Threads and devices over time" : "Threads over time", legend([...classesOverTime(profile), "gap", ...deviceClassesOverTime(profile)]), chart.host,
    element("div", {class: "toolbar"}, said,
      button("Zoom in", "zooms in by a factor of 2 (+)", () => chart.zoom(.5, chart.range ? (chart.range.from + chart.range.to) / 2 : chart.cursor)),
      button("Zoom out", "zooms out by a factor of 2 (−)", () => chart.zoom(2, chart.cursor)),
      zoom, button("Whole run", "shows the whole run (0)", () => chart.zoom(1e9, 0)), clear, toFlame),
    summary,
    element("p", {class: "soft"}, "The chart comes from samples, so details shorter than a sampling period are uncertain. Waits of a period or more are exact. ",
      profile.timeline.devices && "The times of devices are exact. ",
      profile.timeline.devices && profile.timeline.devices.resolution > 0 && `Their resolution is ${formatDuration(profile.timeline.devices.resolution)}, to keep the page small. `,
      resolution > 0 && `The resolution is ${formatDuration(resolution * 1e3)}, to keep the page small. `,
      element("kbd", {}, "Shift"), "-", element("kbd", {}, "→"), " selects with keys. ", element("kbd", {}, "+"), ", ", element("kbd", {}, "−"), " and the wheel with ", element("kbd", {}, "Ctrl"), " zoom.")),
  element("section", {class: "card"}, title, panel.node));
}
