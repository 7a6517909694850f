// The view of devices: kernels, copies, and the host's waits for them.

const deviceName = ({process, id, type}, several) => `${several ? `pid ${process}, ` : ""}device ${id}${type ? ` (${type})` : ""}`;
const severalProcesses = ({devices}) => new Set(devices.map(({process}) => process)).size > 1;

// The copies of a direction, added up.
const copiesOf = (device, direction) => device.copies.find((copies) => copies.direction === direction) || {count: 0, bytes: 0, time_ns: 0};
const launchesOf = ({kernels}) => kernels.reduce((sum, {launches}) => sum + launches, 0);

// Parts of the run's time. Copies and kernels may run at the same time.
function deviceParts(device) {
  return [["kernel", device.busy_ns], ["upload", copiesOf(device, "to_device").time_ns], ["download", copiesOf(device, "from_device").time_ns]]
    .map(([name, value]) => ({name, value, from: name === "kernel" ? "of the device" : "as the host measures it"})).filter(({value}) => value > 0);
}

function deviceBar(profile, device) {
  const parts = deviceParts(device);
  return stackedBar(parts, Math.max(profile.report.duration_ns, parts.reduce((sum, {value}) => sum + value, 0)), formatDuration);
}

// The overview's card.
function devicesCard(profile) {
  const {report} = profile;
  if (!report.devices) return null;
  const several = severalProcesses(report);
  const rows = report.devices.flatMap((device) => [
    element("span", {class: "name", title: device.type}, deviceName({...device, type: ""}, several)), deviceBar(profile, device),
    quantity(formatShare(device.busy_ns, report.duration_ns), `busy: ${formatDuration(device.busy_ns)} in kernels, of ${formatDuration(report.duration_ns)}; exact`)]);
  const used = deviceClasses.filter((name) => report.devices.some((device) => deviceParts(device).some((part) => part.name === name)));
  return card("Devices", legend(used), element("div", {class: "threads"}, rows),
    element("p", {class: "soft"}, "Full bars are the run's wall time. The figures are the devices' time in kernels. ", element("a", {href: "#devices"}, "All about devices")));
}

function deviceTiles(profile, device) {
  const {duration_ns} = profile.report;
  const copies = (direction, label) => {
    const {count, bytes, time_ns} = copiesOf(device, direction);
    return [formatBytes(bytes), `copied ${label}${bytes > 0 ? `, at ${formatRate(bytes, time_ns)}` : ""}`, `${formatCount(count)} copies ${label} in ${formatDuration(time_ns)}; exact`];
  };
  const tiles = [
    [formatShare(device.busy_ns, duration_ns), "of the run in kernels", `${formatDuration(device.busy_ns)} of ${formatDuration(duration_ns)}; exact`],
    [formatCount(launchesOf(device)), "launches", "kernels launched; exact"],
    copies("to_device", "to it"), copies("from_device", "from it"),
    [formatDuration(device.wait_ns), "the host waited", "wall time in which threads of the host slept for kernels, and for copies of 64 KiB or more; exact"]];
  return element("div", {class: "tiles"}, tiles.map(([value, label, meaning]) =>
    element("div", {class: "tile", title: meaning}, element("div", {class: "value"}, value), element("div", {class: "label"}, label))));
}

