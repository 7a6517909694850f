// The page of `ompprof scale`: the demonstration program with one thread and with two, and a profile of hostile names.
"use strict";
const fs = require("fs");
const path = require("path");
const {test, expect, expectEqual} = require("./cases.js");
const {openPage, expectQuiet} = require("./browser.js");
const {folder, makeUp, ompprof, picture, run} = require("./files.js");

function declare() {
  const runs = path.join(folder, "scaling");
  const file = path.join(folder, "scaling.html");
  run(ompprof, "scale", "--threads=1,2", "-q", "-o", runs, "--html", file, "--", path.resolve("tests/programs/demo_heat"), "1");
  const scaling = JSON.parse(run(ompprof, "scale", "--format=json", runs));
  const open = async (address) => {
    const page = await openPage(`file://${address}`);
    await page.waitForSelector("main .sentences");
    return page;
  };
  const card = (page, heading) => page.locator(".card", {has: page.getByRole("heading", {name: heading, exact: true})});

  test("ScalingPage", "has the sentences, a line for the run and a bar for each number of threads", async () => {
    const page = await open(file);
    expectEqual((await page.locator(".sentences li").allTextContents()).join("\n"), scaling.sentences.join("\n"), "sentences");
    const ran = scaling.regions.filter(({points}) => points[0].elapsed_ns > 0).length;
    expectEqual(await page.locator(".speedup .line").count(), 1 + Math.min(5, ran), "lines");
    const dots = await page.locator(".speedup circle title").allTextContents();
    expect(dots.includes(`the run: ${scaling.points[1].speedup.toFixed(2)} times as fast with 2 threads`), dots.join("\n"));
    expectEqual(await page.locator(".threads .stack").count(), 2, "bars");
    const widths = await page.locator(".threads .stack").evaluateAll((bars) => bars.map((bar) =>
      [...bar.children].reduce((sum, part) => sum + part.getBoundingClientRect().width, 0) / bar.getBoundingClientRect().width));
    for (const width of widths) expect(Math.abs(width - 1) < .02, `the parts fill the bar: ${widths}`);
    await picture(page, "scaling");
    expectQuiet(page);
    await page.close();
  });

  test("ScalingPage", "shows the lines of a chosen region's file", async () => {
    const page = await open(file);
    await card(page, "Regions").locator("td .link").first().click();
    const lines = card(page, "Lines whose CPU time grew");
    expect((await lines.locator(".chip").textContent()).includes("demo_heat.cc"), "the chip names the file");
    const wanted = scaling.lines.filter((row) => row.file === "demo_heat.cc").length;
    expectEqual(await lines.locator("tbody tr").count(), wanted, "lines");
    await lines.locator(".chip button").click();
    expectEqual(await lines.locator("tbody tr").count(), scaling.lines.length, "all lines");
    await page.close();
  });

  test("ScalingPage", "shows hostile names as text", async () => {
    const hostile = path.join(folder, "hostile-scaling.html");
    run(ompprof, "scale", "--html", hostile, makeUp("hostile", path.resolve("tests/integration/web/hostile.so")));
    expect(fs.readFileSync(hostile, "utf8").includes("onerror=window.hostile"), "the names are in the page");
    const page = await open(hostile);
    expectEqual(await page.evaluate(() => window.hostile), undefined, "the flag that a script would set");
    expectEqual(await page.locator("img, iframe, object, embed, main script, main style, base, form").count(), 0, "elements that are not the page's own");
    await page.close();
  });
}

module.exports = {declare};
