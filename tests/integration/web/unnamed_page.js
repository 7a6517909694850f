// The page of a program without a symbol table: what would name its functions.
"use strict";
const path = require("path");
const {test, expect} = require("./cases.js");
const {openPage, goTo, expectQuiet} = require("./browser.js");
const {folder, record, run} = require("./files.js");

function declare() {
  const stripped = path.join(folder, "stripped");
  run("strip", "-o", stripped, path.resolve("tests/programs/recursion"));
  const {page: address} = record("unnamed", [], stripped, "500");

  test("UnnamedPage", "says which files' symbols would name the functions", async () => {
    const page = await openPage(address);
    await goTo(page, "functions");
    const notes = (await page.locator("main p.soft").allTextContents()).join("\n");
    expect(/^\d[\d.]+ % of the time is in functions without a name\. .*: stripped \(\d[\d.]+ %\)\.$/m.test(notes), `a sentence in ${notes}`);
    expectQuiet(page);
    await page.close();
  });
}

module.exports = {declare};
