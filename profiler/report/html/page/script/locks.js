// The view of locks and criticals that threads waited for, with holders and places of waits.

function lockDetail(profile, lock) {
  const places = (title, rows, count, meaning) => card(title, rows.length ? sortedTable([
    {label: "time", title: meaning, value: (row) => row.ns, cell: (row) => shareCell(row.ns, lock.wait_ns, (ns) => formatMeasured(ns, row.estimated, row.ci95)), meaning: (row) => `${formatShare(row.ns, lock.wait_ns)} of ${formatDuration(lock.wait_ns)}; ${meaning}`},
    {label: count, title: "exact, or with ~ estimated", value: (row) => row.count, cell: (row) => tilde(row.estimated, formatCount(row.count))},
    {label: "function", text: true, value: (row) => row.short, title: "the function that held the lock, or waited", meaning: (row) => row.function, cell: (row) => (row.function ? element("span", {class: "code"}, row.short) : "not known")},
    {label: "where", text: true, value: (row) => row.file, title: "file and line", cell: (row) => (row.file ? sourceLink(profile, row.file, row.line) : "")},
  ], rows, {label: title, sort: 0}) : element("p", {class: "soft"}, "not known"));
  const {made} = lock;
  return element("div", {},
    element("h2", {class: "code"}, lock.name),
    made && element("p", {}, "made at ", made.file ? sourceLink(profile, made.file, made.line) : made.function, made.path && made.path.length > 0 && [" by ", element("span", {class: "code"}, made.path.join(" → "))]),
    element("div", {class: "columns"},
      places("Functions that held the lock", lock.blamed, "releases", "time that others waited while this function held the lock; exact, or with ~ estimated"),
      places("Places that waited for the lock", lock.waiting, "waits", "time that threads waited at this place; exact, or with ~ estimated")));
}

function drawLocks(profile) {
  const {locks, lock_count} = profile.report;
  if (!locks.length) {
    return card("Locks", element("p", {}, profile.waitsKnown ? "No thread waited for a lock, critical, ordered or atomic construct." : "Not known: waits were not recorded."));
  }
  const whole = locks.reduce((sum, lock) => sum + lock.wait_ns, 0);
  const detail = element("div");
  const show = (lock) => replace(detail, lockDetail(profile, lock));
  const mean = (row) => (row.count ? row.wait_ns / row.count : 0);
  const holder = (row) => row.blamed[0] || {short: "", function: ""};
  const columns = declaredColumns(profile, "locks", {
    name: {action: "a click shows the lock's holders and the places of its waits", meaning: (row) => `${row.name}\n${row.module}`,
      cell: (row) => element("button", {type: "button", class: "link code", onclick: () => show(row)}, row.name)},
    kind: {cell: (row) => row.kind.replace("_", " ")},
    wait_ns: {whole, of: "all waiting for locks"},
    mean: {value: mean, cell: (row) => tilde(row.estimated, formatDuration(mean(row)))},
    blamed_function: {value: (row) => holder(row).short, meaning: (row) => holder(row).function,
      cell: (row) => (holder(row).function ? element("span", {class: "code"}, holder(row).short) : "")},
  });
  const table = sortedTable(columns, locks, {label: "locks", sort: columnAt(columns, "wait_ns"), filter: (row) => row.name});
  show(locks[0]);
  return element("div", {}, card("Locks and criticals", table,
    lock_count > locks.length && element("p", {class: "soft"}, `These are the ${formatCount(locks.length)} of ${formatCount(lock_count)} locks with the longest waits.`)), detail);
}
