// Decodes the page's data. README.md beside the page's sources explains the members.

async function readEmbedded() {
  const holder = document.getElementById("data");
  const encoding = holder.dataset.encoding;
  if (encoding === "plain") return JSON.parse(holder.textContent);
  if (encoding !== "gzip") return null;
  const bytes = Uint8Array.from(atob(holder.textContent), (digit) => digit.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// Makes every text of the data harmless to look at, in place.
function cleanTexts(value) {
  if (typeof value === "string") return printable(value);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; ++i) {
      if (typeof value[i] === "number") break;  // columns of numbers hold nothing else
      value[i] = cleanTexts(value[i]);
    }
  } else if (value !== null && typeof value === "object") {
    for (const key of Object.keys(value)) value[key] = cleanTexts(value[key]);
  }
  return value;
}

// Decodes numbers that are written as distances from the previous number.
function accumulate(distances) {
  const values = new Float64Array(distances.length);
  let last = 0;
  for (let i = 0; i < distances.length; ++i) values[i] = last += distances[i];
  return values;
}

function decodeRows(rows) {
  return {...rows, node: accumulate(rows.node)};
}

// The costs of each row of threads; node numbers are distances within a thread.
function decodeThreads(rows) {
  if (!rows) return null;
  const thread = accumulate(rows.thread);
  const node = new Int32Array(thread.length);
  for (let i = 0; i < node.length; ++i) node[i] = rows.node[i] + (i > 0 && thread[i] === thread[i - 1] ? node[i - 1] : 0);
  return {...rows, thread, node};
}

function decodeTree(columns) {
  const size = columns.up.length + 1;
  const parent = new Int32Array(size);
  const frame = new Int32Array(size);
  for (let node = 1; node < size; ++node) {
    parent[node] = node - columns.up[node - 1];
    frame[node] = columns.frame[node - 1];
  }
  const calls = new Map();  // by node: the depth of a folded recursion
  const {recursion} = columns;
  if (recursion) recursion.node.forEach((node, i) => calls.set(node, {most: recursion.calls[i], atLeast: recursion.at_least[i] === 1}));
  return {size, parent, frame, calls, rows: decodeRows(columns.rows), threads: decodeThreads(columns.threads), before: columns.before ? decodeRows(columns.before) : null};
}

// Times of devices are in nanoseconds.
function decodeDevices(devices, read) {
  if (!devices) return null;
  const {operations} = devices;
  const device = accumulate(operations.device);
  const begin = new Float64Array(device.length);
  for (let i = 0; i < device.length; ++i) {
    begin[i] = operations.begin[i] + (i > 0 && device[i] === device[i - 1] ? begin[i - 1] : 0);
  }
  return {rows: devices.rows, resolution: devices.resolution_ns, ...operations, device, begin,
    class: read(operations.class), what: read(operations.what), construct: read(operations.construct)};
}

function decodeTimeline(timeline, read) {
  if (!timeline) return null;
  const {stretches} = timeline;
  const row = accumulate(stretches.row);
  const begin = new Float64Array(row.length);
  for (let i = 0; i < row.length; ++i) {
    begin[i] = stretches.begin[i] + (i > 0 && row[i] === row[i - 1] ? begin[i - 1] : 0);
  }
  return {...stretches, row, begin, devices: decodeDevices(timeline.devices, read), living: timeline.living, duration: timeline.duration_ns / 1e3, resolution: timeline.resolution_ns / 1e3};
}

// A job's ranks, one after the other. `times`: by metric, a byte for each column; null without a timeline.
function decodeRanks(programs) {
  if (!programs) return null;
  const bytes = (text) => Uint8Array.from(atob(text), (digit) => digit.charCodeAt(0));
  const figures = ["label", "ranks", "host", "pid", "threads", "duration_ns", "cpu_ns", "work", "mpi", "wait_ns", "distance", "reason"];
  return programs.flatMap((program) => {
    const {columns, column_ns: columnNs, from_own_start: fromOwnStart} = program;
    const all = {work: bytes(program.work_time), mpi: bytes(program.mpi_time), wait: bytes(program.wait_time)};
    return program.label.map((_, i) => {
      const rank = {program: program.program, several: programs.length > 1, columns, columnNs, fromOwnStart, kept: program.kept[i] === 1, times: null};
      for (const figure of figures) rank[figure] = program[figure][i];
      rank.hasNumber = !rank.label.startsWith(`${rank.host}:`);
      const slice = (of) => of.subarray(i * columns, (i + 1) * columns);
      if (program.timed[i] === 1) rank.times = {work: slice(all.work), mpi: slice(all.mpi), wait: slice(all.wait)};
      return rank;
    });
  });
}

