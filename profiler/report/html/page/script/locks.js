// Locks and criticals that were waited for, with who waited where and for whom.

function lockDetail(profile, lock) {
  const places = (title, rows, count, meaning) => card(title, rows.length ? sortedTable([
    {label: "time", title: meaning, value: (row) => row.ns, cell: (row) => shareCell(row.ns, lock.wait_ns, (ns) => formatMeasured(ns, row.estimated, row.ci95)), meaning: (row) => `${formatShare(row.ns, lock.wait_ns)} of ${formatDuration(lock.wait_ns)}; ${meaning}`},
    {label: count, title: "exact, or with ~ estimated", value: (row) => row.count, cell: (row) => tilde(row.estimated, formatCount(row.count))},
    {label: "function", text: true, value: (row) => row.short, title: "the function that did", meaning: (row) => row.function, cell: (row) => (row.function ? element("span", {class: "code"}, row.short) : "not known")},
    {label: "where", text: true, value: (row) => row.file, title: "file and line", cell: (row) => (row.file ? sourceLink(profile, row.file, row.line) : "")},
  ], rows, {label: title, sort: 0}) : element("p", {class: "soft"}, "not known"));
  const {made} = lock;
  return element("div", {},
    element("h2", {class: "code"}, lock.name),
    made && element("p", {}, "made at ", made.file ? sourceLink(profile, made.file, made.line) : made.function, made.path && made.path.length > 0 && [" by ", element("span", {class: "code"}, made.path.join(" → "))]),
    element("div", {class: "columns"},
      places("Who held it meanwhile", lock.blamed, "releases", "what others waited while this function held it; exact, or with ~ estimated"),
      places("Who waited for it", lock.waiting, "waits", "waited there; exact, or with ~ estimated")));
}

function drawLocks(profile) {
  const {locks, lock_count} = profile.report;
  if (!locks.length) {
    return card("Locks", element("p", {}, profile.waitsKnown ? "No thread waited for a lock, critical, ordered or atomic construct." : "Not known: waits were not recorded."));
  }
  const whole = locks.reduce((sum, lock) => sum + lock.wait_ns, 0);
  const detail = element("div");
  const show = (lock) => replace(detail, lockDetail(profile, lock));
  const table = sortedTable([
    {label: "lock", text: true, title: "click to see who waited, and for whom", value: (row) => row.name, meaning: (row) => `${row.name}\n${row.module}`,
      cell: (row) => element("button", {type: "button", class: "link code", onclick: () => show(row)}, row.name)},
    {label: "kind", text: true, title: "what it is", value: (row) => row.kind, cell: (row) => row.kind.replace("_", " ")},
    {label: "waited", title: "wall time, all threads; exact, or with ~ estimated", value: (row) => row.wait_ns, cell: (row) => shareCell(row.wait_ns, whole, (ns) => formatMeasured(ns, row.estimated, row.ci95)), meaning: (row) => `${formatShare(row.wait_ns, whole)} of all waiting for locks`},
    {label: "waits", title: "how often a thread had to wait; exact, or with ~ estimated", value: (row) => row.count, cell: (row) => tilde(row.estimated, formatCount(row.count))},
    {label: "mean", title: "mean of a wait; exact, or with ~ estimated", value: (row) => (row.count ? row.wait_ns / row.count : 0), cell: (row) => tilde(row.estimated, formatDuration(row.count ? row.wait_ns / row.count : 0))},
    {label: "longest", title: "the longest wait; exact", value: (row) => row.max_ns, cell: (row) => formatDuration(row.max_ns)},
    {label: "threads", title: "threads that waited; exact", value: (row) => row.threads, cell: (row) => formatCount(row.threads)},
    {label: "held by", text: true, title: "the function that held it longest while others waited", value: (row) => (row.blamed[0] ? row.blamed[0].short : ""), meaning: (row) => (row.blamed[0] ? row.blamed[0].function : ""), cell: (row) => (row.blamed[0] && row.blamed[0].function ? element("span", {class: "code"}, row.blamed[0].short) : "")},
  ], locks, {label: "locks", sort: 2, filter: (row) => row.name});
  show(locks[0]);
  return element("div", {}, card("Locks and criticals that were waited for", table,
    lock_count > locks.length && element("p", {class: "soft"}, `The ${formatCount(locks.length)} most waited for of ${formatCount(lock_count)}.`)), detail);
}
