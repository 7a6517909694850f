// The columns that the report declares: headings, hover texts, and cells by unit.

// A row's figure as text. An estimated sum of waits has its error.
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

// Makes columns for sortedTable. `own` changes columns, by key: any property of a column; `action`, the words for a
// click; `whole`, the whole for a bar of shares; `of`, the words for the whole.
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
