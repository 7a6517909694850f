// Makes a flame graph's nodes from a tree's columns: totals in one metric, for all time or a part of the time, with or
// without a focus, top-down or bottom-up.

// Each node's own value by time class: an array of size x classes.
function ownValues(profile, tree, metric, rows) {
  const count = profile.classes.length;
  const values = new Float64Array(tree.size * count);
  const classOfState = profile.states.map((state) => profile.classes.indexOf(state.class));
  const column = rows[metric];
  for (let i = 0; i < column.length; ++i) values[rows.node[i] * count + classOfState[rows.state[i]]] += column[i];
  return values;
}

// Own values of one row of threads.
function ownValuesOfThread(profile, tree, metric, thread) {
  const count = profile.classes.length;
  const values = new Float64Array(tree.size * count);
  const classOfState = profile.states.map((state) => profile.classes.indexOf(state.class));
  const {thread: threads, node, state, [metric]: column} = tree.threads;
  for (let i = 0; i < node.length; ++i) if (threads[i] === thread) values[node[i] * count + classOfState[state[i]]] += column[i];
  return values;
}

// Own values from the samples between two times (microseconds), in some rows of threads (null: in all rows).
function ownValuesBetween(profile, tree, metric, {from, to, rows}, folded) {
  const count = profile.classes.length;
  const values = new Float64Array(tree.size * count);
  const classOfState = profile.states.map((state) => profile.classes.indexOf(state.class));
  const {row, begin, length, state} = profile.timeline;
  const node = (folded && profile.timeline.folded) || profile.timeline.node;
  const column = profile.timeline[metric];
  for (let i = 0; i < row.length; ++i) {
    const overlap = Math.min(to, begin[i] + length[i]) - Math.max(from, begin[i]);
    if (overlap <= 0 || (rows && !rows.has(row[i]))) continue;
    values[node[i] * count + classOfState[state[i]]] += column[i] * overlap / length[i];
  }
  return values;
}

// The regular expression for a typed text; null for an empty text. A text that is no regular expression matches itself.
function matcher(text) {
  if (!text) return null;
  try {
    return new RegExp(text, "i");
  } catch {
    return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
  }
}

// Zeroes the values of paths without a matching frame.
function keepFocused(profile, tree, pattern, values) {
  const count = profile.classes.length;
  const matches = new Map();
  const on = new Uint8Array(tree.size);
  for (let node = 1; node < tree.size; ++node) {
    const frame = tree.frame[node];
    if (frame >= 0 && !matches.has(frame)) matches.set(frame, pattern.test(profile.frames.name[frame]));
    on[node] = on[tree.parent[node]] || (frame >= 0 && matches.get(frame)) ? 1 : 0;
  }
  for (let node = 0; node < tree.size; ++node) {
    if (!on[node]) values.fill(0, node * count, (node + 1) * count);
  }
}

// The tree of the same stacks from their leaves: leaves become roots. `before`: values of the profile before, or null.
function upsideDown(profile, tree, values, before) {
  const count = profile.classes.length;
  const parent = [0];
  const frame = [0];
  const children = [new Map()];
  const own = [new Float64Array(count)];
  const earlier = [new Float64Array(count)];
  const calls = new Map();
  for (let node = 1; node < tree.size; ++node) {
    const part = values.subarray(node * count, (node + 1) * count);
    const old = before ? before.subarray(node * count, (node + 1) * count) : [];
    if (!part.some((value) => value > 0) && !old.some((value) => value > 0)) continue;
    let at = 0;
    for (let above = node; above !== 0; above = tree.parent[above]) {
      let next = children[at].get(tree.frame[above]);
      if (next === undefined) {
        next = parent.length;
        children[at].set(tree.frame[above], next);
        parent.push(at);
        frame.push(tree.frame[above]);
        children.push(new Map());
        own.push(new Float64Array(count));
        earlier.push(new Float64Array(count));
      }
      at = next;
      const depth = tree.calls.get(above);
      if (depth && depth.most > (calls.get(at) || {most: 0}).most) calls.set(at, depth);
    }
    part.forEach((value, i) => own[at][i] += value);
    old.forEach((value, i) => earlier[at][i] += value);
  }
  const turned = {size: parent.length, parent: Int32Array.from(parent), frame: Int32Array.from(frame), calls};
  const flat = (parts) => {
    const all = new Float64Array(turned.size * count);
    parts.forEach((part, node) => all.set(part, node * count));
    return all;
  };
  return {tree: turned, values: flat(own), before: before && flat(earlier)};
}

