// The page of a made-up run with two devices and a timeline.
"use strict";
const path = require("path");
const {test, expect, expectEqual, expectNear} = require("./cases.js");
const {openPage, goTo, expectReadable, tipText, nanoseconds, expectQuiet} = require("./browser.js");
const {makePage, makeUp, picture, record} = require("./files.js");

const left = 96;  // of the chart's labels

function declare() {
  const profile = makeUp("devices", path.resolve("tests/programs/devices_gcc"));
  const address = makePage("devices", profile);
  let page = null;
  const it = (name, body) => test("DevicesPage", name, async () => {
    page = page || await openPage(address);
    await body();
    expectQuiet(page);
  });
  const cells = (table, row, at = 0) => page.locator(`table[aria-label='${table}']`).nth(at).locator("tbody tr", {hasText: row}).first().locator("td").allTextContents();

  it("shows the devices on the first screen, and leads to them", async () => {
    const bars = page.locator(".card", {has: page.getByRole("heading", {name: "Devices", exact: true})});
    expectEqual(await bars.locator(".stack").count(), 2, "bars of devices");
    const hover = await bars.locator(".stack i.c-kernel").first().getAttribute("title");
    expectNear(nanoseconds(hover), 600e6, .006, hover);
    await picture(page, "devices-overview");
    await bars.getByRole("link", {name: "All about devices"}).click();
    await page.waitForSelector("main[data-view=devices]");
  });

  it("shows what each device did, and the host's wait for it", async () => {
    const tiles = await page.locator(".tiles").first().locator(".tile").evaluateAll((tiles) => tiles.map((tile) => [...tile.children].map((child) => child.textContent).join(" ")));
    expect(tiles[0].startsWith("60.0 %"), `busy: ${tiles}`);
    expect(tiles[1].startsWith("40"), `launches: ${tiles}`);
    expect(tiles[2].startsWith("160.00 MB") && tiles[2].includes("1,000 MB/s"), `to the device: ${tiles}`);
    expect(tiles[3].startsWith("80.00 MB") && tiles[3].includes("500 MB/s"), `from the device: ${tiles}`);
    expectNear(nanoseconds(tiles[4]), 600e6, .006, `the host's wait: ${tiles}`);
    const kernel = await cells("kernels", "both_ways");
    expectNear(nanoseconds(kernel[0]), 600e6, .006, `time of kernels: ${kernel}`);
    expectEqual(kernel[1], "40", "launches");
    expectNear(nanoseconds(kernel[2]), 15e6, .006, `mean: ${kernel}`);
    expect(kernel[4].startsWith("devices.cc:"), `where: ${kernel}`);
    expect(kernel[5].startsWith("main → both_ways"), `the path: ${kernel}`);
    const other = await cells("kernels", "kept_there", 1);
    expectEqual(other[1], "10", "launches of the second device");
    const copy = await cells("operations", "copy from the device");
    expect(copy.includes("80.00") && copy.includes("500"), `megabytes and their rate: ${copy}`);
    await picture(page, "devices-light");
  });

  it("has target constructs beside the regions", async () => {
    await goTo(page, "regions");
    const row = await cells("target constructs", "both_ways");
    expectEqual(row[1], "0", "the device");
    expectNear(nanoseconds(row[2]), 960e6, .006, `elapsed: ${row}`);
  });

  it("draws each device below the threads, and says what it does", async () => {
    await goTo(page, "timeline");
    const legend = await page.locator(".legend").first().textContent();
    for (const part of ["kernel on a device", "copy to a device", "copy from a device", "waiting for a device"]) expect(legend.includes(part), `${part} in ${legend}`);
    const box = await page.locator(".timeline canvas").boundingBox();
    const tall = (box.height - 24) / 4;
    const hover = async (row, ms) => {
      await page.mouse.move(box.x + left + (box.width - left) * ms / 1000, box.y + (row + .5) * tall);
      return tipText(page);
    };
    const kernel = await hover(2, 262);
    expect(/device 0: kernel: both_ways \[omp target devices\.cc:\d+\], 15\.00 ms$/.test(kernel), kernel);
    const copy = await hover(2, 252.5);
    expect(/device 0: copy to the device: both_ways .*, 4\.00 ms, 4\.00 MB, 1,000 MB\/s$/.test(copy), copy);
    expect(/device 1: kernel: kept_there/.test(await hover(3, 108)), await hover(3, 108));
    expect(/device 1: nothing$/.test(await hover(3, 130)), await hover(3, 130));
    expect(/thread 1: waiting for a device: <omp target> in both_ways \[omp target devices\.cc:\d+\]$/.test(await hover(0, 262)), await hover(0, 262));
    const colour = async (row, ms) => page.evaluate(([x, y]) => {
      const canvas = document.querySelector(".timeline canvas");
      const scale = canvas.width / canvas.clientWidth;
      return [...canvas.getContext("2d").getImageData(x * scale, y * scale, 1, 1).data].slice(0, 3);
    }, [left + (box.width - left) * ms / 1000, (row + .5) * tall]);
    const kernels = await colour(2, 262);  // with a trace of the columns beside it
    expect([79, 127, 208].every((part, i) => Math.abs(part - kernels[i]) < 30), `the colour of kernels: ${kernels}`);
    await picture(page, "devices-timeline");
    await page.locator(".timeline").focus();
    for (const key of ["+", "+", "+"]) await page.keyboard.press(key);
    await picture(page, "devices-timeline-zoomed");
    await page.keyboard.press("0");
  });

  it("is readable in the dark and on a small screen", async () => {
    for (const dark of [false, true]) {
      const small = await openPage(address, {dark, width: 800, height: 700});
      for (const view of ["overview", "devices", "regions", "timeline"]) {
        await goTo(small, view);
        await expectReadable(small, `${view}${dark ? ", dark" : ""}`);
        const wide = await small.evaluate(() => document.documentElement.scrollWidth);
        expect(wide <= 800, `${view} is ${wide} pixels wide`);
        await picture(small, `devices-${view}-800-${dark ? "dark" : "light"}`);
      }
      expectQuiet(small);
      await small.close();
    }
    await page.close();
  });

  test("PageWithoutDevices", "has no view of devices", async () => {
    const other = await openPage(record("flat", [], "recursion", "300").page);
    expectEqual((await other.locator("#tabs a").allTextContents()).filter((text) => text.startsWith("Devices")).length, 0, "tabs of devices");
    expectEqual(await other.getByRole("heading", {name: "Devices"}).count(), 0, "cards of devices");
    await other.close();
  });
}

module.exports = {declare};
