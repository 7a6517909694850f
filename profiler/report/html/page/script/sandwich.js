// The view of one function: the stacks of its callers above it, and of its callees below it.

const sandwichState = {metric: "cpu", view: "user", recursion: "folded", focus: "", range: null, thread: null};

const callsLink = (name, text) => element("a", {href: `#sandwich/${encodeURIComponent(name)}`, title: "the function's callers and callees"}, text);

// The outermost nodes of the function, and whether each node is one of them or below one.
function occurrences(profile, tree, name) {
  const frames = new Set(profile.frames.name.flatMap((known, frame) => (known === name ? [frame] : [])));
  const inside = new Uint8Array(tree.size);
  const outermost = [];
  for (let node = 1; node < tree.size; ++node) {
    inside[node] = inside[tree.parent[node]];
    if (inside[node] || !frames.has(tree.frame[node])) continue;
    inside[node] = 1;
    outermost.push(node);
  }
  return {outermost, inside, frame: outermost.length ? tree.frame[outermost[0]] : null};
}

// Grows a tree of frames with values by class; node 0 is the function.
class GrowingTree {
  constructor(classes) {
    Object.assign(this, {classes, parent: [0], frame: [0], children: [new Map()], own: [new Float64Array(classes)]});
  }

  child(at, frame) {
    let next = this.children[at].get(frame);
    if (next === undefined) {
      next = this.parent.length;
      this.children[at].set(frame, next);
      this.parent.push(at);
      this.frame.push(frame);
      this.children.push(new Map());
      this.own.push(new Float64Array(this.classes));
    }
    return next;
  }

  add(at, part) { part.forEach((value, i) => this.own[at][i] += value); }

  nested(profile, frame) {
    const size = this.parent.length;
    const values = new Float64Array(size * this.classes);
    this.own.forEach((part, node) => values.set(part, node * this.classes));
    const root = nest(profile, {size, parent: this.parent, frame: this.frame, calls: new Map()}, values, null);
    return Object.assign(root, {frame, name: frameName(profile, frame)});
  }
}

// {callers, callees}: each a flame graph's nodes with the function as root; null if no stack has the function.
function sandwich(profile, name, options) {
  const {tree, values} = chosenValues(profile, options);
  const {outermost, inside, frame} = occurrences(profile, tree, name);
  if (frame === null) return null;
  const count = profile.classes.length;
  const part = (from, node) => from.subarray(node * count, (node + 1) * count);
  const totals = Float64Array.from(values);
  for (let node = tree.size - 1; node > 0; --node) part(totals, node).forEach((value, i) => totals[tree.parent[node] * count + i] += value);
  const callers = new GrowingTree(count);
  const callees = new GrowingTree(count);
  const below = new Map(outermost.map((node) => [node, 0]));
  for (let node = 1; node < tree.size; ++node) {
    if (!inside[node]) continue;
    if (!below.has(node)) below.set(node, callees.child(below.get(tree.parent[node]), tree.frame[node]));
    callees.add(below.get(node), part(values, node));
  }
  for (const node of outermost) {
    let at = 0;
    for (let above = tree.parent[node]; above !== 0; above = tree.parent[above]) at = callers.child(at, tree.frame[above]);
    callers.add(at, part(totals, node));
  }
  return {callers: callers.nested(profile, frame), callees: callees.nested(profile, frame)};
}

// The functions on one side, with their part of the function's time.
function sideTable(profile, data, metric, label, rest) {
  const rows = data.children.map((child) => ({name: child.frame >= 0 ? profile.frames.name[child.frame] : null, short: child.name, value: child.value}));
  if (data.own > 0) rows.push({name: null, short: rest, value: data.own});
  return sortedTable([
    {label: "time", title: `${metric.title}; share of the function's`, value: (row) => row.value, cell: (row) => shareCell(row.value, data.value, metric.format),
      meaning: (row) => `${formatShare(row.value, data.value)} of the function's ${metric.format(data.value)} (${metric.title})`},
    {key: "name", label: "function", text: true, title: "a click shows this function's callers and callees", value: (row) => row.short, meaning: (row) => row.name || row.short,
      cell: (row) => (row.name ? element("span", {class: "code"}, callsLink(row.name, row.short)) : row.short)},
  ], rows, {label, sort: 0});
}