function kernelTable(profile, device) {
  if (!device.kernels.length) return element("p", {class: "soft"}, "No kernel was launched.");
  const time = (label, title, value, cell) => ({label, title, value, cell: cell || ((row) => formatDuration(value(row)))});
  const path = ({callers}) => callers.join(" → ") || "(no caller)";
  return sortedTable([
    time("time", "time of the kernels, by the device's clock where it has a trace; exact", (row) => row.time_ns, (row) => shareCell(row.time_ns, device.busy_ns, formatDuration)),
    {label: "launches", title: "exact", value: (row) => row.launches, cell: (row) => formatCount(row.launches)},
    time("mean", "mean time of a kernel", (row) => (row.launches ? row.time_ns / row.launches : 0)),
    {label: "target construct", title: "the construct that launched the kernels", text: true, value: (row) => row.function, cell: (row) => element("span", {class: "code"}, row.function)},
    {label: "where", title: "file and line of the pragma", text: true, value: (row) => row.file, cell: (row) => (row.file ? sourceLink(profile, row.file, row.line) : "")},
    {label: "called by", title: "the call path with the most time; callers, outermost first", text: true, value: (row) => (row.paths.length ? path(row.paths[0]) : ""),
      meaning: (row) => row.paths.map((each) => `${formatDuration(each.time_ns)}, ${formatCount(each.launches)} launches: ${path(each)}`).join("\n") || "not known",
      cell: (row) => (row.paths.length ? [element("span", {class: "code wrap"}, path(row.paths[0])), row.paths.length > 1 && ` and ${formatCount(row.paths.length - 1)} more`] : "not known")},
  ], device.kernels, {label: "kernels", sort: 0, filter: (row) => row.function});
}

function operationTable(profile, device) {
  const rate = (row) => (row.bytes > 0 && row.time_ns > 0 && row.work.startsWith("copy") ? 1e3 * row.bytes / row.time_ns : 0);
  const columns = declaredColumns(profile, "devices", {
    construct: {cell: (row) => element("span", {class: "code"}, row.construct)},
    bytes: {cell: (row) => (row.bytes ? (row.bytes / 1e6).toFixed(2) : "")},
    rate: {value: rate, cell: (row) => (rate(row) ? formatCount(rate(row)) : "")},
    traced_ns: {cell: (row) => (row.traced_ns === undefined ? "" : formatDuration(row.traced_ns))},
  });
  return sortedTable(columns, device.operations, {label: "operations", sort: columnAt(columns, "time_ns"), filter: (row) => `${row.work} ${row.construct}`});
}

// Target constructs, for the view of regions.
function targetsCard(profile) {
  const {targets, duration_ns} = profile.report;
  if (!targets.length) return null;
  const columns = declaredColumns(profile, "targets", {
    name: {value: (row) => row.short, meaning: (row) => `${row.name}\n${row.file}:${row.line}`, cell: (row) => element("span", {class: "code"}, row.short)},
    device: {value: (row) => row.device ?? -1, cell: (row) => (row.on_host ? "host" : String(row.device))},
    elapsed_ns: {whole: duration_ns, of: "the run's wall time"},
    copied_bytes: {cell: (row) => (row.copied_bytes ? (row.copied_bytes / 1e6).toFixed(2) : "")},
  });
  return card("Target constructs", sortedTable(columns, targets, {label: "target constructs", sort: columnAt(columns, "elapsed_ns"), filter: (row) => row.name}),
    element("p", {class: "soft"}, "Times are wall time of the host's threads, exact. Kernels and copies are in it, or run at the same time with ", element("code", {}, "nowait"), "."));
}

function drawDevices(profile) {
  const {report} = profile;
  const several = severalProcesses(report);
  const timeline = profile.timeline && profile.timeline.devices;
  return element("div", {}, report.devices.map((device) => element("div", {},
    element("h1", {class: "device"}, deviceName(device, several)),
    deviceTiles(profile, device),
    card("Part of the run", legend(deviceParts(device).map(({name}) => name)), deviceBar(profile, device),
      element("p", {class: "soft"}, `The full bar is the run's wall time, ${formatDuration(report.duration_ns)}. `,
        timeline ? element("a", {href: "#timeline"}, "Kernels and copies over time") :
          report.spread ? "A unified job keeps no events in time." : ["Record with ", element("code", {}, "--timeline"), " to see kernels and copies over time."])),
    card("Kernels", kernelTable(profile, device)),
    card("What the host asked of the device", operationTable(profile, device)))));
}
