// The view of a job's ranks: what each did when, how far it is from the mean, and which ranks are late.

const rankState = {metric: "work", order: "rank"};

const rankOrders = {
  rank: {label: "rank", meaning: "by the ranks' numbers"},
  work: {label: "work", meaning: "the rank with the most work first"},
  mpi: {label: "MPI", meaning: "the rank with the most time in MPI first"},
  wait_ns: {label: "waiting", meaning: "the rank that waited most first"},
  distance: {label: "difference", meaning: "the rank that differs most from the mean rank first"},
};

function rankOrder(ranks, by) {
  const order = ranks.map((_, i) => i);
  return by === "rank" ? order : order.sort((a, b) => ranks[b][by] - ranks[a][by] || a - b);
}

function rankMean(ranks, key) {
  const all = ranks.reduce((sum, rank) => sum + rank.ranks, 0);
  return ranks.reduce((sum, rank) => sum + rank[key] * rank.ranks, 0) / Math.max(1, all);
}

// The chosen rank's figures beside the means of the ranks of its program.
function rankCard(profile, rank) {
  if (!rank) return card("One rank", element("p", {class: "soft"}, "A click in the chart, or its keys, choose a rank."));
  const others = profile.ranks.filter(({program}) => program === rank.program);
  const weight = (value) => formatWeight(profile, value);
  const figures = [["wall time", "duration_ns", formatDuration, "from the start to the end of the process"],
    ["CPU time", "cpu_ns", formatDuration, "of the process's clock"],
    ["work", "work", weight, "sampled; neither waiting nor in MPI"], ["MPI", "mpi", weight, "sampled, in functions of MPI"],
    ["waiting", "wait_ns", formatDuration, "thread time of OpenMP's waits, without idle time between regions"]];
  const rows = figures.map(([label, key, format, meaning]) => {
    const mean = rankMean(others, key);
    const more = rank[key] - mean;
    const share = mean > 0 ? `${more >= 0 ? "+" : "−"}${formatShare(Math.abs(more), mean)}` : "–";
    return element("tr", {}, element("td", {class: "text", title: meaning}, label), element("td", {}, format(rank[key])),
      element("td", {}, format(mean)), element("td", {}, share));
  });
  const table = element("table", {"aria-label": "figures of the rank"}, element("thead", {}, element("tr", {},
    ...[["figure", "text"], [rankTitle(rank)], ["mean rank"], ["difference"]].map(([label, kind]) => element("th", {scope: "col", class: `plain ${kind || ""}`}, label)))),
  element("tbody", {}, rows));
  const {whole, parts} = rankParts(profile, rank);
  return card(rank.ranks > 1 ? `Mean of ranks ${rank.label}` : `${rankTitle(rank)}, pid ${rank.pid} on ${rank.host}`,
    rank.reason && element("p", {}, `Differs most in: ${rank.reason}.`),
    stackedBar(parts, whole, formatDuration), rankLegend(),
    scrollBox(table),
    element("p", {class: "soft"}, `${formatCount(rank.threads)} ${rank.threads > 1 ? "threads" : "thread"}. Distance from the mean rank: ${formatShare(rank.distance, 1)}, the differences in all call paths and waits as a part of the mean rank's time. `,
      rank.kept ? ["The file has the rank's own records: ", element("code", {}, `ompprof report --rank=${rank.label} FILE`), " shows them."]
        : ["The file has no records of this rank alone. ", element("code", {}, "ompprof merge --unify --keep=all"), " keeps all."]));
}

function rankScale(chart) {
  if (!chart.timed) return rankLegend();
  const shades = rankShades();
  return element("div", {class: "legend"}, "0 %", element("span", {class: "scale", "aria-hidden": "true"}, shades.filter((_, i) => i % 4 === 3).map((shade) => {
    const piece = element("i", {});
    piece.style.background = shade;
    return piece;
  })), "100 % of the rank's threads");
}

