// Tables with sorting by a click on a heading, and a filter.

const rowsAtOnce = 200;

// columns: {label, title, text (left), value(row) to sort by, cell(row) -> node or text, meaning(row) -> hover text}.
// options: label, rows (shown at first), sort (index of a column), ascending, filter(row) -> text, onChoose(row).
function sortedTable(columns, rows, options) {
  let sort = options.sort ?? 0;
  let ascending = options.ascending ?? false;
  let shown = options.rows ?? rowsAtOnce;
  let pattern = null;
  const head = element("tr");
  const body = element("tbody");
  const more = element("div", {class: "more-rows"});

  const draw = () => {
    const {value} = columns[sort];
    const sorted = rows.filter((row) => !pattern || pattern.test(options.filter(row))).sort((a, b) => {
      const [left, right] = [value(a), value(b)];
      const order = typeof left === "string" ? left.localeCompare(right) : left - right;
      return ascending ? order : -order;
    });
    [...head.children].forEach((cell, i) => {
      if (i === sort) cell.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      else cell.removeAttribute("aria-sort");
    });
    replace(body, sorted.slice(0, shown).map((row) => element("tr", {}, columns.map((column) => {
      const meaning = column.meaning ? column.meaning(row) : column.title;
      return element("td", {class: column.text ? (column.key === "name" ? "text name" : "text") : null, title: meaning}, column.cell(row));
    }))));
    const left = sorted.length - shown;
    replace(more, left > 0 && element("button", {type: "button", onclick: () => {
      shown += 10 * rowsAtOnce;
      draw();
    }}, `${formatCount(left)} more rows`));
  };

  columns.forEach((column, i) => {
    const byThis = () => {
      ascending = sort === i ? !ascending : Boolean(column.text);
      sort = i;
      draw();
    };
    head.append(element("th", {class: [column.text && "text", !column.value && "plain"].filter(Boolean).join(" ") || null, scope: "col", title: column.title},
      column.value ? element("button", {type: "button", onclick: byThis}, column.label) : column.label));
  });
  draw();
  const table = element("table", {"aria-label": options.label}, element("thead", {}, head), body);
  const search = options.filter && rows.length > 8 && element("div", {class: "toolbar"}, element("input", {
    type: "search", placeholder: "Filter: text or regular expression", "aria-label": `Filter ${options.label}`,
    "data-search": true, oninput: (event) => {
      pattern = matcher(event.target.value);
      draw();
    }}));
  return element("div", {}, search, scrollBox(table), more);
}

// A number with a bar for its share of `whole`.
function shareCell(value, whole, format) {
  const percent = whole > 0 ? Math.max(0, Math.min(100, 100 * value / whole)) : 0;
  return [format(value), element("span", {class: "share", "aria-hidden": "true"}, element("i", {"width%": percent}))];
}
