// Pages of made-up profiles: hostile names, and a very large run.
"use strict";
const path = require("path");
const {test, expect, expectEqual, expectNear} = require("./cases.js");
const {browserCpuMs, openPage, goTo, frame, frameTotal, expectQuiet} = require("./browser.js");
const {folder, makePage, makeUp, ompprof, picture, run, sizeOf} = require("./files.js");

const views = ["overview", "flame", "functions", "regions", "region/0", "locks", "devices", "timeline", "source"];

function declareHostile() {
  const profile = makeUp("hostile", path.resolve("tests/integration/web/hostile.so"));
  const address = makePage("hostile", profile);

  test("HostilePage", "shows markup as text and runs none of it", async () => {
    const page = await openPage(address);
    for (const view of views) {
      await goTo(page, view);
      expectEqual(await page.evaluate(() => window.hostile), undefined, `the flag that a script would set, in ${view}`);
      expectEqual(await page.locator("img, iframe, object, embed, main script, main style, base, form").count(), 0, `elements that are not the page's own, in ${view}`);
    }
    await goTo(page, "flame");
    const names = (await page.locator(".flame g.frame title").allTextContents()).join("\n");
    for (const part of ["</script><img src=x onerror=window.hostile=1>", "'\"><svg onload=window.hostile=2>&lt;b&gt;&#60;"]) expect(names.includes(part), `${part} in ${names}`);
    for (const name of await page.locator(".flame g.frame").evaluateAll((frames) => frames.map((node, i) => i))) await page.locator(".flame g.frame").nth(name).hover({force: true});
    expectEqual(await page.evaluate(() => window.hostile), undefined, "after hovering");
    expectQuiet(page);
    await page.close();
  });

  test("HostilePage", "shows no control characters and no marks that turn text around", async () => {
    const page = await openPage(address);
    for (const view of views) {
      await goTo(page, view);
      const found = await page.evaluate(() => /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test(document.documentElement.outerHTML.replace(/<script[\s\S]*?<\/script>/g, "")));
      expect(!found, `control characters in ${view}`);
    }
    await page.close();
  });

  test("HostilePage", "would not run a script that got into it", async () => {
    const page = await openPage(address);
    await page.evaluate(() => {
      const script = document.createElement("script");
      try {
        script.textContent = "window.hostile = 10";
        document.body.append(script);
      } catch { /* trusted types refuse the text itself */ }
      try {
        document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.hostile = 11'>");
      } catch { /* likewise */ }
    });
    await page.waitForTimeout(100);
    expectEqual(await page.evaluate(() => window.hostile), undefined, "the flag that the script would set");
    expect(page.complaints.length > 0, "the policy's complaint");
    await page.close();
  });
}

// A unified job keeps nothing of its processes' timelines.
function declareUnified() {
  const job = path.join(folder, "unified.ompprof");
  run(ompprof, "merge", "--unify", "-o", job, makeUp("devices", path.resolve("tests/programs/devices_gcc")));
  const address = makePage("unified", job);

  test("UnifiedPage", "says that a unified job keeps no events in time", async () => {
    const page = await openPage(address);
    for (const view of ["overview", "timeline", "devices"]) {
      await goTo(page, view);
      const text = (await page.locator("main p.soft").allTextContents()).join("\n");
      expect(text.includes("A unified job keeps no events in time."), `the sentence in ${view}: ${text}`);
      expect(!text.includes("Record with"), `no advice that does not help, in ${view}: ${text}`);
    }
    expectQuiet(page);
    await page.close();
  });
}

function declareLarge() {
  const mostBytes = 6 << 20;
  const openWithin = 5000;  // milliseconds of CPU time
  const answerWithin = 2000;
  let page = null;
  let report = null;

  test("LargePage", "of 1,000 threads and 1,000,000 nodes opens in time and is not large", async () => {
    const profile = makeUp("large", "/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6");
    const address = makePage("large", profile);
    expect(sizeOf(address) < mostBytes, `${sizeOf(address)} bytes`);
    const begin = browserCpuMs();
    page = await openPage(address);
    const took = browserCpuMs() - begin;
    console.log(`  ${sizeOf(address)} bytes, open after ${took} ms of CPU time`);
    expect(took < openWithin, `open after ${took} ms`);
    report = JSON.parse(await page.evaluate(async () => {
      const bytes = Uint8Array.from(atob(document.getElementById("data").textContent), (digit) => digit.charCodeAt(0));
      return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
    }));
    expect(report.trees.user.nodes >= 900000, `${report.trees.user.nodes} nodes before the cut`);
    expect(await page.locator(".threads .stack").count() <= 96, "threads are in groups");
    await picture(page, "large-overview");
  });

  test("LargePage", "keeps every sum when it folds what is small", async () => {
    await goTo(page, "flame");
    expectNear(await frameTotal(page, "all"), report.report.sampled_cpu_ns, .006, "root, top down");
    await page.getByRole("button", {name: "bottom-up", exact: true}).click();
    expectNear(await frameTotal(page, "all"), report.report.sampled_cpu_ns, .006, "root, bottom up");
    await page.getByRole("button", {name: "top-down", exact: true}).click();
    expect((await page.locator("main").textContent()).includes("folded into"), "that it says so");
    await picture(page, "large-flame");
  });

  test("LargePage", "answers a click in time", async () => {
    const frames = page.locator(".flame g.frame");
    expect(await frames.count() < 6000, `${await frames.count()} frames drawn`);
    for (const act of [
      () => page.locator(".flame g.frame").nth(3).click(),
      () => page.keyboard.press("Escape"),
      () => page.getByRole("button", {name: "blame", exact: true}).click(),
      () => page.getByLabel("Search functions").fill("mem"),
      () => page.getByRole("button", {name: "machine", exact: true}).click(),
      () => goTo(page, "regions"),
      () => goTo(page, "region/0"),
      () => goTo(page, "functions"),
    ]) {
      const begin = browserCpuMs();
      await act();
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
      const took = browserCpuMs() - begin;
      console.log(`  ${took} ms: ${act}`);
      expect(took < answerWithin, `${act} took ${took} ms`);
    }
    expectQuiet(page);
    await page.close();
  });
}

module.exports = {declareHostile, declareLarge, declareUnified};
