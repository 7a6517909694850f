// The page of a program with two recursions: 40 calls deep, and 5,000 calls deep, of which frames are cut.
"use strict";
const path = require("path");
const {test, expect, expectEqual, expectNear} = require("./cases.js");
const {openPage, goTo, frame, frameTotal, expectQuiet} = require("./browser.js");
const {hasTimeline, makePage, makeUp, record, picture} = require("./files.js");

// For numbers with two decimals.
const roundings = .006;

function declare() {
  const run = record("recursion", hasTimeline ? ["--timeline"] : [], "recursion", "2000");
  const {report} = run;
  let page = null;
  const it = (name, body) => test("RecursivePage", name, async () => {
    page = page || await openPage(run.page);
    await body();
    expectQuiet(page);
  });
  const button = (name) => page.getByRole("button", {name, exact: true});
  const names = () => page.locator(".flame g.frame").evaluateAll((frames) => frames.map((node) => node.getAttribute("name")));
  const calls = async (name) => (await names()).filter((text) => text === name || text.startsWith(`${name} `));

  it("shows each recursion once, with its depth", async () => {
    await goTo(page, "flame");
    expectEqual((await calls("descend_shallow")).join(), "descend_shallow x40", "the shallow recursion");
    const deep = await calls("descend_deep");
    expect(deep.length === 1 && /^descend_deep x[\d,]+\+$/.test(deep[0]), `the deep recursion: ${deep}`);
    expectEqual((await calls("<frames cut>")).join(), "", "cut frames");
    expectNear(await frameTotal(page, "all"), report.sampled_cpu_ns, roundings, "the whole");
    await picture(page, "recursion-folded");
  });

  it("counts a recursion's total once", async () => {
    for (const name of ["descend_shallow", "descend_deep"]) {
      const [shown] = await calls(name);
      expectNear(await frameTotal(page, shown), report.functions.find((row) => row.name.startsWith(name)).total_cpu_ns, .01, shown);
    }
  });

  it("says the meaning of a depth", async () => {
    await frame(page, "descend_shallow x40").click();
    const text = await page.locator(".detail").textContent();
    expect(text.includes("up to 40 calls in one call path"), text);
    await page.keyboard.press("Escape");
  });

  it("marks the depth bottom up", async () => {
    await button("bottom-up").click();
    expect((await names()).includes("descend_shallow x40"), `bottom up: ${await names()}`);
    await button("top-down").click();
  });

  it("folds the stacks of a part of the time", async () => {
    if (!hasTimeline) return;
    await goTo(page, "timeline");
    await page.locator(".timeline").focus();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+ArrowRight");
    // On a busy machine the program may get a processor late: the part extends to its first samples.
    for (let presses = 0; presses === 0 || presses < 40 && (await names()).length === 0; ++presses)
      await page.keyboard.press("Shift+ArrowRight");
    const part = await frameTotal(page, "all");
    expect(part > 0 && part < .3 * report.sampled_cpu_ns, `${part} in a part of the time`);
    const both = [...await calls("descend_shallow"), ...await calls("descend_deep")];
    expect(both.length > 0 && both.length <= 2 && both.every((name) => / x/.test(name)), both.join());
    await button("bottom-up").click();
    expect((await names()).some((name) => /^descend_\w+ x/.test(name)), `bottom up: ${await names()}`);
    await button("top-down").click();
    const folded = await frameTotal(page, both[0]);
    await button("each call").click();
    expectNear(await frameTotal(page, "all"), part, roundings, "all of the part");
    expectNear(await frameTotal(page, both[0].split(" ")[0]), folded, roundings, "the outermost call");
    await button("folded").click();
    await page.locator(".timeline").focus();
    await page.keyboard.press("Escape");
    await goTo(page, "flame");
  });

  it("shows each call on request", async () => {
    await button("each call").click();
    expectEqual((await calls("descend_shallow")).length, 40, "calls of the shallow recursion");
    expect((await calls("<frames cut>")).length > 0, "cut frames");
    expectNear(await frameTotal(page, "all"), report.sampled_cpu_ns, roundings, "the whole");
    await picture(page, "recursion-whole");
    await button("folded").click();
    expectEqual((await calls("descend_shallow")).length, 1, "folded again");
  });

  it("has the choice of folding", async () => {
    expect(await button("each call").isVisible(), "the choice");
    await page.close();
  });

  test("HostilePage", "without recursion has no choice of folding", async () => {
    const other = await openPage(makePage("straight", makeUp("hostile", path.resolve("tests/integration/web/hostile.so"))));
    await goTo(other, "flame");
    const choice = other.locator("button[data-value=whole]");
    expectEqual(await choice.count(), 1, "the hidden choice");
    expect(!await choice.isVisible(), "the choice is visible");
    await other.close();
  });
}

module.exports = {declare};
