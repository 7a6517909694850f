// The page of a unified job: 12 made-up ranks with a timeline, of which rank 5 works twice as long.
"use strict";
const {test, expect, expectEqual, expectNear} = require("./cases.js");
const {openPage, goTo, expectReadable, tipText, nanoseconds, expectQuiet} = require("./browser.js");
const {makePage, makeUpAs, unify, picture, ompprof, run} = require("./files.js");

const left = 96;    // of the chart's labels
const below = 24;   // for the chart's axis
const ranks = 12;
const late = 5;
const columnNs = 32.768e6;
const end = 123 * columnNs;  // of the late rank's 4 s

function declare() {
  const profiles = Array.from({length: ranks}, (_, rank) => makeUpAs(`rank-${rank}`, "rank", String(rank)));
  const job = unify("job", [], profiles);
  const address = makePage("job", job);
  let page = null;
  const it = (name, body) => test("RanksPage", name, async () => {
    if (!page) {
      page = await openPage(address);
      await goTo(page, "ranks");
    }
    await body();
    expectQuiet(page);
  });
  const chart = () => page.locator(".ranks canvas").boundingBox();
  // The middle of a row of `rows`, at a time.
  const point = async (row, ns, rows = ranks) => {
    const box = await chart();
    return [box.x + left + (box.width - left) * ns / end, box.y + (row + .5) * (box.height - below) / rows];
  };
  const hover = async (row, ns, rows) => {
    await page.mouse.move(...await point(row, ns, rows));
    return tipText(page);
  };
  const card = (heading) => page.locator(".card", {has: page.getByRole("heading", {name: heading})});
  const choose = (name) => page.locator(".toolbar").getByRole("button", {name, exact: true}).click();
  const colour = async (row, ns, rows) => {
    const [x, y] = await point(row, ns, rows);
    return page.evaluate(([atX, atY]) => {
      const canvas = document.querySelector(".ranks canvas");
      const scale = canvas.width / canvas.clientWidth;
      const {left: boxLeft, top} = canvas.getBoundingClientRect();
      const copy = new OffscreenCanvas(1, 1).getContext("2d");  // the browser warns of reading from one canvas twice
      copy.drawImage(canvas, -Math.round((atX - boxLeft) * scale), -Math.round((atY - top) * scale));
      return copy.getImageData(0, 0, 1, 1).data[0];
    }, [x, y]);
  };

  it("names the late rank on the first screen", async () => {
    await goTo(page, "overview");
    const text = await card("Ranks").first().textContent();
    expect(text.includes("12 ranks are one tree here"), text);
    expect(text.includes("rank 5: 2.75 s more than the mean (3.25 s) in "), text);
    await card("Ranks").first().getByRole("link", {name: "What each rank did"}).click();
    await page.waitForSelector("main[data-view=ranks]");
  });

  it("says what each rank did when", async () => {
    expect(/^rank 3 on node0\n.* after the job's start\nwork 100.0 %, MPI 0.0 %, waiting 0.0 %, rest 0.0 %$/.test(await hover(3, 500e6)), await hover(3, 500e6));
    expect(/\nwork 50.\d %, MPI 0.0 %, waiting 50.\d %/.test(await hover(3, 1500e6)), await hover(3, 1500e6));
    expect(/^rank 3 on node0\n.*\nwork 0.0 %, .* rest 100.0 %$/.test(await hover(3, 2500e6)), await hover(3, 2500e6));
    expect(/^rank 5 on node1\n.*\nwork 50.\d %, .*waiting 50.\d %/.test(await hover(late, 2500e6)), await hover(late, 2500e6));
    const [full, half, none] = [await colour(3, 500e6), await colour(3, 1500e6), await colour(3, 2500e6)];
    expect(full < half - 50 && half < none - 50, `shades of 100, 50 and 0 % work: ${full}, ${half}, ${none}`);
    expect(Math.abs(await colour(late, 1500e6) - full) < 3, "the late rank still works");
    await choose("Waiting");
    expect(Math.abs(await colour(3, 1500e6) - half) < 3 && Math.abs(await colour(3, 500e6) - none) < 3, "shades of waiting");
    await choose("Work");
    await picture(page, "ranks");
  });

  it("shows a rank that is clicked beside the mean", async () => {
    await page.mouse.click(...await point(late, 500e6));
    expectEqual(await page.evaluate(() => location.hash), "#ranks/5", "the address");
    const text = await card("rank 5, pid 105 on node1").textContent();
    expect(text.includes("ompprof report --rank=5 FILE"), text);
    const rows = await page.locator("table[aria-label='figures of the rank'] tbody tr").evaluateAll((found) => found.map((row) => [...row.cells].map((cell) => cell.textContent)));
    const of = (name) => rows.find(([figure]) => figure === name);
    expectNear(nanoseconds(of("wall time")[1]), 4e9, .001, "wall time");
    expectNear(nanoseconds(of("work")[1]), 6e9, .001, "work");
    expectNear(nanoseconds(of("work")[2]), (11 * 3e9 + 6e9) / 12, .002, "mean work");
    expectEqual(of("work")[3], "+84.6 %", "difference of the work");
    expectNear(nanoseconds(of("waiting")[1]), 2e9, .001, "waiting");
    await picture(page, "ranks-chosen");
    await page.mouse.click(...await point(3, 500e6));
    const other = await card("rank 3, pid 103 on node0").textContent();
    expect(other.includes("no records of this rank alone") && other.includes("--keep=all"), other);
    const report = run(ompprof, "report", `--rank=${late}`, "--format=json", job);
    expectEqual(JSON.parse(report).duration_ns, 4e9, "the rank's own report");
  });

  it("goes by keys, zooms, and orders", async () => {
    await choose("difference");
    expect((await hover(0, 500e6)).startsWith("rank 5 "), "the late rank is first");
    await page.locator(".ranks").focus();
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowDown");
    await card("rank 5, pid 105").waitFor();
    await page.keyboard.press("ArrowDown");
    await card("rank 0, pid 100").waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("+");
    expect((await hover(0, 500e6, 6)).startsWith("rank 5 "), "six rows are shown");
    await page.keyboard.press("0");
    await choose("rank");
    const [x, from] = await point(7, 500e6);
    const [, to] = await point(9, 500e6);
    await page.mouse.move(x, from);
    await page.mouse.down();
    await page.mouse.move(x, to);
    await page.mouse.up();
    expect((await hover(2, 500e6, 3)).startsWith("rank 9 "), `three rows are shown: ${await hover(2, 500e6, 3)}`);
    await picture(page, "ranks-zoomed");
    await choose("All ranks");
    expect((await hover(11, 500e6)).startsWith("rank 11 "), "all are shown");
    const text = await hover(7, 500e6);  // the host's name is markup
    expect(text.includes("</script><img src=x"), text);
    await page.mouse.click(...await point(7, 500e6));
    expectEqual(await page.evaluate(() => window.hostile), undefined, "what a host's name ran");
  });

  it("has the spread of the figures, and links to each rank", async () => {
    const cells = await page.locator("table[aria-label=spread] tbody tr", {hasText: "useful"}).first().locator("td").allTextContents();
    expect(cells.some((cell) => /^6\.00 s$/.test(cell)) && cells.some((cell) => /^3\.00 s$/.test(cell)), `least and largest: ${cells}`);
    await page.locator("table[aria-label=ranks] tbody a", {hasText: /^11$/}).click();
    await card("rank 11, pid 111").waitFor();
  });

  it("tells why there is no timeline of threads", async () => {
    await goTo(page, "timeline");
    const text = await page.locator("#main").textContent();
    expect(text.includes("A unified job keeps no events in time."), text);
    await goTo(page, "ranks");
  });

  it("draws bars of ranks without a timeline, and is absent without their rows", async () => {
    const untimed = makePage("untimed", unify("untimed", [], profiles.map((_, rank) => makeUpAs(`untimed-${rank}`, "rank", String(rank), "untimed"))));
    const bars = await openPage(untimed);
    await goTo(bars, "ranks");
    const text = await bars.locator("#main").textContent();
    expect(text.includes("The ranks have no timeline") && text.includes("ompprof record --timeline"), text);
    await picture(bars, "ranks-bars");
    expectQuiet(bars);
    await bars.close();
    const none = await openPage(makePage("sums", unify("sums", ["--keep=none"], profiles)));
    expectEqual((await none.locator("#tabs a").allTextContents()).filter((tab) => tab.startsWith("Ranks")).length, 0, "tabs of ranks");
    await none.close();
  });

  it("is readable in the dark and on a small screen", async () => {
    for (const dark of [false, true]) {
      const small = await openPage(`${address}#ranks/5`, {dark, width: 800, height: 900});
      await expectReadable(small, `ranks${dark ? ", dark" : ""}`);
      const wide = await small.evaluate(() => document.documentElement.scrollWidth);
      expect(wide <= 800, `ranks is ${wide} pixels wide`);
      await picture(small, `ranks-800-${dark ? "dark" : "light"}`);
      expectQuiet(small);
      await small.close();
    }
    await page.close();
  });
}

module.exports = {declare};
