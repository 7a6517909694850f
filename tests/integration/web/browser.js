// Pages in headless Chromium, and what these pages must never do.
"use strict";
const fs = require("fs");
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

// The CPU time in milliseconds that the processes of the browser have used. On a busy machine, wall time says little.
function browserCpuMs() {
  const processes = new Map();  // by number: the parent's number, and the time in ticks of 10 ms
  for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");  // from the state on
      processes.set(Number(pid), {parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12])});
    } catch { /* it has ended meanwhile */ }
  }
  const ours = (pid) => pid === process.pid || (processes.has(pid) && ours(processes.get(pid).parent));
  let ticks = 0;
  for (const [pid, used] of processes) if (pid !== process.pid && ours(pid)) ticks += used.ticks;
  return ticks * 10;
}

// Opens a page at `address`. `complaints` gathers forbidden acts: errors on the console, requests to anything else.
async function openPage(address, {dark = false, width = 1360, height = 900, ready = true} = {}) {
  const page = await browser.newPage({viewport: {width, height}, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce"});
  page.complaints = [];
  page.setDefaultTimeout(60000);
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
  if (["flame", "difference", "sandwich"].includes(view)) await page.waitForSelector(".flame g.frame, main .loading:not([hidden])");
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
  await page.mouse.move(2, 2);  // while a hover text shows, its element has no title
  return nanoseconds(/total (.*)/.exec(await frame(page, name).locator("title").textContent())[1]);
}

function expectQuiet(page) {
  expectEqual(page.complaints.join("\n"), "", "what the page may not do");
}

// Runs in the page: the contrast of each visible text with what is behind it, of the elements that `wanted` finds.
// Backgrounds, opacities and the hatching of a flame graph's frames are put on top of each other as the browser does.
function contrastsInPage(wanted) {
  const parse = (colour) => {
    const parts = (colour.match(/-?[\d.]+(e-?\d+)?/g) || []).map(Number);
    const scale = colour.startsWith("color(") ? 255 : 1;
    return {rgb: parts.slice(0, 3).map((part) => part * scale), alpha: parts.length > 3 ? parts[3] : 1};
  };
  const over = (top, below, opacity = 1) => top.rgb.map((part, i) => part * top.alpha * opacity + below[i] * (1 - top.alpha * opacity));
  const light = (rgb) => {
    const [red, green, blue] = rgb.map((part) => part / 255).map((part) => (part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4));
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const ratio = (a, b) => (Math.max(light(a), light(b)) + .05) / (Math.min(light(a), light(b)) + .05);
  const style = (node, part) => getComputedStyle(node, part);
  // The colours of a frame in a flame graph: two if it is hatched.
  const frameColours = (rect, below) => {
    const opacity = Number(style(rect).fillOpacity);
    const pattern = /#fill-([\w-]+)/.exec(style(rect).fill);
    if (!pattern) return [over(parse(style(rect).fill), below, opacity)];
    const [plain, hatch] = document.getElementById(`fill-${pattern[1]}`).children;
    const base = over(parse(style(plain).fill), below, opacity);
    return hatch ? [base, over(parse(style(hatch).stroke), base)] : [base];
  };
  const backgrounds = (node) => {
    const chain = [];
    for (let at = node; at; at = at.parentElement) chain.unshift(at);
    let behind = [[255, 255, 255]];
    for (const at of chain) {
      if (at.matches("g.frame")) behind = frameColours(at.querySelector("rect"), behind[0]);
      else if (!(at instanceof SVGElement)) behind = behind.map((below) => over(parse(style(at).backgroundColor), below));
    }
    return behind;
  };
  const opacity = (node) => (node ? Number(style(node).opacity) * opacity(node.parentElement) : 1);
  const shown = (node) => node.checkVisibility() && node.getClientRects().length > 0 && !node.closest("[hidden], :disabled, noscript, .skip, option, #status") && style(node).visibility === "visible";
  const found = [];
  const add = (node, colour, text) => {
    for (const behind of backgrounds(node)) found.push({ratio: ratio(over(parse(colour), behind, opacity(node)), behind), text: text.trim().slice(0, 40), frame: Boolean(node.closest("g.frame"))});
  };
  for (const node of document.querySelectorAll(wanted)) {
    if (!shown(node)) continue;
    const text = [...node.childNodes].filter((child) => child.nodeType === 3).map((child) => child.textContent).join("");
    if (text.trim() && node.tagName !== "title") add(node, node instanceof SVGElement ? style(node).fill : style(node).color, text);
    if (node.placeholder) add(node, style(node, "::placeholder").color, node.placeholder);
  }
  return found;
}

const contrasts = (page, selector) => page.evaluate(contrastsInPage, selector);

// WCAG 2.1, success criterion 1.4.3, asks for 4.5.
async function expectReadable(page, what, selector = "body *") {
  const found = await contrasts(page, selector);
  expect(found.length > 0, `texts in ${what}`);
  const poor = found.filter(({ratio}) => !(ratio >= 4.5)).map(({ratio, text}) => `${ratio.toFixed(2)}: ${text}`);
  expectEqual([...new Set(poor)].slice(0, 8).join(" | "), "", `contrasts below 4.5 in ${what}`);
  return found;
}

// The hover text that the page shows now; empty: none.
const tipText = (page) => page.evaluate(() => {
  const tip = document.getElementById("tip");
  return tip && !tip.hidden ? tip.textContent : "";
});

// The page's data, as ompprof wrote them.
const dataOf = (page) => page.evaluate(async () => {
  const holder = document.getElementById("data");
  if (holder.dataset.encoding === "plain") return JSON.parse(holder.textContent);
  const bytes = Uint8Array.from(atob(holder.textContent), (digit) => digit.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
});

module.exports = {browserCpuMs, contrasts, expectReadable, tipText, dataOf, startBrowser, stopBrowser, openPage, goTo, frame, frameTotal, nanoseconds, expectQuiet};