function sandwichFunctions(profile, chosen) {
  const cpu = metricsOf(profile).cpu;
  return sortedTable([
    {label: "total", title: `${cpu.title}, with the called functions`, value: (row) => row.total_cpu_ns, cell: (row) => cpu.format(row.total_cpu_ns)},
    {label: "self", title: `${cpu.title}, without the called functions`, value: (row) => row.self_cpu_ns, cell: (row) => cpu.format(row.self_cpu_ns)},
    {key: "name", label: "function", text: true, title: "a click shows the function's callers and callees", value: (row) => row.short, meaning: (row) => row.name,
      cell: (row) => element("span", {class: row.name === chosen ? "code chosen" : "code"}, callsLink(row.name, row.short))},
  ], profile.report.functions, {label: "functions to choose", sort: 0, filter: (row) => row.name});
}

function decodedName(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// The two flame graphs and tables; `refresh` draws them with the present choices.
function sandwichPanel(profile, name) {
  const metrics = metricsOf(profile);
  const detail = element("div", {class: "detail"});
  const select = (data, whole) => replace(detail, frameDetail(profile, metrics[sandwichState.metric], data, whole, false));
  const graphOf = (label, inverted) => new FlameGraph(profile, label, {onSelect: select, onSearch: () => {}, inverted,
    onFocus: (chosen) => location.hash = `#sandwich/${encodeURIComponent(chosen)}`});
  const above = graphOf("Callers", true);
  const below = graphOf("Callees", false);
  const tables = element("div", {class: "columns"});
  const none = element("p", {class: "loading", hidden: true}, "No stack has this function with these choices.");
  const graphs = element("div", {class: "sandwich"}, element("h3", {}, "Callers"), above.host, element("h3", {}, "Callees"), below.host, detail);
  const refresh = () => {
    const metric = metrics[sandwichState.metric];
    const both = sandwich(profile, name, sandwichState);
    none.hidden = both !== null;
    graphs.hidden = both === null;
    replace(tables, both && [card("Callers", sideTable(profile, both.callers, metric, "callers", "(no caller)")),
      card("Callees", sideTable(profile, both.callees, metric, "callees", "(the function itself)"))]);
    if (!both) return;
    above.show(both.callers, {metric, colouring: "state", modules: null});
    below.show(both.callees, {metric, colouring: "state", modules: null});
  };
  return {graphs: [none, graphs], tables, refresh};
}

function drawSandwich(profile, text) {
  const functions = profile.report.functions;
  const first = functions.filter(({waits}) => !waits).sort((a, b) => b.self_cpu_ns - a.self_cpu_ns)[0] || functions[0];
  if (!first) return card("Callers and callees", element("p", {}, "This profile has no functions."));
  const name = text ? decodedName(text) : first.name;
  const panel = sandwichPanel(profile, name);
  const set = (member) => (value) => {
    sandwichState[member] = value;
    panel.refresh();
  };
  const metrics = metricsOf(profile);
  if (sandwichState.thread !== null && !profile.threads[sandwichState.thread]) sandwichState.thread = null;
  const threads = threadChoice(profile, sandwichState.thread, set("thread"));
  const known = functions.find((row) => row.name === name);
  const node = element("div", {class: "sides"},
    element("section", {class: "card list"}, element("h2", {}, "Functions"), sandwichFunctions(profile, name)),
    element("div", {}, card(null, element("h2", {class: "code", title: name}, known ? known.short : name),
      element("div", {class: "toolbar"},
        choice("Metric", Object.entries(metrics).map(([key, {label, title}]) => [key, label, title]), sandwichState.metric, set("metric")).node,
        choice("View", [["user", "user", "the program as written"], ["machine", "machine", "the stacks as recorded, with runtime frames"]], sandwichState.view, set("view")).node,
        threads && threads.node,
        element("button", {type: "button", title: "shows only the stacks through this function in the flame graph", onclick: () => showInFlame(name)}, "Show in the flame graph")),
      panel.graphs), panel.tables));
  panel.refresh();
  return node;
}
