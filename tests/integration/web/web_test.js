// The web page in a browser. The files below declare the cases.
"use strict";
const {runCases} = require("./cases.js");
const {startBrowser, stopBrowser} = require("./browser.js");
const {recordDemo} = require("./files.js");

async function main() {
  const only = process.env.WEB_TEST_ONLY;  // for a person at work on one of them
  const demo = ["devices", "estimates", "unnamed"].includes(only) ? null : recordDemo("demo_heat");
  await startBrowser();
  if (!only || only === "real") require("./real_page.js").declare(demo, "RealPage");
  if (!only || only === "gcc") require("./real_page.js").declare(recordDemo("demo_heat_gcc"), "RealPageOfGcc");
  if (!only || only === "hostile") require("./other_pages.js").declareHostile();
  if (!only || only === "served") require("./served_page.js").declare(demo);
  if (!only || only === "estimates") require("./estimates_page.js").declare();
  if (!only || only === "recursion") require("./recursive_page.js").declare();
  if (!only || only === "unnamed") require("./unnamed_page.js").declare();
  if (!only || only === "devices") require("./devices_page.js").declare();
  if (!only || only === "large") require("./other_pages.js").declareLarge();
  const failed = await runCases();
  await stopBrowser();
  process.exit(failed ? 1 : 0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
