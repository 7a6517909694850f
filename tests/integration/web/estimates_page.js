// The pages of a program whose waits are estimated, and of the same program with each wait measured.
"use strict";
const {test, expect, expectEqual, expectNear} = require("./cases.js");
const {openPage, goTo, nanoseconds, expectQuiet} = require("./browser.js");
const {record, picture} = require("./files.js");

const views = ["overview", "functions", "regions", "region/0", "locks", "source"];
// For numbers with two decimals.
const roundings = .006;

// "~1.23 s ±0.08" in nanoseconds: [1.23e9, 0.08e9].
function measured(text) {
  const [, number, unit, error] = /~([\d.]+) (µs|ms|s) ±([\d.]+)/.exec(text) || [];
  expect(error !== undefined, `no estimate in ${JSON.stringify(text)}`);
  return [nanoseconds(`${number} ${unit}`), nanoseconds(`${error} ${unit}`)];
}

function expectMeasured(text, ns, ci95) {
  const [number, error] = measured(text);
  expectNear(number, ns, roundings, text);
  expect(Math.abs(error - ci95) <= roundings * ns, `${text}: ± ${ci95} ns`);
}

const cells = (page, table, row) => page.locator(`table[aria-label='${table}'] tbody tr`, {hasText: row}).first().locator("td").allTextContents();

// The number of the column with that heading.
async function column(page, table, heading) {
  const headings = await page.locator(`table[aria-label='${table}'] thead th`).allTextContents();
  const at = headings.findIndex((text) => text.trim().startsWith(heading));
  expect(at >= 0, `${heading} in ${headings}`);
  return at;
}

function declareGoverned(run) {
  const {report} = run;
  let page = null;
  const it = (name, body) => test("EstimatedPage", name, async () => {
    page = page || await openPage(run.page);
    await body();
    expectQuiet(page);
  });

  it("is of a run whose waits were estimated", async () => {
    expect(report.overhead.governed.length > 0, "governed classes of events");
    expect(report.efficiency.estimated, "efficiency");
  });

  it("marks the run's figures, states and notes", async () => {
    await goTo(page, "overview");
    const tiles = await page.locator(".tile .value").allTextContents();
    expect(tiles.some((text) => /^~[\d.]+ of 2$/.test(text)), `busy threads in ${tiles}`);
    const state = report.states.ompt_state_wait_taskwait;
    expectMeasured((await cells(page, "states", "taskwait")).join(" "), state.wait_ns, state.ci95);
    expect((await page.locator("main").innerText()).includes("are estimated"), "a note of it");
    await picture(page, "estimates-overview");
  });

  it("marks what regions lose, and their imbalance", async () => {
    await goTo(page, "regions");
    const region = report.regions.find(({name}) => name.includes("Barriers"));
    expect(region.estimated, "the region of the barriers");
    const row = await cells(page, "regions", "Barriers");
    expectMeasured(row[await column(page, "regions", "barriers")], region.barrier_wait_ns, region.ci95.barrier_wait_ns);
    expect(/^~/.test(row[await column(page, "regions", "imbalance")]), `imbalance in ${row}`);
  });

  it("marks a region's useful times, and its runs by call path", async () => {
    await goTo(page, "regions");
    await page.getByRole("link", {name: /^Barriers/}).first().click();
    await page.waitForSelector("main[data-view=region]");
    const useful = await page.locator(".range-bars .num").allTextContents();
    expect(useful.length === 3 && useful.every((text) => text.startsWith("~")), `least busy, mean and busiest: ${useful}`);
    const path = await cells(page, "call paths", "main");
    expect(/^~/.test(path[await column(page, "call paths", "imbalance")]), `imbalance in ${path}`);
    expect(!/~/.test(path[await column(page, "call paths", "elapsed")]), `what is exact in ${path}`);
    await picture(page, "estimates-region");
  });

  it("marks waits for locks", async () => {
    await goTo(page, "locks");
    const [lock] = report.locks;
    expect(lock.estimated, "the lock that was waited for most");
    expectMeasured((await page.locator("table[aria-label=locks] tbody tr").first().locator("td").allTextContents()).join(" "), lock.wait_ns, lock.ci95);
  });
}

function declareExact(run) {
  test("ExactPage", "has no estimate", async () => {
    expectEqual(run.report.overhead.governed.length, 0, "governed classes of events");
    const page = await openPage(run.page);
    for (const view of views) {
      await goTo(page, view);
      const marked = await page.locator("main :is(td:not(.code), dd, .num, .tile .value)").allTextContents();
      expect(marked.length > 0, `figures in ${view}`);
      expectEqual(marked.filter((text) => /~|±/.test(text)).join(" | "), "", `estimates in ${view}`);
    }
    expectQuiet(page);
    await page.close();
  });
}

function declare() {
  declareGoverned(record("estimates", [], "governed"));
  declareExact(record("exact", ["--max-overhead=0"], "governed"));
}

module.exports = {declare};
