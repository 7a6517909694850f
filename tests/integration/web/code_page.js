// The views of source, of instructions, and of a function's callers and callees.
"use strict";
const {test, expect, expectEqual, expectNear} = require("./cases.js");
const {openPage, goTo, dataOf, nanoseconds, expectQuiet} = require("./browser.js");
const {ompprof, run} = require("./files.js");

const roundings = .006;  // of numbers with two decimals

// Whether the row that a view opens on can be seen.
const isSeen = (page) => page.locator("tr.here").evaluate((row) => {
  const {top, bottom} = row.getBoundingClientRect();
  const box = row.closest(".scroll").getBoundingClientRect();
  return top >= box.top && bottom <= Math.min(box.bottom, window.innerHeight);
});

// Of one hot row, the next one is itself.
const hasSeveralHot = async (page) => await page.locator("tr[data-hot]").count() > 1;

function declare(demo) {
  const {report} = demo;
  let page = null;
  let data = null;
  const it = (name, body) => test("Code", name, async () => {
    if (!page) {
      page = await openPage(demo.page, {width: 1440});
      data = await dataOf(page);
    }
    await body();
    expectQuiet(page);
  });

  it("opens on the hottest line of the hottest file", async () => {
    await goTo(page, "source");
    const {costs} = data.sources.find(({lines}) => lines.length > 0);
    const [hottest] = costs.reduce((most, cost) => (cost[1] > most[1] ? cost : most));
    expectEqual(await page.locator("tr.here").getAttribute("data-line"), String(hottest), "the line");
    expect(await isSeen(page), "the line is in sight");
    await page.keyboard.press("n");
    expectEqual(await page.locator("tr.here").getAttribute("data-line") !== String(hottest), await hasSeveralHot(page), "the next line");
    expect(await isSeen(page), "the next line is in sight");
    await page.keyboard.press("h");
    expectEqual(await page.locator("tr.here").getAttribute("data-line"), String(hottest), "the line after h");
  });

  it("opens on the line of a link", async () => {
    await goTo(page, "source/0/48");
    expectEqual(await page.locator("tr.here").getAttribute("data-line"), "48", "the line");
    expect(await isSeen(page), "the line is in sight");
  });

  it("shows the instructions of the hottest functions as annotate does", async () => {
    await goTo(page, "assembly");
    expect(data.code.length > 2 && data.code.length <= 16, `${data.code.length} functions`);
    for (const {instructions, self_cpu_ns} of data.code) {
      expect(instructions.text.length <= 400, `${instructions.text.length} instructions`);
      expect(self_cpu_ns >= .005 * report.sampled_cpu_ns, `${self_cpu_ns} ns`);
    }
    const [{name, symbol, module, self_cpu_ns}] = data.code;
    expect((await page.locator("option").first().textContent()).includes(name.slice(name.indexOf("[omp"))), "the function with the most time comes first");
    const annotated = JSON.parse(run(ompprof, "annotate", "--asm", "--format=json", name, demo.profile)).code.find((code) => code.function === symbol && code.module === module);
    const hottest = annotated.instructions.reduce((most, each) => (each.self_cpu_ns > most.self_cpu_ns ? each : most));
    expectNear(annotated.self_cpu_ns, self_cpu_ns, 1e-9, "own time of the function");
    const row = page.locator("tr.here");
    expectEqual(await row.getAttribute("data-address"), hottest.address.toString(16), "the instruction that the view opens on");
    expect(await isSeen(page), "the instruction is in sight");
    const cells = await row.locator("td").allTextContents();
    expectNear(nanoseconds(cells[0]), hottest.self_cpu_ns, roundings, "its own time");
    expectEqual(cells[6].replaceAll(/\s+/g, " "), hottest.text.replaceAll(/\s+/g, " "), "its text");
    const lines = await page.locator("td.text a").allTextContents();
    expect(lines.some((text) => /^demo_heat\.cc:\d+$/.test(text)), `lines of instructions: ${lines}`);
    const before = await row.getAttribute("data-address");
    await page.keyboard.press("n");
    expectEqual(await row.getAttribute("data-address") !== before, await hasSeveralHot(page), "the next instruction");
    expect(await isSeen(page), "the next instruction is in sight");
  });

  it("shows another function's instructions", async () => {
    await page.getByLabel("Function", {exact: true}).selectOption("1");
    await page.waitForFunction((name) => document.querySelector("table.source").getAttribute("aria-label") === name, data.code[1].name);
    await page.getByRole("link", {name: "callers and callees"}).click();
    await page.waitForSelector("main[data-view=sandwich]");
    expectEqual(await page.locator("h2.code").getAttribute("title"), data.code[1].name, "the function");
  });

  it("shows a function's callers and callees", async () => {
    const chosen = report.functions.find(({name}) => name.includes("count_tracers") && name.includes("[omp"));
    const outer = report.functions.find(({name}) => name.includes("count_tracers") && !name.includes("[omp"));
    await goTo(page, `sandwich/${encodeURIComponent(chosen.name)}`);
    const rows = async (label) => Object.fromEntries(await page.locator(`table[aria-label=${label}] tbody tr`).evaluateAll((found) => found.map((row) => [row.children[1].textContent, row.children[0].textContent])));
    const callers = await rows("callers");
    expectEqual(Object.keys(callers).join(), "count_tracers", "callers");
    expectNear(nanoseconds(callers.count_tracers), chosen.total_cpu_ns, roundings, "the caller's part");
    const callees = await rows("callees");
    expectNear(Object.values(callees).reduce((sum, text) => sum + nanoseconds(text), 0), chosen.total_cpu_ns, 2 * roundings, `callees: ${JSON.stringify(callees)}`);
    expectNear(nanoseconds(callees["(the function itself)"]), chosen.self_cpu_ns, roundings, "the function itself");
    const critical = report.functions.find(({name}) => name === "<omp critical>");
    expectNear(nanoseconds(callees["<omp critical>"]), critical.total_cpu_ns, roundings, "the critical section, which no other function has");
    // The callers' graph has the function at its bottom, and main above it.
    const places = await page.locator(".flame").first().locator("g.frame").evaluateAll((frames) => frames.map((node) => [node.getAttribute("name"), node.getBoundingClientRect().top]));
    const top = (name) => places.find(([found]) => found.replace("↳ ", "") === name)[1];
    expect(top("main") < top("count_tracers") && top("count_tracers") < Math.max(...places.map(([, y]) => y)), JSON.stringify(places));
    await page.locator("table[aria-label=callers] a").click();
    await page.waitForFunction((name) => document.querySelector("h2.code").title === name, outer.name);
    expect(Object.keys(await rows("callees")).some((name) => name.startsWith("count_tracers [omp")), "back down");
  });

  it("shows callers by waiting, by blame and of one thread", async () => {
    const critical = report.functions.find(({name}) => name === "<omp critical>");
    await goTo(page, `sandwich/${encodeURIComponent(critical.name)}`);
    await page.getByRole("button", {name: "wait", exact: true}).click();
    const sum = async () => (await page.locator("table[aria-label=callers] tbody td:first-child").allTextContents()).reduce((all, text) => all + nanoseconds(text), 0);
    expectNear(await sum(), critical.wait_ns, roundings, "waiting by caller");
    await page.getByRole("button", {name: "cpu", exact: true}).click();
    let threads = 0;
    for (const thread of ["0", "1"]) {
      await page.getByLabel("Thread", {exact: true}).selectOption(thread);
      threads += await page.locator("table[aria-label=callers]").count() ? await sum() : 0;
    }
    expectNear(threads, critical.total_cpu_ns, 2 * roundings, "both threads");
    await page.getByLabel("Thread", {exact: true}).selectOption("");
  });

  it("says that a function is in no stack", async () => {
    await goTo(page, "sandwich/no%20such%20function");
    expect((await page.locator("main").innerText()).includes("No stack has this function"), "a sentence");
    await goTo(page, "sandwich/%E0%A4%A");
    expect((await page.locator("main").innerText()).includes("No stack has this function"), "of a broken address too");
  });
}

module.exports = {declare};
