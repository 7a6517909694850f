// How every view looks on a large and on a small screen, by day and by night: pictures, contrast, columns that do not
// fit, and hover texts.
"use strict";
const {test, expect, expectEqual} = require("./cases.js");
const {openPage, goTo, frame, expectReadable, tipText, expectQuiet} = require("./browser.js");
const {makePage, picture} = require("./files.js");

const views = ["overview", "flame", "functions", "sandwich", "regions", "region/0", "locks", "timeline", "source", "assembly", "difference"];

// Boxes whose content is wider than they are, without a visible hint; and cells that cut their text off.
const cutOff = (page) => page.evaluate(() => {
  const wide = (node) => node.scrollWidth > node.clientWidth + 2;
  const boxes = [...document.querySelectorAll("main .scroll")].filter(wide);
  const silent = boxes.filter((box) => box.closest(".scroll-outer").previousElementSibling.hidden || !box.closest(".scroll-outer").classList.contains("more-right"));
  const cells = [...document.querySelectorAll("main td, main th, main .tile")].filter((cell) => wide(cell) && getComputedStyle(cell).overflowX !== "visible");
  return [...silent, ...cells].map((node) => node.textContent.slice(0, 50));
});

// `demo` is compared with `other`, so that the page of differences has much of both colours.
function declare(demo, other) {
  const address = makePage("looks", "--diff-base", other.profile, demo.profile);

  for (const width of [1440, 800]) {
    for (const dark of [false, true]) {
      const name = `${width}-${dark ? "dark" : "light"}`;
      test("Looks", `are readable and complete at ${name}`, async () => {
        const page = await openPage(address, {dark, width, height: 900});
        for (const view of views) {
          await goTo(page, view);
          await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))));
          await picture(page, `view-${view.replace("/", "-")}-${name}`);
          const texts = await expectReadable(page, `${view} at ${name}`);
          if (["flame", "difference", "timeline", "sandwich"].includes(view)) expect(texts.some((text) => text.frame), `labels of frames in ${view}`);
          expect(await page.evaluate(() => document.documentElement.scrollWidth) <= width, `${view} is no wider than ${width}`);
          expectEqual((await cutOff(page)).join(" | "), "", `cut off without a hint in ${view} at ${name}`);
        }
        expectQuiet(page);
        await page.close();
      });
    }
  }

  test("Looks", "keep labels readable on frames that are searched for, zoomed past, or changed much", async () => {
    for (const dark of [false, true]) {
      const page = await openPage(address, {dark, width: 1440});
      await goTo(page, "flame");
      await frame(page, "influence").click();
      await expectReadable(page, "a zoomed flame graph", ".flame *");
      await page.getByLabel("Search functions").fill("influence");
      await expectReadable(page, "a searched flame graph", ".flame *");
      await goTo(page, "difference");
      const reds = await page.locator(".flame g.frame rect").evaluateAll((rects) => rects.map((rect) => getComputedStyle(rect).fill.match(/\d+/g).map(Number)).filter(([red, green]) => red > green + 60).length);
      expect(reds > 0, "frames that became slower");
      expectQuiet(page);
      await page.close();
    }
  });

  test("Looks", "name the columns that need scrolling, and scroll by keys", async () => {
    const page = await openPage(address, {width: 800});
    await goTo(page, "regions");
    const hint = page.locator(".scroll-hint").first();
    expect((await hint.textContent()).includes("work by thread"), await hint.textContent());
    await page.locator("main .scroll").first().focus();
    for (let i = 0; i < 40; ++i) await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => /scroll back/.test(document.querySelector(".scroll-hint").textContent));
    await page.close();
  });

  test("Looks", "show a hover text at once, wherever the pointer is", async () => {
    const page = await openPage(address, {width: 1440});
    const places = {
      overview: [".tile", ".stack i", ".card > .stack", ".legend .key", ".threads .name", ".overtime rect", "td", "th", ".fact, #head .facts span", "#tabs a"],
      flame: [".flame g.frame", ".choice button", "select", ".legend .key"],
      functions: ["td", "th"], regions: ["td svg.spark", "td", "th"], "region/0": [".range-bars .stack i", "dd", "td"],
      locks: ["td"], sandwich: [".flame g.frame", "td"], source: ["td[title]", "th"], assembly: ["td[title]", "th"], difference: [".tile", ".legend .key", "td"],
    };
    for (const [view, selectors] of Object.entries(places)) {
      await goTo(page, view);
      for (const selector of selectors) {
        const place = page.locator(selector).first();
        await place.scrollIntoViewIfNeeded();
        await page.mouse.move(1, 899);
        expectEqual(await tipText(page), "", `the hover text beside everything in ${view}`);
        await place.hover({force: true});
        expect((await tipText(page)).length > 3, `a hover text of ${selector} in ${view}`);
      }
    }
    await goTo(page, "timeline");
    const box = await page.locator(".timeline canvas").boundingBox();
    for (const part of [.2, .5, .9]) {
      await page.mouse.move(box.x + 96 + part * (box.width - 96), box.y + 10);
      expect(/after the start, thread 1: \w/.test(await tipText(page)), await tipText(page));
    }
    await page.mouse.move(box.x + 60, box.y + 10);
    expect(/^thread 1: .*a click selects it/.test(await tipText(page)), await tipText(page));
    await page.mouse.move(1, 899);
    expectEqual(await tipText(page), "", "the hover text after the chart");
    expectQuiet(page);
    await page.close();
  });

  test("Looks", "give a title back when the pointer leaves, and show it to keys", async () => {
    const page = await openPage(address, {width: 1440});
    const tile = page.locator(".tile").first();
    const title = await tile.getAttribute("title");
    await tile.hover();
    expectEqual(await tipText(page), title, "the hover text");
    expectEqual(await tile.getAttribute("title"), null, "the browser's own tooltip");
    await page.mouse.move(1, 899);
    expectEqual(await tile.getAttribute("title"), title, "the title afterwards");
    await page.locator("#tabs a").first().focus();
    await page.keyboard.press("Tab");
    expect(/key 2/.test(await tipText(page)), `the text of a focused tab: ${await tipText(page)}`);
    await page.close();
  });
}

module.exports = {declare};