// Nested nodes {name, value, own, byClass, frame, calls, before, children}, widest first, without nodes of value 0.
function nest(profile, tree, values, beforeValues) {
  const count = profile.classes.length;
  const totals = Float64Array.from(values);
  const before = beforeValues ? Float64Array.from(beforeValues) : null;
  for (let node = tree.size - 1; node > 0; --node) {
    for (let i = 0; i < count; ++i) {
      totals[tree.parent[node] * count + i] += totals[node * count + i];
      if (before) before[tree.parent[node] * count + i] += before[node * count + i];
    }
  }
  const sum = (from, node) => {
    let all = 0;
    for (let i = 0; i < count; ++i) all += from[node * count + i];
    return all;
  };
  const nodes = new Array(tree.size);
  for (let node = 0; node < tree.size; ++node) {
    const value = sum(totals, node);
    const earlier = before ? sum(before, node) : 0;
    if (node > 0 && value <= 0 && earlier <= 0) continue;
    const frame = tree.frame[node];
    const inlined = node > 0 && frame >= 0 && profile.frames.inlined[frame] === 1;
    const calls = tree.calls.get(node);
    nodes[node] = {
      name: node === 0 ? "all" : (inlined ? "↳ " : "") + frameName(profile, frame) + (calls ? ` ${depthText(calls)}` : ""), calls,
      value, before: earlier, own: sum(values, node), frame: node === 0 ? null : frame, inlined,
      byClass: totals.subarray(node * count, (node + 1) * count), children: [],
    };
    if (node > 0) nodes[tree.parent[node]].children.push(nodes[node]);
  }
  const order = (a, b) => (a.frame < 0) - (b.frame < 0) || b.value - a.value || b.before - a.before;
  for (const node of nodes) if (node) node.children.sort(order);
  return nodes[0];
}

// The tree from the root down, and its values with the choices of a flame graph. options: as flameTree.
function chosenValues(profile, {view, recursion, metric, focus, range, thread, compare}) {
  const folded = recursion === "folded";
  const tree = treesOf(profile, view, folded).down;
  const pattern = matcher(focus);
  const oneThread = thread !== null && thread !== undefined;
  const values = range ? ownValuesBetween(profile, tree, metric, oneThread ? {...range, rows: new Set([thread])} : range, folded)
    : oneThread ? ownValuesOfThread(profile, tree, metric, thread) : ownValues(profile, tree, metric, tree.rows);
  const before = compare && tree.before && !range ? ownValues(profile, tree, metric, tree.before) : null;
  if (pattern) keepFocused(profile, tree, pattern, values);
  if (pattern && before) keepFocused(profile, tree, pattern, before);
  return {tree, values, before};
}

// options: view "user"|"machine", recursion "folded"|"whole", direction "down"|"up", metric, focus (text), range (see
// ownValuesBetween), thread (a row of threads; null: all), compare.
function flameTree(profile, options) {
  const {view, recursion, direction, metric, focus, range, thread, compare} = options;
  const whole = direction === "up" && !range && !focus && (thread === null || thread === undefined);
  if (whole) {
    const tree = treesOf(profile, view, recursion === "folded").up;
    return nest(profile, tree, ownValues(profile, tree, metric, tree.rows), compare && tree.before ? ownValues(profile, tree, metric, tree.before) : null);
  }
  const chosen = chosenValues(profile, options);
  const {tree, values, before} = direction === "up" ? upsideDown(profile, chosen.tree, chosen.values, chosen.before) : chosen;
  return nest(profile, tree, values, before);
}

function dominantClass(profile, byClass) {
  let best = 0;
  for (let i = 1; i < byClass.length; ++i) if (byClass[i] > byClass[best]) best = i;
  return profile.classes[best];
}
