// The page of a real profile of the demonstration program.
"use strict";
const {test, expect, expectEqual, expectNear} = require("./cases.js");
const {openPage, goTo, frame, frameTotal, nanoseconds, expectQuiet} = require("./browser.js");
const {picture, hasTimeline} = require("./files.js");

const roundings = .006;  // of numbers with two decimals
const percent = (share) => `${(100 * share).toFixed(share < .1 && share !== 0 ? 2 : 1)} %`;

function declare(demo, suite) {
  const {report} = demo;
  let page = null;
  const keep = (shown, view) => picture(shown, `${demo.name}-${view}`);
  const it = (name, body) => test(suite, name, async () => {
    page = page || await openPage(demo.page);
    await body();
    expectQuiet(page);
  });
  const texts = (selector) => page.locator(selector).allTextContents();
  const region = (holder) => report.regions.find((candidate) => candidate.name.includes(holder));
  const button = (name) => page.getByRole("button", {name, exact: true});

  it("opens with the run's figures", async () => {
    expectEqual(await page.title(), `${demo.name} - ompprof`, "title");
    const facts = (await texts("#head .facts b")).join("\n");
    expectNear(nanoseconds(facts), report.duration_ns, roundings, "wall time");
    const tiles = (await texts(".tile .value")).join("\n");
    expect(tiles.includes(percent(report.efficiency.parallel)), `parallel efficiency in ${tiles}`);
    await keep(page, "overview-light");
  });

  it("shows each figure of the run once on the first screen", async () => {
    const shown = await page.locator("#head .facts b, .tile .value, .card:has(> .stack) .key").evaluateAll((nodes) => nodes
      .filter((node) => node.getBoundingClientRect().bottom < window.innerHeight)
      .flatMap((node) => node.textContent.match(/[\d.,]+ (%|s|ms|µs|×)/g) || []));
    expect(shown.length > 8, `figures: ${shown}`);
    // Two figures of three digits may be equal by chance.
    const twice = shown.filter((text, i) => shown.indexOf(text) !== i);
    const long = twice.filter((text) => text.replace(/\D/g, "").length > 3);
    expectEqual(long.join(), "", `figures that are there twice, of ${shown}`);
    expect(twice.length <= 1, `short figures that are there twice: ${twice}, of ${shown}`);
  });

  // The planted critical section and the planted imbalance. On a busy machine the imbalance may not be worth advice.
  it("shows what to change on the first screen", async () => {
    expect(report.advice.length > 0, "advice in the report");
    expectEqual(await page.locator(".advice li").count(), report.advice.length, "advice");
    for (const {where} of report.advice.slice(0, 2)) {
      const box = await page.locator(".advice li", {hasText: where}).first().boundingBox();
      expect(box && box.y + box.height <= 900, `${where} within the first screen: ${JSON.stringify(box)}`);
    }
  });

  it("shows each thread's time by state", async () => {
    expectEqual(await page.locator(".threads .stack").count(), 2, "bars of threads");
    const hover = await page.locator(".threads .stack i.c-barrier").first().getAttribute("title");
    expect(/waiting at barriers: [\d.]+ \w+, [\d.]+ % of/.test(hover), hover);
  });

  it("has waiting in a table of its own, in plain words", async () => {
    const hottest = await texts("table[aria-label='hottest functions'] tbody td:last-child");
    expect(hottest.length > 0 && !hottest.some((name) => /<omp (?!overhead)|<waiting/.test(name)), `hottest functions: ${hottest}`);
    const waits = await texts("table[aria-label='waits'] tbody tr");
    expect(waits.some((row) => /critical|barrier/.test(row) && row.includes("demo_heat.cc")) && !waits.some((row) => row.includes("ompt")), `waits: ${waits}`);
    const states = await texts("table[aria-label='states'] tbody tr");
    expect(states.some((row) => row.includes("barrier at a region's end")) && !states.some((row) => row.includes("ompt")), `states: ${states}`);
  });

  it("says why it suggests nothing for a possible saving", async () => {
    expectEqual(await page.locator(".refused li").count(), report.advice_refused.length, "refusals");
  });

  it("gives every number a hover text", async () => {
    for (const view of ["overview", "functions", "regions", "region/0", "locks", "source", "assembly", "sandwich"]) {
      await goTo(page, view);
      const bare = await page.evaluate(() => [...document.querySelectorAll("main .num, main td, main .tile")]
        .filter((node) => /\d/.test(node.textContent) && !node.title && !node.querySelector("[title], title, svg") && !node.matches(".line, .code, :hover") && !node.closest(".gap"))
        .map((node) => node.textContent));
      expectEqual(bare.slice(0, 5).join(" | "), "", `numbers without a hover text in ${view}`);
    }
  });

  it("draws a flame graph whose root is all of the samples", async () => {
    await goTo(page, "flame");
    expectNear(await frameTotal(page, "all"), report.sampled_cpu_ns, roundings, "root");
    const main = report.functions.find(({name}) => name === "main");
    expectNear(await frameTotal(page, "main"), main.total_cpu_ns, roundings, "main");
    await keep(page, "flame-light");
  });

  it("marks inlined functions", async () => {
    const names = await page.locator(".flame g.frame").evaluateAll((frames) => frames.map((node) => node.getAttribute("name")));
    expect(names.some((name) => name.startsWith("↳ ")), `an inlined frame in ${names}`);
  });

  it("zooms to a frame and back", async () => {
    const wide = async () => (await frame(page, "influence").boundingBox()).width;
    const before = await wide();
    await frame(page, "influence").click();
    const whole = (await page.locator(".flame").boundingBox()).width;
    expectNear(await wide(), whole, .01, "width of what is zoomed to");
    await page.keyboard.press("Escape");
    await button("Reset zoom").click();
    expect(Math.abs(await wide() - before) < 4, "the width is as before, but for the line around what is selected");
  });

  it("finds what is searched for and says how much it is", async () => {
    await page.getByLabel("Search functions").fill("influence");
    const said = await page.locator(".toolbar [aria-live]").textContent();
    const share = Number(/([\d.]+) % of/.exec(said)[1]);
    const total = report.functions.find(({name}) => name.includes("influence") && !name.includes("[omp")).total_cpu_ns;
    expectNear(share, 100 * total / report.sampled_cpu_ns, .02, said);
    const muted = await frame(page, "explicit_solve").locator("rect").getAttribute("fill");
    expectEqual(muted, "var(--line)", "colour of what does not match");
    await keep(page, "search-light");
    await page.getByLabel("Search functions").fill("");
  });

  it("switches the metric", async () => {
    const sums = {wait: report.functions.reduce((sum, row) => sum + row.wait_ns, 0), blame: report.functions.reduce((sum, row) => sum + row.blame_ns, 0)};
    for (const [metric, sum] of Object.entries(sums)) {
      await button(metric).click();
      expectNear(await frameTotal(page, "all"), sum, roundings, metric);
    }
    await button("samples").click();
    expect((await frame(page, "all").locator("title").textContent()).includes(`total ${report.samples.toLocaleString("en-US")} samples`), "samples");
    await button("cpu").click();
  });

  it("turns the stacks upside down", async () => {
    await button("bottom-up").click();
    const most = report.functions.reduce((best, row) => (row.self_cpu_ns > best.self_cpu_ns ? row : best));
    const second = await page.locator(".flame g.frame").evaluateAll((frames) => frames.map((node) => [node.getAttribute("name"), node.__data__.depth, node.__data__.data.value]));
    const widest = second.filter(([, depth]) => depth === 1).sort((a, b) => b[2] - a[2])[0];
    expect(most.name.includes(widest[0].replace("↳ ", "").split(" ")[0]), `the widest is ${widest}, and ${most.name} costs most`);
    expectNear(widest[2], most.self_cpu_ns, .25, "its cost");  // inlined and called ones are two frames there
    await button("top-down").click();
  });

  it("switches to the machine's view and back", async () => {
    await button("machine").click();
    const names = await page.locator(".flame g.frame title").allTextContents();
    expect(names.some((text) => /__kmp|start_thread|clone3/.test(text)), "frames of the runtime");
    expectNear(await frameTotal(page, "all"), report.sampled_cpu_ns, roundings, "root");
    await button("by module").click();
    expect((await texts(".legend")).join().includes(demo.name.endsWith("_gcc") ? "libgomp.so" : "libomp.so"), "the runtime in the legend");
    await keep(page, "machine-by-module-light");
    await button("by state").click();
    await button("user").click();
  });

  it("shows only stacks through a function that is focused", async () => {
    await page.getByLabel("Search functions").fill("count_tracers");
    await button("Focus").click();
    const total = report.functions.find(({name}) => name.includes("count_tracers") && !name.includes("[omp")).total_cpu_ns;
    expectNear(await frameTotal(page, "all"), total, .02, "what is left");
    await button("bottom-up").click();
    expectNear(await frameTotal(page, "all"), total, .02, "what is left, bottom up");
    await button("top-down").click();
    await page.locator(".chip button").click();
    expectNear(await frameTotal(page, "all"), report.sampled_cpu_ns, roundings, "all again");
  });

  it("filters functions", async () => {
    await goTo(page, "functions");
    await page.getByLabel("Filter functions").fill("^apply_operator|dot_product");
    const names = await texts("tbody tr td:nth-child(5)");
    expect(names.length > 0 && names.every((name) => /apply_operator|dot_product/.test(name)), names.join());
  });

  it("sorts the regions by any column", async () => {
    await goTo(page, "regions");
    const gain = (row) => Object.values(row.potential_gain_ns).reduce((sum, value) => sum + value, 0);
    const best = report.regions.reduce((most, row) => (gain(row) > gain(most) ? row : most));
    expect((await page.locator("tbody tr").first().textContent()).includes(best.name.slice(best.name.indexOf("[omp"))), `${best.name}, which could save most, comes first`);
    expectEqual(await page.locator("th", {hasText: "could"}).getAttribute("aria-sort"), "descending", "could save");
    expectEqual(await page.locator("tbody tr").count(), report.regions.length, "regions");
    for (const [column, value] of [["elapsed", (row) => row.elapsed_ns], ["imbalance", (row) => row.imbalance], ["runs", (row) => row.invocations]]) {
      const heading = page.locator("th", {hasText: column});
      await heading.getByRole("button").click();
      expectEqual(await heading.getAttribute("aria-sort"), "descending", column);
      const largest = report.regions.reduce((best, row) => (value(row) > value(best) ? row : best));
      expect((await page.locator("tbody tr").first().textContent()).includes(largest.name.slice(largest.name.indexOf("[omp"))), `${column}: ${largest.name} first`);
      await heading.getByRole("button").click();
      expectEqual(await heading.getAttribute("aria-sort"), "ascending", column);
    }
    expectEqual(await page.locator("svg.spark").count(), 2 * report.regions.length, "sparklines");
    await keep(page, "regions-light");
  });

  it("shows a region's threads, loops, last arrivers and call paths", async () => {
    await page.getByRole("link", {name: /^influence/}).first().click();
    await page.waitForSelector("main[data-view=region]");
    const text = await page.locator("main").innerText();
    const planted = region("influence");
    expect(text.includes(percent(planted.imbalance)), "its imbalance");
    for (const bar of ["least busy", "mean", "busiest"]) expect(text.includes(bar), bar);
    const late = await page.locator("table[aria-label='last arrivers'] tbody tr").first().textContent();
    expect(late.startsWith("2"), `the thread with the long rows comes last: ${late}`);
    const loops = page.locator("table[aria-label=loops]");
    // gcc's code shares a static loop out by itself.
    expectEqual(await loops.count(), planted.loops.length > 0 ? 1 : 0, "tables of loops");
    if (planted.loops.length > 0) expect((await loops.textContent()).includes("demo_heat.cc:"), "its loop");
    else expect(demo.name.endsWith("_gcc"), "a loop in the report");
    const path = page.locator("table[aria-label='call paths'] tbody tr");
    expectEqual(await path.count(), 1, "paths to it");
    const cells = await path.locator("td").allTextContents();
    expect(cells[5].includes("main → Run → influence"), `the path to it: ${cells}`);
    expectEqual(cells[2], planted.paths[0].runs.toLocaleString("en-US"), "its runs");
    expectEqual(cells[4], percent(planted.paths[0].imbalance), "its imbalance");
    await keep(page, "region-light");
  });

  it("shows the locks, who waited and who held them", async () => {
    await goTo(page, "locks");
    const lock = report.locks[0];
    const row = await page.locator("table[aria-label=locks] tbody tr").first().textContent();
    expect(row.includes("critical bins") && row.includes(lock.count.toLocaleString("en-US")), row);
    // Beside other programs, a short run may have no sample of a holder.
    if ((lock.blamed || []).length > 0) expect(row.includes("count_tracers"), `the holder: ${row}`);
    expect((await page.locator("table[aria-label='Places that waited for the lock']").textContent()).includes("demo_heat.cc:168"), "where threads waited for the lock");
    await keep(page, "locks-light");
  });

  it("shows what each source line costs", async () => {
    await goTo(page, "source");
    const line = page.locator("tr[data-line='182']");
    expect((await line.textContent()).includes("const double"), "the loop's text");
    expect((await page.locator("option").first().textContent()).includes("demo_heat.cc"), "the file with the most cost comes first");
    const hot = await page.locator("tr[data-hot]").count();
    expect(hot > 3, `${hot} hot lines`);
    await page.keyboard.press("n");
    expectEqual(await page.locator("tr.here").count(), 1, "the line that n goes to");
    await keep(page, "source-light");
  });

  it("works by keyboard alone", async () => {
    await page.keyboard.press("1");
    await page.waitForSelector("main[data-view=overview]");
    await page.keyboard.press("2");
    await page.waitForSelector("main[data-view=flame]");
    await page.keyboard.press("/");
    await page.keyboard.type("influence");
    expect(/frames/.test(await page.locator(".toolbar [aria-live]").textContent()), "what the search found");
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await page.keyboard.press("Escape");
    await page.locator(".flame").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    const chosen = page.locator(".flame g.current");
    expectEqual(await chosen.count(), 1, "frames that are chosen");
    const name = await chosen.getAttribute("name");
    await page.keyboard.press("Enter");
    expectNear((await frame(page, name).boundingBox()).width, (await page.locator(".flame").boundingBox()).width, .01, "width after Enter");
    await page.keyboard.press("Escape");
    await page.keyboard.press("f");
    expectEqual(await page.locator(".chip").count(), 1, "the focus that f sets");
    await page.locator(".chip button").click();
    await page.keyboard.press("?");
    expectEqual(await page.locator("dialog[open]").count(), 1, "the keys that ? shows");
    await page.keyboard.press("Escape");
    expectEqual(await page.locator("dialog[open]").count(), 0, "dialogs after Escape");
  });

  it("has a timeline, or says how to record one", async () => {
    await goTo(page, "timeline");
    if (!hasTimeline) {
      expect((await page.locator("main").textContent()).includes("ompprof record --timeline"), "how");
      return;
    }
    const box = await page.locator(".timeline canvas").boundingBox();
    const all = await frameTotal(page, "all");
    await page.mouse.move(box.x + 200, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 500, box.y + 10, {steps: 4});
    await page.mouse.up();
    const part = await frameTotal(page, "all");
    const share = 300 / (box.width - 96);
    expect(part > 0 && part < 2.5 * share * all, `${part} of ${all} in ${share} of the time`);
    await keep(page, "timeline-light");
    await page.getByRole("button", {name: "Open in the flame graph"}).click();
    await page.waitForSelector("main[data-view=flame]");
    expectNear(await frameTotal(page, "all"), part, roundings, "the same in the flame graph");
    await page.locator(".chip button").click();
    await goTo(page, "timeline");
    await page.locator(".timeline").focus();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    expect(await frameTotal(page, "all") < .3 * all, "a range selected by keys");
  });

  it("compares two runs", async () => {
    const {makePage} = require("./files.js");
    const difference = await openPage(makePage("difference", "--diff-base", demo.profile, demo.profile));
    await goTo(difference, "difference");
    expect((await difference.locator(".tile").first().textContent()).includes("no change"), "a run beside itself");
    const changes = await difference.locator("table[aria-label=functions] tbody td:nth-child(4)").allTextContents();
    expect(changes.length > 5 && changes.every((text) => text === "no change"), changes.slice(0, 5).join());
    expectNear(await frameTotal(difference, "all"), report.sampled_cpu_ns, roundings, "root");
    expectQuiet(difference);
    await keep(difference, "difference-light");
    await difference.close();
  });
}

module.exports = {declare};
