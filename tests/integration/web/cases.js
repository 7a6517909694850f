// Test cases: run one after the other, counted one by one, in GoogleTest's XML form.
"use strict";
const fs = require("fs");

const cases = [];

// Declares a case. Declared cases run in their order.
function test(suite, name, body) {
  cases.push({suite, name, body});
}

const escape = (text) => String(text).replace(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, "?").replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

// Runs all cases and returns how many failed.
async function runCases() {
  const lines = [];
  let failed = 0;
  for (const {suite, name, body} of cases) {
    const begin = Date.now();
    let failure = null;
    try {
      await body();
    } catch (error) {
      failure = error;
      ++failed;
    }
    const seconds = (Date.now() - begin) / 1000;
    console.log(`${failure ? "FAILED" : "ok    "} ${suite}.${name} (${seconds.toFixed(2)} s)`);
    if (failure) console.log(failure.stack);
    lines.push(`<testcase name="${escape(name)}" classname="${escape(suite)}" status="run" result="completed" time="${seconds}">` +
      (failure ? `<failure message="${escape(failure.message)}"></failure>` : "") + "</testcase>");
  }
  if (process.env.XML_OUTPUT_FILE) {
    fs.writeFileSync(process.env.XML_OUTPUT_FILE, `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="${cases.length}" failures="${failed}"><testsuite name="web" tests="${cases.length}" failures="${failed}">
${lines.join("\n")}
</testsuite></testsuites>
`);
  }
  console.log(`${cases.length - failed} passed, ${failed} failed`);
  return failed;
}

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

function expectEqual(actual, expected, what) {
  expect(actual === expected, `${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

// Within `share` of the expected number.
function expectNear(actual, expected, share, what) {
  expect(Math.abs(actual - expected) <= share * Math.abs(expected), `${what}: ${actual}, not ${expected}`);
}

module.exports = {test, runCases, expect, expectEqual, expectNear};
