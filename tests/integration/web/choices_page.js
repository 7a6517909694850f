// Choices in flame graphs and in the timeline: one thread, a part of the time, a metric, a focus. Nothing of the choices
// before may stay.
"use strict";
const {test, expect, expectEqual, expectNear} = require("./cases.js");
const {openPage, goTo, frame, frameTotal, dataOf, expectQuiet} = require("./browser.js");
const {hasTimeline, makePage} = require("./files.js");

const roundings = .006;  // of numbers with two decimals

function declare(demo) {
  const {report} = demo;
  let page = null;
  let data = null;
  const it = (name, body) => test("Choices", name, async () => {
    if (!page) {
      page = await openPage(demo.page, {width: 1440});
      data = await dataOf(page);
    }
    await body();
    expectQuiet(page);
  });
  const button = (name) => page.getByRole("button", {name, exact: true});
  const detail = () => page.locator(".detail").innerText();
  const found = () => page.locator(".toolbar [aria-live]").last().textContent();
  const sampled = (thread) => data.threads[thread].sampled.reduce((sum, part) => sum + part, 0);

  it("show the stacks of one thread", async () => {
    await goTo(page, "flame");
    expectNear(sampled(0) + sampled(1), report.sampled_cpu_ns, 1e-9, "both threads");
    for (const thread of [0, 1]) {
      await page.getByLabel("Thread", {exact: true}).selectOption(String(thread));
      expectNear(await frameTotal(page, "all"), sampled(thread), roundings, `thread ${thread + 1}`);
      await button("bottom-up").click();
      expectNear(await frameTotal(page, "all"), sampled(thread), roundings, `thread ${thread + 1}, bottom up`);
      await button("top-down").click();
      await button("machine").click();
      expectNear(await frameTotal(page, "all"), sampled(thread), roundings, `thread ${thread + 1} in the machine's view`);
      await button("user").click();
    }
    const names = await page.locator(".flame g.frame").evaluateAll((frames) => frames.map((node) => node.getAttribute("name")));
    expect(names.some((name) => name.startsWith("influence [omp")), `a worker's stack: ${names}`);
    await page.getByRole("button", {name: "Remove: only thread 2"}).click();
    expectEqual(await page.getByLabel("Thread", {exact: true}).inputValue(), "", "the choice of a thread");
    expectNear(await frameTotal(page, "all"), report.sampled_cpu_ns, roundings, "all threads");
  });

  it("open the stacks of a thread from its bar", async () => {
    await goTo(page, "overview");
    await page.locator(".threads").first().getByRole("button", {name: "thread 2"}).click();
    await page.waitForSelector("main[data-view=flame]");
    expectNear(await frameTotal(page, "all"), sampled(1), roundings, "thread 2");
    await page.locator(".chip button").click();
  });

  it("keep the zoom and the selection in another metric", async () => {
    await frame(page, "influence").click();
    const whole = (await page.locator(".flame").boundingBox()).width;
    await button("samples").click();
    expectNear((await frame(page, "influence").boundingBox()).width, whole, .01, "width of what is zoomed to");
    const text = await detail();
    expect(text.includes("influence") && /total [\d,]+ samples/.test(text), text);
    await button("cpu").click();
    await button("Reset zoom").click();
  });

  it("leave nothing of a function in a metric that it has not", async () => {
    await page.getByLabel("Search functions").fill("^main$");
    await button("Focus").click();
    await page.getByLabel("Search functions").fill("main");
    expect(/frame/.test(await found()), await found());
    await page.locator(".chip button").click();
    await page.getByLabel("Search functions").fill("<ompprof>");
    await button("Focus").click();
    expectNear(await frameTotal(page, "all"), report.functions.find(({name}) => name === "<ompprof>").total_cpu_ns, .02, "the profiler's own stacks");
    await button("wait").click();
    expect((await page.locator(".flame").innerText()).includes("These stacks have no waiting."), "that there is none");
    expectEqual(await detail(), "", "the detail of a frame that is not there");
    expectEqual(await found(), "", "what a search found");
    await button("cpu").click();
    expect(/all stacks/.test(await detail()), "the detail is back");
    await page.locator(".chip button").click();
  });

  it("show the selected time, and what threads did in it", async () => {
    if (!hasTimeline) return;
    await goTo(page, "timeline");
    expect((await page.locator(".legend").first().textContent()).includes("off the processor, or in short waits"), "the name of gaps");
    await button("blame").click();
    const box = await page.locator(".timeline canvas").boundingBox();
    await page.mouse.move(box.x + 300, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 700, box.y + 10, {steps: 4});
    await page.mouse.up();
    const said = await page.locator("main [aria-live]").first().textContent();
    const [, from, to] = /^Selected: ([\d.]+ \w+) to ([\d.]+ \w+) \(.*\), all threads$/.exec(said) || [];
    expect(to !== undefined, said);
    expectEqual(await page.locator("h2", {hasText: "Stacks of"}).textContent(), `Stacks of ${from} to ${to}, all threads`, "the heading of the stacks");
    const shares = (await page.locator(".selected .key").allTextContents()).map((text) => Number(/([\d.]+) %$/.exec(text)[1]));
    expectNear(shares.reduce((sum, share) => sum + share, 0), 100, .005, `shares of ${shares}`);
    expect(await page.locator(".timeline .range").isVisible(), "the selection in the chart");
    // Blame is not known by time.
    expectEqual(await button("cpu").getAttribute("aria-pressed"), "true", "the metric");
    expect(await button("blame").isDisabled() && await button("machine").isDisabled(), "choices that a part of the time has not");
  });

  it("select a thread and a part of the time together", async () => {
    if (!hasTimeline) return;
    const part = await frameTotal(page, "all");
    const box = await page.locator(".timeline canvas").boundingBox();
    let sum = 0;
    for (const thread of [0, 1]) {
      await page.mouse.click(box.x + 60, box.y + 18 + 36 * thread);
      expect((await page.locator("h2", {hasText: "Stacks of"}).textContent()).endsWith(`, thread ${thread + 1}`), "the heading");
      expectEqual(await page.getByLabel("Thread", {exact: true}).inputValue(), String(thread), "the choice of a thread");
      sum += await frameTotal(page, "all");
    }
    expectNear(sum, part, 2 * roundings, "both threads in that time");
    await page.mouse.click(box.x + 60, box.y + 18 + 36);
    expectNear(await frameTotal(page, "all"), part, roundings, "all threads again");
    await page.locator(".chip button").click();
    expect(!await page.locator(".timeline .range").isVisible(), "a selection whose mark was removed");
    expectEqual(await page.locator("h2", {hasText: "Stacks of"}).textContent(), "Stacks of the whole run, all threads", "the heading");
    expect(!await button("blame").isDisabled(), "blame of the whole run");
  });

  it("compare the same stacks in every direction and with a focus", async () => {
    const same = await openPage(makePage("same", "--diff-base", demo.profile, demo.profile));
    await goTo(same, "difference");
    await same.getByLabel("Search functions").fill("influence");
    await same.getByRole("button", {name: "Focus", exact: true}).click();
    for (const direction of ["top-down", "bottom-up"]) {
      await same.getByRole("button", {name: direction, exact: true}).click();
      await same.mouse.move(2, 2);
      const titles = await same.locator(".flame g.frame title").allTextContents();
      expect(titles.length > 3 && titles.every((text) => text.endsWith("no change")), `${direction}: ${titles.find((text) => !text.endsWith("no change"))}`);
    }
    await same.close();
  });
}

module.exports = {declare};