// A function's instructions, each with its cost or null.
function decodeCode(code, read) {
  const {address, text, file, line, left_out} = code.instructions;
  const [texts, files, addresses] = [read(text), read(file), accumulate(address)];
  const costs = new Map(code.costs.map(([at, ...cost]) => [at, lineCost(cost)]));
  return {...code, instructions: text.map((number, i) => ({address: addresses[i], text: texts[i], file: files[i], line: line[i], leftOut: left_out[i], cost: costs.get(i) || null}))};
}

// The cost of a line or an instruction, from the columns of the data.
const lineCost = ([self, total, wait, blame, samples, waitError, blameError]) => ({self, total, wait, blame, samples, waitError, blameError});

function decodeProfile(raw) {
  const data = cleanTexts(raw);
  const {frames, texts} = data;
  const read = (column) => column.map((text) => texts[text]);
  const profile = {
    ...data,
    frames: {name: read(frames.name), short: read(frames.short), file: read(frames.file), module: read(frames.module),
      line: frames.line, inlined: frames.inlined},
    timeline: decodeTimeline(data.timeline, read),
    ranks: decodeRanks(data.ranks),
    code: data.code.map((code) => decodeCode(code, read)),
    trees: {},
  };
  const decode = ({down, up, nodes}) => ({down: decodeTree(down), up: decodeTree(up), nodes});
  for (const view of ["user", "machine"]) {
    const {folded} = data.trees[view];
    profile.trees[view] = {...decode(data.trees[view]), folded: folded ? decode(folded) : null};
  }
  for (const report of [data.report, data.before]) {
    if (!report) continue;
    // Target constructs follow the parallel regions.
    report.targets = report.regions.filter(({kind}) => kind === "target");
    report.regions = report.regions.filter(({kind}) => kind !== "target");
  }
  profile.eventsCounted = data.report.weight_unit === "events";
  profile.waitsKnown = Object.keys(data.report.efficiency || {}).length > 0;
  return profile;
}

// Whether the page has the stacks of each row of threads: of a single row they would be all stacks.
const profileHasThreads = (profile) => profile.trees.user.down.threads !== null;

// "12.35 s"; "1.20 M events" if the profile counts events.
const formatWeight = (profile, weight) => (profile.eventsCounted ? formatEvents(weight) : formatDuration(weight));

// "x46", or "x46+" if frames were cut: how deep a folded recursion is.
function depthText(calls) {
  return calls ? `x${formatCount(calls.most)}${calls.atLeast ? "+" : ""}` : "";
}

function depthMeaning(calls) {
  return `${depthText(calls)}: recursion, folded; up to ${formatCount(calls.most)} calls in one call path${calls.atLeast ? ", or more, because frames were cut" : ""}`;
}

// The trees of a view, with recursion folded or not. Without recursion, both are the same.
function treesOf(profile, view, folded) {
  const trees = profile.trees[view];
  return folded && trees.folded ? trees.folded : trees;
}

function frameName(profile, frame) {
  if (frame < 0) return `(${formatCount(-frame)} more)`;
  return profile.frames.short[frame];
}

// The names and meanings of the metrics.
function metricsOf(profile) {
  const cpu = profile.report.clock === "cpu" ? "CPU time" : profile.eventsCounted ? profile.report.clock : `${profile.report.clock} time`;
  return {
    cpu: {label: "cpu", title: `${cpu}, from samples`, noun: cpu, format: (value) => formatWeight(profile, value)},
    wait: {label: "wait", title: "wall time of waits, at the waiting call path, or in a frame of their own if shorter than a sampling period; exact, or with ~ estimated",
      noun: "waiting", format: formatDuration},
    blame: {label: "blame", title: "thread time that other threads waited while this code worked, or held a lock",
      noun: "blame", format: formatDuration},
    samples: {label: "samples", title: "number of samples", noun: "samples", format: (value) => `${formatCount(value)} samples`},
  };
}
