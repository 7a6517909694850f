// A picture of a page's first screen and flame graph, side by side with nothing of the browser: take_picture.js PAGE OUT.png
"use strict";
const path = require("path");
const playwright = require(path.resolve(".deps/npm/node_modules/playwright-core"));

async function main() {
  const [, , file, out] = process.argv;
  const browser = await playwright.chromium.launch({executablePath: "/usr/bin/chromium-headless-shell", args: ["--no-sandbox", "--disable-gpu"]});
  const page = await browser.newPage({viewport: {width: 1280, height: 760}, colorScheme: "light", reducedMotion: "reduce"});
  await page.goto(`file://${path.resolve(file)}`);
  await page.waitForSelector("main[data-view]");
  await page.waitForTimeout(500);
  await page.screenshot({path: out});
  await browser.close();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
