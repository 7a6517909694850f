// Chooses the view by the address's hash, handles keys that work in all views, and starts the page.

let shown = null;  // {profile, view, node}

const views = [
  {name: "overview", label: "Overview", draw: drawOverview},
  {name: "flame", label: "Flame graph", draw: drawFlame},
  {name: "functions", label: "Functions", draw: drawFunctions},
  {name: "sandwich", label: "Sandwich", title: "callers and callees of a function", draw: drawSandwich},
  {name: "regions", label: "Regions", draw: drawRegions},
  {name: "ranks", label: "Ranks", draw: drawRanks, when: (profile) => profile.ranks !== null},
  {name: "locks", label: "Locks", draw: drawLocks},
  {name: "devices", label: "Devices", draw: drawDevices, when: (profile) => Boolean(profile.report.devices)},
  {name: "timeline", label: "Timeline", draw: drawTimeline},
  {name: "source", label: "Source", draw: drawSource},
  {name: "assembly", label: "Assembly", title: "instructions of the hottest functions", draw: drawAssembly},
  {name: "difference", label: "Difference", draw: drawDifference, when: (profile) => profile.before !== null},
];

const viewsOf = (profile) => views.filter((view) => !view.when || view.when(profile));

// The host, or of a unified job the number of hosts.
function hostsText({report, ranks}) {
  if (!ranks) return report.host;
  const hosts = new Set(ranks.map(({host}) => host));
  return hosts.size === 1 ? [...hosts][0] : `${formatCount(hosts.size)} hosts`;
}

function drawHead(profile) {
  const {program, command, start_unix_ns, duration_ns, cpu_ns, samples, lost, runtime, complete, clock, source} = profile.report;
  const threads = profile.threads.reduce((sum, thread) => sum + thread.threads, 0);
  const fact = (label, value, meaning) => element("span", {title: meaning}, label, " ", element("b", {}, value));
  replace(document.getElementById("head"),
    element("h1", {title: program}, baseName(program)),
    element("span", {class: "command code", title: command.join(" ")}, command.join(" ")),
    !complete && document.getElementById("data").dataset.encoding === "served" && element("span", {class: "live"}, "recording"),
    element("div", {class: "facts"},
      fact("ran", formatDuration(duration_ns), "wall time, from the start to the end of the longest process"), fact("CPU", formatDuration(cpu_ns), "CPU time of all processes, from their clocks, without the collector's thread"),
      fact("threads", formatCount(threads), "in all processes"), fact("samples", formatCount(samples), `samples with a stack, by ${source}, clock ${clock}`),
      fact("lost", lost.samples > 0 ? formatCount(lost.samples) : "none", "samples that are in no stack"),
      fact("on", hostsText(profile), "host"), fact("at", new Date(start_unix_ns / 1e6).toLocaleString(), "start of the program"),
      runtime && fact("OpenMP", runtime, "the OpenMP runtime's version")));
}

function drawTabs(profile, current) {
  replace(document.getElementById("tabs"), viewsOf(profile).map((view, i) => element("a",
    {href: `#${view.name}`, "aria-current": view.name === current ? "page" : null, title: [view.title, i < 9 && `key ${i + 1}`].filter(Boolean).join("; ") || view.label},
    view.label, i < 9 && element("kbd", {"aria-hidden": "true"}, i + 1))));
}

// `again`: shows the same view with newer data, and keeps its scroll position.
function route(again) {
  const {profile} = shown;
  const box = document.querySelector(".source-box");
  const place = {page: window.scrollY, box: box ? box.scrollTop : 0};
  const [name, ...parts] = location.hash.slice(1).split("/");
  const main = document.getElementById("main");
  const view = viewsOf(profile).find((candidate) => candidate.name === name);
  const node = view ? view.draw(profile, ...parts) : name === "region" ? drawRegion(profile, ...parts) : drawOverview(profile);
  const current = view ? view.name : name === "region" ? "regions" : "overview";
  drawTabs(profile, current);
  shown.node = node;
  main.dataset.view = name === "region" ? "region" : current;
  replace(main, node);
  if (again === true) {
    window.scrollTo(0, place.page);
    const newBox = document.querySelector(".source-box");
    if (newBox) newBox.scrollTop = place.box;
  } else if (node.shown) {
    node.shown();
  } else {
    window.scrollTo(0, 0);
  }
}

function help() {
  const keys = [["1 – 9", "open a view"], ["/", "search or filter"], ["← → ↑ ↓", "move between frames; in the timeline, move the cursor"], ["Enter", "zoom to the frame or the selected time"], ["Esc", "show all frames, or clear the selected time"], ["f", "show only stacks through the frame"], ["Shift ← →", "select time"], ["+ − 0", "zoom the timeline; show the whole run"], ["h n p", "hottest, next and previous hot line or instruction"], ["?", "show these keys"]];
  const dialog = element("dialog", {"aria-label": "Keys"}, element("h2", {}, "Keys"),
    element("dl", {class: "keys"}, keys.flatMap(([key, meaning]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, meaning)])),
    element("p", {class: "soft"}, "Every number has a hover text with its meaning. This page uses d3 and d3-flame-graph; their licences are in its source."),
    element("p", {}, element("button", {type: "button", onclick: () => dialog.close()}, "Close")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function globalKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || !shown) return;
  const typing = event.target.matches("input, select, textarea");
  if (event.key === "Escape" && typing) {
    event.target.blur();
    return;
  }
  if (typing || document.querySelector("dialog[open]")) return;
  const view = viewsOf(shown.profile)[Number(event.key) - 1];
  if (view) {
    location.hash = `#${view.name}`;
    document.getElementById("main").focus();
  } else if (event.key === "/") {
    const search = document.querySelector("#main [data-search]");
    if (search) search.focus();
  } else if (event.key === "?") {
    help();
  } else if (shown.node.keys && shown.node.keys[event.key]) {
    shown.node.keys[event.key]();
  } else {
    return;
  }
  event.preventDefault();
}

// The page of `ompprof scale` is one view.
function showScaling(scaling) {
  replace(document.getElementById("head"), element("h1", {}, "How it scales"),
    element("span", {class: "command code", title: scaling.command}, scaling.command));
  const main = document.getElementById("main");
  main.dataset.view = "scaling";
  replace(main, drawScaling(scaling));
}

function show(raw) {
  const again = shown !== null;
  shown = {profile: decodeProfile(raw), node: null};
  drawHead(shown.profile);
  route(again);
}

async function start() {
  document.title = printable(document.title);
  document.body.append(patternDefinitions());
  installTips();
  window.addEventListener("hashchange", () => shown && route(false));
  window.addEventListener("keydown", globalKey);
  const raw = await readEmbedded();
  if (raw && raw.scaling) showScaling(cleanTexts(raw.scaling));
  else if (raw) show(raw);
  else await follow(show);
}

start().catch((error) => {
  replace(document.getElementById("main"), card("This page cannot be shown", element("p", {}, String(error.message || error)),
    element("p", {class: "soft"}, "This page needs a browser of 2023 or later.")));
  throw error;
});
