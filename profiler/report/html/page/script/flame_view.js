// The flame graph's view, with its choices of direction, metric, colour and view.

const flameState = {direction: "down", metric: "cpu", colouring: "state", view: "user", recursion: "folded", focus: "", search: "", range: null, thread: null};

// Paths of modules by the weight of their samples, for colours.
function moduleOrder(profile, view) {
  const {rows, frame} = profile.trees[view].down;
  const weights = new Map();
  rows.cpu.forEach((value, i) => {
    const at = frame[rows.node[i]];
    const module = at >= 0 && rows.node[i] > 0 ? profile.frames.module[at] : "";
    if (module) weights.set(module, (weights.get(module) || 0) + value);
  });
  return [...weights.entries()].sort((a, b) => b[1] - a[1]).map(([module]) => module);
}

function moduleLegend(order) {
  const shown = order.slice(0, moduleColours.length - 1);
  const keys = shown.map((module, i) => [module, moduleColours[i]]);
  return element("div", {class: "legend"}, [...keys, ["other modules, and made-up frames", moduleColours.at(-1)]].map(([module, colour]) => {
    const swatch = element("i");
    swatch.style.background = colour;
    return element("span", {class: "key", title: module}, swatch, baseName(module));
  }));
}

function changeLegend() {
  return element("div", {class: "legend"}, [[-.8, "▼ less time than before"], [0, "unchanged"], [.8, "▲ more time than before"]].map(([change, text]) => {
    const swatch = element("i");
    swatch.style.background = changeColour(change);
    return element("span", {class: "key", title: "the change of the frame's total, relative to the larger of both runs"}, swatch, text);
  }));
}

// Chooses a row of threads, or all. Nothing if there is only one. Returns {node, set}.
function threadChoice(profile, value, onchange) {
  if (!profileHasThreads(profile)) return null;
  const whole = profile.threads.reduce((sum, {sampled}) => sum + sampled.reduce((all, part) => all + part, 0), 0);
  const options = profile.threads.map((thread, i) => element("option", {value: i},
    `${threadLabel(thread)}  (${formatShare(thread.sampled.reduce((all, part) => all + part, 0), whole)} of ${metricsOf(profile).cpu.noun})`));
  const select = element("select", {"aria-label": "Thread", title: "shows only the stacks of one thread", onchange: () => onchange(select.value === "" ? null : Number(select.value))},
    element("option", {value: ""}, "all threads"), options);
  const set = (thread) => select.value = thread === null ? "" : String(thread);
  set(value);
  return {node: element("span", {class: "group"}, "Thread", select), set};
}

const threadLabel = ({label, threads}) => (threads > 1 ? `threads ${label}` : `thread ${label}`);

// Of the metrics, those that are known for a part of the time.
const timedMetrics = ["cpu", "wait"];