function rankNotes(chart, ranks) {
  const own = ranks.some(({fromOwnStart}) => fromOwnStart);
  const groups = ranks.some((rank) => rank.ranks > 1);
  const columns = ranks.find(({times}) => times !== null);
  return element("p", {class: "soft"},
    !chart.timed && ["The ranks have no timeline, so each row is one bar of the rank's thread time: ", element("code", {}, "ompprof record --timeline"), " shows what they did when. "],
    columns && `A column is ${formatDuration(columns.columnNs)}. The times come from samples and from waits of a sampling period or more. `,
    own && "Each row begins with the rank's own start: by their hosts' clocks, the ranks did not run at the same time. ",
    columns && !own && "The starts are those of the hosts' clocks, which may differ. ",
    groups && "Each row is the mean of several ranks. ",
    columns && ranks.length > rankRowsTall && `Ranks that share a line are drawn as their mean, or as the one that stands out, by more than ${standsOutBy} standard deviations over all ranks. `,
    "A drag zooms to the ranks that it crosses. ", element("kbd", {}, "↑"), " ", element("kbd", {}, "↓"), " choose a rank. ", element("kbd", {}, "+"), ", ", element("kbd", {}, "−"), ", ", element("kbd", {}, "0"), " and the wheel with ", element("kbd", {}, "Ctrl"), " zoom.");
}

// How the figures of the job are spread over its ranks.
function spreadCard(profile) {
  const rows = profile.report.spread || [];
  if (!rows.length) return null;
  const columns = declaredColumns(profile, "spread", {name: {cell: (row) => element("span", {class: "code"}, row.short)}});
  const amount = (row, value) => (row.metric === "count" ? formatCount(value) : /_ns$/.test(row.metric) ? formatDuration(value) : formatWeight(profile, value));
  for (const column of columns) {
    if (["mean", "deviation", "min", "max"].includes(column.key)) column.cell = (row) => amount(row, row[column.key]);
    if (column.key === "metric") column.cell = (row) => row.metric_words;
  }
  return card("Spread over the ranks", sortedTable(columns, rows, {label: "spread", rows: 30, sort: columnAt(columns, "deviation"), filter: (row) => `${row.kind} ${row.name} ${row.metric_words}`}),
    element("p", {class: "soft"}, "A rank without the figure counts as 0."));
}

function drawRanks(profile, chosenText) {
  const {ranks} = profile;
  const detail = element("div");
  const choose = (index) => {
    chart.choose(index);
    replace(detail, rankCard(profile, index === null ? null : ranks[index]));
    history.replaceState(null, "", index === null ? "#ranks" : `#ranks/${index}`);
  };
  const chart = new RankChart(profile, ranks, choose);
  const show = () => chart.show(rankState.metric, rankOrder(ranks, rankState.order));
  const metric = choice("shade", Object.entries(rankMetrics).map(([name, {label, meaning}]) => [name, label, `share of the rank's thread time ${meaning}`]), rankState.metric, (name) => {
    rankState.metric = name;
    show();
  });
  const order = choice("order", Object.entries(rankOrders).map(([name, {label, meaning}]) => [name, label, meaning]), rankState.order, (name) => {
    rankState.order = name;
    show();
  });
  show();
  const wanted = Number(chosenText);
  const first = chosenText !== undefined && wanted < ranks.length ? wanted : null;
  chart.choose(first);
  replace(detail, rankCard(profile, first === null ? null : ranks[first]));
  const node = element("div", {}, card(chart.timed ? "Ranks over time" : "Ranks",
    element("div", {class: "toolbar"}, chart.timed && metric.node, order.node,
      button("Zoom in", "half as many ranks (+)", () => chart.zoom(.5)), button("Zoom out", "twice as many ranks (−)", () => chart.zoom(2)),
      button("All ranks", "shows all ranks (0)", () => chart.window(ranks.length, 0))),
    rankScale(chart), chart.host, rankNotes(chart, ranks)), detail, ranksCard(profile), rankRegionsCard(profile), spreadCard(profile));
  node.keys = {"+": () => chart.zoom(.5), "-": () => chart.zoom(2), 0: () => chart.window(ranks.length, 0)};
  return node;
}
