// The time that threads spend in each class, for each column of a chart.

// rows: a Map from the rows of threads to add up to lines of the result. Times are in microseconds. Returns, by line,
// an array of columns x classes with the microseconds.
function occupancy(profile, {from, to, columns, rows, lines}) {
  const count = profile.classes.length;
  const timeline = profile.timeline;
  const classOfState = profile.states.map((state) => profile.classes.indexOf(state.class));
  const result = Array.from({length: lines}, () => new Float64Array(columns * count));
  const each = (to - from) / columns;
  for (let i = 0; i < timeline.row.length; ++i) {
    const line = rows.get(timeline.row[i]);
    const begin = Math.max(from, timeline.begin[i]);
    const end = Math.min(to, timeline.begin[i] + timeline.length[i]);
    if (line === undefined || end <= begin || timeline.busy[i] === 0) continue;
    // A stretch that was joined from several stretches has gaps.
    const density = timeline.busy[i] / timeline.length[i];
    const kind = classOfState[timeline.state[i]];
    const last = Math.min(columns - 1, Math.floor((end - from) / each));
    for (let column = Math.floor((begin - from) / each); column <= last; ++column) {
      const overlap = Math.min(end, from + (column + 1) * each) - Math.max(begin, from + column * each);
      if (overlap > 0) result[line][column * count + kind] += overlap * density;
    }
  }
  return result;
}

// The time of each class of operations in the devices' rows, as `occupancy` of threads. `from` and `to` are in
// microseconds. Returns, by device, an array of columns x classes with the nanoseconds.
function deviceOccupancy(profile, {from, to, columns}) {
  const {rows, device, begin, length, busy, class: classes} = profile.timeline.devices;
  const count = deviceClasses.length;
  const result = rows.map(() => new Float64Array(columns * count));
  const each = (to - from) * 1e3 / columns;
  for (let i = 0; i < device.length; ++i) {
    const left = begin[i] - from * 1e3;
    const right = left + Math.max(1, length[i]);
    const density = busy[i] / Math.max(1, length[i]);
    const kind = deviceClasses.indexOf(classes[i]);
    const last = Math.min(columns - 1, Math.floor(right / each));
    for (let column = Math.max(0, Math.floor(left / each)); column <= last; ++column) {
      const overlap = Math.min(right, (column + 1) * each) - Math.max(left, column * each);
      if (overlap > 0) result[device[i]][column * count + kind] += overlap * density;
    }
  }
  return result;
}

// The classes of the devices' operations in the timeline.
function deviceClassesOverTime(profile) {
  const {devices} = profile.timeline;
  const used = new Set(devices ? devices.class : []);
  return deviceClasses.filter((name) => used.has(name));
}

// The mean number of living threads in each column of a chart of the whole run.
function livingThreads(profile, columns) {
  const {duration, living} = profile.timeline;
  const result = new Float64Array(columns);
  const each = duration / columns;
  living.time.forEach((time, i) => {
    const end = Math.min(duration, i + 1 < living.time.length ? living.time[i + 1] : duration);
    for (let column = Math.floor(time / each); column < columns && column * each < end; ++column) {
      const overlap = Math.min(end, (column + 1) * each) - Math.max(time, column * each);
      if (overlap > 0) result[column] += living.threads[i] * overlap / each;
    }
  });
  return result;
}

// The classes in the timeline, in their order.
function classesOverTime(profile) {
  const used = new Set(profile.timeline.state);
  const names = new Set([...used].map((state) => profile.states[state].class));
  return profile.classes.filter((name) => names.has(name));
}

function noTimeline(profile) {
  if (profile.ranks || profile.report.spread) {
    return element("p", {class: "soft"}, "A unified job keeps no events in time. ", profile.ranks ? element("a", {href: "#ranks"}, "What each rank did")
      : ["The page of one process's own profile shows the state of each thread over time, if the process was recorded with ", element("code", {}, "--timeline"), "."]);
  }
  return element("p", {class: "soft"}, "This profile has no time stamps. Record with ", element("code", {}, "ompprof record --timeline -- ./program"), " to see the state of each thread over time.");
}

// Draws all threads by class over time, for the overview.
function drawOverTime(profile, host) {
  const height = 150;
  const margin = {left: 36, bottom: 22, top: 6};
  const draw = () => {
    const width = host.clientWidth;
    if (width < 50) return;
    const columns = Math.max(20, Math.min(240, Math.floor((width - margin.left) / 4)));
    const {duration} = profile.timeline;
    const all = new Map(profile.threads.map((thread, i) => [i, 0]));
    const [values] = occupancy(profile, {from: 0, to: duration, columns, rows: all, lines: 1});
    const names = [...classesOverTime(profile), "gap"];
    const living = livingThreads(profile, columns);
    const threads = Math.max(1, ...living);
    const x = d3.scaleLinear([0, columns], [margin.left, width]);
    const y = d3.scaleLinear([0, threads], [height - margin.bottom, margin.top]);
    const svg = svgElement("svg", {width, height, class: "overtime timeline", role: "img", "aria-label": "Threads by state over the run's time"});
    const each = duration / columns;
    for (let column = 0; column < columns; ++column) {
      let base = 0;
      for (const name of names) {
        const value = name === "gap" ? living[column] - base : values[column * profile.classes.length + profile.classes.indexOf(name)] / each;
        if (value <= 0) continue;
        const top = y(Math.min(threads, base + value));
        const bar = svgElement("rect", {x: x(column), y: top, width: x(1) - x(0) + .3, height: Math.max(0, y(Math.min(threads, base)) - top), fill: classFill(name)},
          svgElement("title", {}, `${timeClasses[name].label}: ${value.toFixed(2)} of ${+living[column].toFixed(2)} threads, ${formatDuration(column * each * 1e3)} to ${formatDuration((column + 1) * each * 1e3)}`));
        svg.append(bar);
        base += value;
      }
    }
    const axes = d3.select(svg);
    axes.append("g").attr("class", "axis").attr("transform", `translate(0,${height - margin.bottom})`)
      .call(d3.axisBottom(d3.scaleLinear([0, duration / 1e6], [margin.left, width])).ticks(Math.max(2, width / 110)).tickFormat((value) => `${value} s`));
    axes.append("g").attr("class", "axis").attr("transform", `translate(${margin.left},0)`).call(d3.axisLeft(y).ticks(Math.min(4, threads)));
    replace(host, svg);
  };
  new ResizeObserver(draw).observe(host);
}
