// The view of the hottest functions' instructions, with the cost of each.

// A link to the function's instructions; nothing if the page does not have them.
function codeLink(profile, name) {
  const index = profile.code.findIndex((code) => code.name === name);
  return index >= 0 && element("a", {href: `#assembly/${index}`, title: "the function's instructions, with their costs"}, "assembly");
}

const gapRow = (count, columns, what) => element("tr", {class: "gap"}, element("td", {colspan: columns}, `… ${formatCount(count)} ${what} without a noticeable cost …`));

function assemblyTable(profile, code) {
  const cells = costCells(profile, code.instructions.map(({cost}) => cost).filter(Boolean));
  const body = element("tbody");
  let lastLine = "";
  for (const instruction of code.instructions) {
    if (instruction.leftOut > 0) body.append(gapRow(instruction.leftOut, 7, "instructions"));
    const line = instruction.line ? `${instruction.file}:${instruction.line}` : "";
    const {cells: costs, hot, weight, wait} = cells(instruction.cost, "instruction");
    body.append(element("tr", {"data-address": instruction.address.toString(16), "data-hot": hot ? "yes" : null, "data-weight": weight, "data-wait": wait}, costs,
      element("td", {class: "line text"}, line && line !== lastLine ? sourceLink(profile, instruction.file, instruction.line) : ""),
      element("td", {class: "line"}, instruction.address.toString(16)),
      element("td", {class: "code asm"}, instruction.text || "?")));
    lastLine = line;
  }
  return costTable(code.name, "instruction", [["source", "file and line of the innermost function at the instruction", true], ["address", "in the file's own addresses", false], ["instruction", "as objdump shows it", true]], body);
}

function drawAssembly(profile, number) {
  const {code} = profile;
  if (!code.length) {
    return card("Assembly", element("p", {}, "This page has no instructions. No function has 0.5 % of the samples, or the profile was still being recorded. ",
      element("code", {}, "ompprof annotate --asm FUNCTION FILE"), " shows the instructions of any function."));
  }
  const index = code[Number(number)] ? Number(number) : 0;
  const chosen = code[index];
  const cpu = metricsOf(profile).cpu;
  const {sampled_cpu_ns} = profile.report;
  const select = element("select", {"aria-label": "Function", title: "the functions with the most time in their own code", onchange: (event) => location.hash = `#assembly/${event.target.value}`},
    code.map((each, i) => element("option", {value: i, selected: i === index}, `${formatShare(each.self_cpu_ns, sampled_cpu_ns)}  ${each.short}`)));
  const about = [element("p", {class: "soft"}, element("span", {class: "code"}, baseName(chosen.module)), ": ", element("span", {class: "code"}, chosen.symbol), ". ",
    "Waiting in the OpenMP runtime counts for the instruction that called it. Samples may be some instructions late. ",
    chosen.left_out > 0 && `${formatCount(chosen.left_out)} instructions without a noticeable cost are left out. `,
    element("code", {}, "ompprof annotate --asm"), " shows any function."),
  chosen.problem && element("p", {class: "warn"}, `The code is not known: ${chosen.problem}.`)];
  return hotView("Assembly", assemblyTable(profile, chosen), null, "instruction", [select], [
    quantity(`${cpu.format(chosen.self_cpu_ns)} in this function`, `own ${cpu.noun} of the function's instructions, from samples`),
    callsLink(chosen.name, "callers and callees")], about);
}
