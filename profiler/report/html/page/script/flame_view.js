// The flame graph's view, with its choices of direction, metric, colour and view.

const flameState = {direction: "down", metric: "cpu", colouring: "state", view: "user", recursion: "folded", focus: "", search: "", range: null};

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
    return element("span", {class: "key"}, swatch, text);
  }));
}

// `state` holds the present choices. `compare`: compares with the profile before. Returns {node, refresh, graph}.
function flamePanel(profile, state, {compare, label}) {
  const metrics = metricsOf(profile);
  const detail = element("div", {class: "detail"});
  const keys = element("div");
  const chips = element("span", {class: "group"});
  const found = element("span", {class: "soft", "aria-live": "polite"});
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
    if (state.range && (state.view === "machine" || !["cpu", "wait"].includes(state.metric))) state.range = null;
    const order = moduleOrder(profile, state.view);
    replace(chips,
      state.focus && chip(`only stacks through ${state.focus.replace(/^\^|\$$|\\/g, "")}`, "Stacks without a matching function are left out", () => state.focus = ""),
      state.range && chip(`${formatDuration(state.range.from * 1e3)} to ${formatDuration(state.range.to * 1e3)}`, "Only samples of the time selected in the timeline", () => {
        state.range = null;
      }));
    const data = flameTree(profile, {...state, compare});
    replace(keys, compare ? changeLegend() : state.colouring === "module" ? moduleLegend(order)
      : legend(profile.classes.filter((name, i) => data && data.byClass[i] > 0)));
    graph.searched = state.search;
    graph.show(data, {metric: metrics[state.metric], colouring: colouring(), modules: new Map(order.map((module, i) => [module, i]))});
    const {nodes, down} = treesOf(profile, state.view, state.recursion === "folded");
    recursion.hidden = profile.trees[state.view].folded === null;
    folded.textContent = nodes > down.size ? `${formatCount(nodes)} call paths; the smallest are folded into "(N more)"` : "";
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
  const recursion = choice("Recursion", [["folded", "folded", "a recursion once, with its depth: x46 is up to 46 calls in one call path"], ["whole", "each call", "each call of a recursion as a frame of its own"]], state.recursion, set("recursion")).node;
  const node = element("div", {},
    element("div", {class: "toolbar"},
      choice("Direction", [["down", "top-down", "from main to the called functions"], ["up", "bottom-up", "from the functions with a cost to their callers"]], state.direction, set("direction")).node,
      choice("Metric", Object.entries(metrics).map(([name, {label: text, title}]) => [name, text, title]), state.metric, set("metric")).node,
      !compare && choice("Colour", [["state", "by state", "the OpenMP state with most of the frame's time"], ["module", "by module", "the file that holds the function's code"]], state.colouring, set("colouring")).node,
      !compare && choice("View", [["user", "user", "the program as written: workers' call paths spliced to their regions, constructs with names, no runtime frames"], ["machine", "machine", "the stacks as recorded, with runtime frames"]], state.view, set("view")).node,
      recursion),
    element("div", {class: "toolbar"}, search, focus,
      element("button", {type: "button", title: "Shows all frames again (Escape)", onclick: () => graph.resetZoom()}, "Reset zoom"), chips, found, folded),
    keys, graph.host, detail);
  refresh();
  return {node, refresh, graph};
}

function drawFlame(profile) {
  const panel = flamePanel(profile, flameState, {compare: false, label: "Flame graph"});
  return card(null, panel.node, element("p", {class: "soft"}, "↳ marks a function inlined into its caller. Click or ",
    element("kbd", {}, "Enter"), " zooms to a frame. ", element("kbd", {}, "Esc"), " shows all frames. A double click or ", element("kbd", {}, "f"), " shows only stacks through a frame. Arrow keys move between frames."));
}

// Opens the flame graph with only the stacks through a function.
function showInFlame(name, metric) {
  Object.assign(flameState, {focus: `^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`, search: "", range: null, view: "user", metric: metric || flameState.metric});
  location.hash = "#flame";
}
