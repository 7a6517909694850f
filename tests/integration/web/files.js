// The profiles and pages of the tests, made once.
"use strict";
const {execFileSync, spawnSync} = require("child_process");
const fs = require("fs");
const path = require("path");

const folder = fs.mkdtempSync(path.join(process.env.TEST_TMPDIR || "/tmp", "web-"));
const artifacts = process.env.TEST_UNDECLARED_OUTPUTS_DIR || folder;
const ompprof = path.resolve("tests/integration/installed/bin/ompprof");
const place = (name) => path.join(folder, name);

function run(program, ...words) {
  const result = spawnSync(program, words, {encoding: "utf8", maxBuffer: 1 << 28, env: {...process.env, OMP_NUM_THREADS: "2"}});
  if (result.status !== 0) throw new Error(`${program} ${words.join(" ")}: exit status ${result.status}\n${result.stderr}`);
  return result.stdout;
}

// The options of `record` of the installed tree; --timeline where it has that option.
const recordHelp = spawnSync(ompprof, ["record", "--help"], {encoding: "utf8"}).stdout;
const hasTimeline = recordHelp.includes("--timeline");

// Runs `program` with `words`, recorded with `options`. Returns {name, profile, report, page}.
function record(name, options, program, ...words) {
  const profile = place(`${name}.ompprof`);
  run(ompprof, "record", "-F", "997", ...options, "-o", profile, "--", path.resolve("tests/programs", program), ...words);
  return {name, profile, report: JSON.parse(run(ompprof, "report", "--format=json", profile)), page: makePage(name, profile)};
}

// Runs the demonstration program, which is `name` as built by one of the compilers.
const recordDemo = (name) => record(name, hasTimeline ? ["--timeline"] : [], name, "1");

// Writes the page and returns its address.
function makePage(name, ...words) {
  const page = place(`${name}.html`);
  run(ompprof, "report", "--html", page, ...words);
  return `file://${page}`;
}

function makeUpAs(name, kind, ...words) {
  const profile = place(`${name}.ompprof`);
  execFileSync(path.resolve("tests/integration/web/made_up_run"), [kind, profile, ...words]);
  return profile;
}

const makeUp = (kind, ...libraries) => makeUpAs(kind, kind, ...libraries);

// Unifies profiles to one, with `options` of `merge --unify`.
function unify(name, options, profiles) {
  const job = place(`${name}.ompprof`);
  run(ompprof, "merge", "--unify", ...options, "-o", job, ...profiles);
  return job;
}

// A picture of the page as it is now, kept with the test's outputs.
const picture = (page, name) => page.screenshot({path: path.join(artifacts, `${name}.png`)});

const sizeOf = (address) => fs.statSync(new URL(address)).size;

module.exports = {folder, ompprof, run, hasTimeline, record, recordDemo, makePage, makeUp, makeUpAs, unify, picture, sizeOf};
