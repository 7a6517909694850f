// The web page in a browser. The files below declare the cases.
//   web_test.js [PART...]   default: all parts
"use strict";
const {runCases} = require("./cases.js");
const {startBrowser, stopBrowser} = require("./browser.js");
const {recordDemo} = require("./files.js");

async function main() {
  const parts = process.argv.slice(2);
  const wants = (...names) => parts.length === 0 || names.some((name) => parts.includes(name));
  const demo = wants("real", "served", "looks", "choices", "code") ? recordDemo("demo_heat") : null;
  const gcc = wants("gcc", "looks") ? recordDemo("demo_heat_gcc") : null;
  await startBrowser();
  if (wants("real")) require("./real_page.js").declare(demo, "RealPage");
  if (wants("gcc")) require("./real_page.js").declare(gcc, "RealPageOfGcc");
  if (wants("looks")) require("./looks_page.js").declare(demo, gcc);
  if (wants("choices")) require("./choices_page.js").declare(demo);
  if (wants("code")) require("./code_page.js").declare(demo);
  if (wants("hostile")) require("./other_pages.js").declareHostile();
  if (wants("served")) require("./served_page.js").declare(demo);
  if (wants("estimates")) require("./estimates_page.js").declare();
  if (wants("recursion")) require("./recursive_page.js").declare();
  if (wants("unnamed")) require("./unnamed_page.js").declare();
  if (wants("devices")) require("./devices_page.js").declare();
  if (wants("ranks")) require("./ranks_page.js").declare();
  if (wants("scaling")) require("./scaling_page.js").declare();
  if (wants("unified")) require("./other_pages.js").declareUnified();
  if (wants("large")) require("./other_pages.js").declareLarge();
  const failed = await runCases();
  await stopBrowser();
  process.exit(failed ? 1 : 0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
