// The columns of tables that the report declares: headings, hover texts, and cells by the unit of what is in them.

// A row's figure as text; of a sum of waits with its error, where it is estimated.
function figureText(profile, {key, unit, measured, derived}, row) {
  const value = row[key];
  if (value === undefined || value === null) return "–";
  const ci95 = typeof row.ci95 === "object" ? row.ci95[key] || 0 : row.ci95;
  const estimated = measured && (typeof row.ci95 === "object" && unit === "ns" && !derived ? ci95 > 0 : row.estimated);
  switch (unit) {
    case "ns": return derived ? tilde(estimated, formatDuration(value)) : formatMeasured(value, estimated, ci95);
    case "weight": return formatWeight(profile, value);
    case "count": return tilde(estimated, formatCount(value));
    case "share": return tilde(estimated, formatShare(value, 1));
    case "factor": return String(+value.toFixed(1));
    default: return String(value);
  }
}

// For sortedTable. `own` has by key what a table does otherwise: any property of a column; `action`, what a click does;
// `whole`, a bar of the figure's share of it, and `of`, its words.
function declaredColumns(profile, table, own = {}) {
  return profile.columns[table].map((column) => {
    const {key, heading, hover} = column;
    const {action, whole, of, ...others} = own[key] || {};
    const text = column.unit === "text";
    const figure = (row) => figureText(profile, column, row);
    return {
      key, label: heading, text, title: action ? `${hover}; ${action}` : hover,
      value: (row) => row[key] ?? (text ? "" : 0),
      cell: whole === undefined ? figure : (row) => (row[key] ? shareCell(row[key], whole, () => figure(row)) : ""),
      ...(whole !== undefined && {meaning: (row) => `${formatShare(row[key], whole)} of ${of}: ${hover}`}),
      ...others,
    };
  });
}

const columnAt = (columns, wanted) => columns.findIndex(({key}) => key === wanted);