// `state` holds the present choices. `compare`: compares with the profile before. Returns {node, refresh, graph}.
function flamePanel(profile, state, {compare, label, onRange, onChange}) {
  const metrics = metricsOf(profile);
  const detail = element("div", {class: "detail"});
  const keys = element("div");
  const chips = element("span", {class: "group"});
  const found = element("span", {class: "soft", "aria-live": "polite"});
  let drawn = false;
  const colouring = () => (compare ? "change" : state.colouring);
  const graph = new FlameGraph(profile, label, {
    onSelect: (data, whole) => replace(detail, frameDetail(profile, metrics[state.metric], data, whole, compare)),
    onSearch: (text) => found.textContent = text,
    onFocus: (name) => {
      state.focus = `^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;
      refresh();
      announce(`Only stacks through ${name.length > 60 ? `${name.slice(0, 60)}…` : name}`);
      graph.host.focus();
    },
  });

  const chip = (text, meaning, clear) => element("span", {class: "chip", title: meaning}, text,
    element("button", {type: "button", "aria-label": `Remove: ${text}`, onclick: () => {
      clear();
      refresh();
    }}, "✕"));
  const refresh = () => {
    allowChoices();
    if (onChange && drawn) onChange();
    const order = moduleOrder(profile, state.view);
    replace(chips,
      state.focus && chip(`only stacks through ${state.focus.replace(/^\^|\$$|\\/g, "")}`, "Stacks without a matching function are left out", () => state.focus = ""),
      state.range && chip(`${formatDuration(state.range.from * 1e3)} to ${formatDuration(state.range.to * 1e3)}`, "Only samples of the time selected in the timeline", () => {
        state.range = null;
        if (onRange) onRange(null);
      }),
      state.thread !== null && chip(`only ${threadLabel(profile.threads[state.thread])}`, "Only the stacks of this thread", () => {
        state.thread = null;
        threads.set(null);
      }));
    const data = flameTree(profile, {...state, compare});
    replace(keys, compare ? changeLegend() : state.colouring === "module" ? moduleLegend(order)
      : legend(profile.classes.filter((name, i) => data && data.byClass[i] > 0)));
    graph.searched = state.search;
    graph.show(data, {metric: metrics[state.metric], colouring: colouring(), modules: new Map(order.map((module, i) => [module, i]))});
    const {nodes, down} = treesOf(profile, state.view, state.recursion === "folded");
    recursion.hidden = profile.trees[state.view].folded === null;
    folded.textContent = nodes > down.size ? `${formatCount(nodes)} call paths; the smallest are folded into "(N more)"; the page of a part (ompprof report --focus FUNCTION --html FILE) has them` : "";
  };
  const folded = element("span", {class: "soft"});
  const set = (name) => (value) => {
    state[name] = value;
    refresh();
  };
  const search = element("input", {type: "search", value: state.search, placeholder: "Search functions  ( / )", "aria-label": "Search functions: text or regular expression",
    "data-search": true, oninput: (event) => {
      state.search = event.target.value;
      graph.search(state.search);
    }});
  const focus = element("button", {type: "button", title: "Shows only stacks through the searched function; without a search, through the selected frame (f)", onclick: () => {
    if (state.search) {
      state.focus = state.search;
      state.search = search.value = "";
      refresh();
    } else {
      graph.focusCurrent();
    }
  }}, "Focus");
  const metric = choice("Metric", Object.entries(metrics).map(([name, {label: text, title}]) => [name, text, title]), state.metric, set("metric"));
  const view = choice("View", [["user", "user", "the program as written: workers' call paths spliced to their regions, constructs with names, no runtime frames"], ["machine", "machine", "the stacks as recorded, with runtime frames"]], state.view, set("view"));
  // Blame and the machine's stacks are not known by time: choices that the selected time has not are undone.
  const allowChoices = () => {
    if (state.range && !timedMetrics.includes(state.metric)) metric.set(state.metric = "cpu");
    if (state.range && state.view === "machine") view.set(state.view = "user");
    metric.allow(state.range ? timedMetrics : Object.keys(metrics), "not known for a part of the time: clear the selected time first");
    view.allow(state.range ? ["user"] : ["user", "machine"], "not known for a part of the time: clear the selected time first");
  };
  if (state.thread !== null && !profile.threads[state.thread]) state.thread = null;  // of an earlier version of a served page
  const threads = compare ? null : threadChoice(profile, state.thread, set("thread"));
  const recursion = choice("Recursion", [["folded", "folded", "a recursion once, with its depth: x46 is up to 46 calls in one call path"], ["whole", "each call", "each call of a recursion as a frame of its own"]], state.recursion, set("recursion")).node;
  const node = element("div", {},
    element("div", {class: "toolbar"},
      choice("Direction", [["down", "top-down", "from main to the called functions"], ["up", "bottom-up", "from the functions with a cost to their callers"]], state.direction, set("direction")).node,
      metric.node,
      !compare && choice("Colour", [["state", "by state", "the OpenMP state with most of the frame's time"], ["module", "by module", "the file that holds the function's code"]], state.colouring, set("colouring")).node,
      !compare && view.node, threads && threads.node, recursion),
    element("div", {class: "toolbar"}, search, focus,
      element("button", {type: "button", title: "Shows all frames again (Escape)", onclick: () => graph.resetZoom()}, "Reset zoom"), chips, found, folded),
    keys, graph.host, detail);
  refresh();
  drawn = true;
  return {node, refresh, graph, setThread: (thread) => {
    state.thread = thread;
    threads.set(thread);
    refresh();
  }};
}

function drawFlame(profile) {
  const panel = flamePanel(profile, flameState, {compare: false, label: "Flame graph"});
  return card(null, panel.node, element("p", {class: "soft"}, "↳ marks a function inlined into its caller. Click or ",
    element("kbd", {}, "Enter"), " zooms to a frame. ", element("kbd", {}, "Esc"), " shows all frames. A double click or ", element("kbd", {}, "f"), " shows only stacks through a frame. Arrow keys move between frames."));
}

// Opens the flame graph with only the stacks through a function.
function showInFlame(name, metric) {
  Object.assign(flameState, {focus: `^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`, search: "", range: null, thread: null, view: "user", metric: metric || flameState.metric});
  location.hash = "#flame";
}

// Opens the flame graph with only the stacks of a row of threads.
function showThread(thread) {
  Object.assign(flameState, {focus: "", search: "", range: null, thread, view: "user"});
  location.hash = "#flame";
}
