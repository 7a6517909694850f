// Pages in headless Chromium, and what these pages must never do.
"use strict";
const path = require("path");
const {expect, expectEqual} = require("./cases.js");

const playwright = require(path.resolve("../npm/node_modules/playwright-core"));

let browser = null;

async function startBrowser() {
  browser = await playwright.chromium.launch({
    executablePath: "/usr/bin/chromium-headless-shell",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],  // tests may run as root, in a container
  });
}

const stopBrowser = () => browser.close();

// Opens a page at `address`. `complaints` gathers forbidden acts: errors on the console, requests to anything else.
async function openPage(address, {dark = false, width = 1360, height = 900, ready = true} = {}) {
  const page = await browser.newPage({viewport: {width, height}, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce"});
  page.complaints = [];
  page.setDefaultTimeout(10000);
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => page.complaints.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    page.complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const home = new URL(address);
  page.on("request", (request) => {
    const url = new URL(request.url());
    const own = url.protocol === "data:" || (home.protocol === "file:" ? url.pathname === home.pathname : url.origin === home.origin);
    if (!own) page.complaints.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  if (ready) await page.waitForSelector("main[data-view]");
  return page;
}

// Goes to a view by its tab's name in the address.
async function goTo(page, hash) {
  const view = hash.split("/")[0];
  await page.evaluate((to) => location.hash = to, `#${hash}`);
  await page.waitForSelector(`main[data-view="${view}"]`);
  // Flame graphs are drawn once they know their width.
  if (view === "flame" || view === "difference") await page.waitForSelector(".flame g.frame, .flame .loading");
}

const frame = (page, name) => page.locator(`.flame g.frame[name="${name}"]`).first();

// The nanoseconds that a person's number means: "1.25 s", "830.00 ms".
function nanoseconds(text) {
  const [, number, unit] = /([\d.,]+)\s*(ns|µs|ms|s)\b/.exec(text) || [null, "nothing", ""];
  const units = {ns: 1, "µs": 1e3, ms: 1e6, s: 1e9};
  expect(unit in units, `no duration in ${JSON.stringify(text)}`);
  return Number(number.replace(/,/g, "")) * units[unit];
}

// The total in a frame's hover text.
async function frameTotal(page, name) {
  return nanoseconds(/total (.*)/.exec(await frame(page, name).locator("title").textContent())[1]);
}

function expectQuiet(page) {
  expectEqual(page.complaints.join("\n"), "", "what the page may not do");
}

// The least contrast of a text with what is behind it, of the elements that `selector` finds. WCAG 2.1, success criterion
// 1.4.3, asks for 4.5.
const leastContrast = (page, selector) => page.evaluate((wanted) => {
  const light = (colour) => {
    const parts = colour.match(/[\d.]+/g).slice(0, 3).map((part) => part / 255).map((part) => (part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4));
    return .2126 * parts[0] + .7152 * parts[1] + .0722 * parts[2];
  };
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const colour = getComputedStyle(node).backgroundColor;
      if (!/, 0\)$|transparent/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const texts = [...document.querySelectorAll(wanted)].filter((node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()));
  return Math.min(...texts.map((node) => [light(getComputedStyle(node).color), light(behind(node))].sort((a, b) => b - a)).map(([high, low]) => (high + .05) / (low + .05)));
}, selector);

module.exports = {leastContrast, startBrowser, stopBrowser, openPage, goTo, frame, frameTotal, nanoseconds, expectQuiet};
