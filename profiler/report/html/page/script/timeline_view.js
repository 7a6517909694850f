// The timeline's view: the chart, and the stacks of the selected time.

const timelineFlame = {direction: "down", metric: "cpu", colouring: "state", view: "user", recursion: "folded", focus: "", search: "", range: null};

function drawTimeline(profile) {
  if (!profile.timeline) return card("Timeline", noTimeline());
  timelineFlame.view = "user";
  const said = element("span", {class: "soft", "aria-live": "polite"});
  const panel = flamePanel(profile, timelineFlame, {compare: false, label: "Flame graph of the selected time"});
  const chart = new TimelineChart(profile, (range) => {
    timelineFlame.range = range;
    say(range);
    panel.refresh();
  });
  const say = (range) => {
    said.textContent = range ? `${formatDuration(range.from * 1e3)} to ${formatDuration(range.to * 1e3)}: ${formatDuration((range.to - range.from) * 1e3)} selected`
      : "Drag over the chart to select a part of the time and see its stacks.";
  };
  chart.range = timelineFlame.range;
  say(chart.range);
  const toFlame = element("button", {type: "button", title: "shows the selected time in the flame graph's view", onclick: () => {
    Object.assign(flameState, {range: timelineFlame.range, view: "user", metric: "cpu"});
    location.hash = "#flame";
  }}, "Open in the flame graph");
  const {resolution} = profile.timeline;
  return element("div", {}, card(profile.timeline.devices ? "Threads and devices over time" : "Threads over time", legend([...classesOverTime(profile), ...deviceClassesOverTime(profile)]), chart.host,
    element("div", {class: "toolbar"}, said,
      element("button", {type: "button", title: "zooms in by a factor of 2 (+)", onclick: () => chart.zoom(.5, chart.range ? (chart.range.from + chart.range.to) / 2 : chart.cursor)}, "Zoom in"),
      element("button", {type: "button", title: "zooms out by a factor of 2 (−)", onclick: () => chart.zoom(2, chart.cursor)}, "Zoom out"),
      element("button", {type: "button", title: "shows the selected time over the whole width (Enter)", onclick: () => chart.zoomToRange()}, "Zoom to selection"),
      element("button", {type: "button", title: "shows the whole run (0)", onclick: () => chart.zoom(1e9, 0)}, "Whole run"),
      element("button", {type: "button", title: "shows the stacks of the whole run again (Escape)", onclick: () => chart.select(null)}, "Clear selection"), toFlame),
    element("p", {class: "soft"}, "The chart comes from samples, so details shorter than a sampling period are uncertain. Waits of a period or more are exact. ",
      profile.timeline.devices && "The times of devices are exact. ",
      profile.timeline.devices && profile.timeline.devices.resolution > 0 && `Their resolution is ${formatDuration(profile.timeline.devices.resolution)}, to keep the page small. `,
      resolution > 0 && `The resolution is ${formatDuration(resolution * 1e3)}, to keep the page small. `,
      element("kbd", {}, "Shift"), "-", element("kbd", {}, "→"), " selects with keys. ", element("kbd", {}, "+"), ", ", element("kbd", {}, "−"), " and the wheel with ", element("kbd", {}, "Ctrl"), " zoom.")),
  card("Stacks of the selected time", panel.node));
}
