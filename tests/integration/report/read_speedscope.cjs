// Reads a file with speedscope's own importers, as its page does, and prints what they made of it as JSON:
// [{name, unit, total, frames: {NAME: {self, total}}}], one entry for each profile.
//   node read_speedscope.cjs PACKAGE FILE
// PACKAGE is the unpacked npm package. It has the page only, so its script is run up to where the page would be shown, and
// its importers are taken from there.
'use strict';
const fs = require('fs');
const path = require('path');
const vm = require('vm');

const [folder, file] = process.argv.slice(2);
const release = path.join(folder, 'dist', 'release');
const script = fs.readdirSync(release).find((name) => /^speedscope-.*\.js$/.test(name));
const text = fs.readFileSync(path.join(release, script), 'utf8');
const importerOf = (message) => {
  const found = new RegExp(`console\\.log\\("${message}"\\),([\\w$]+)\\(`).exec(text);
  if (!found) throw new Error(`${script}: no importer says "${message}"`);
  return found[1];
};
const end = text.lastIndexOf('console.log(`speedscope v');
if (end < 0) throw new Error(`${script}: its end is not as expected`);
const importers = `globalThis.importers = {
  speedscope: ${importerOf('Importing as speedscope json file')},
  trace: ${importerOf('Importing as Trace Event Format profile')}};})();`;

// What the script touches as it is loaded.
const element = {style: {}, appendChild() {}, setAttribute() {}, addEventListener() {}};
const page = {
  console: {log() {}, warn() {}, error() {}, assert: console.assert},
  document: {createElement: () => element, head: element, body: element, addEventListener() {}, currentScript: {src: ''}},
  location: {href: 'file:///', protocol: 'file:', hash: ''},
  navigator: {userAgent: '', platform: ''},
  addEventListener() {},
  matchMedia: () => ({matches: false, addListener() {}, addEventListener() {}}),
  setTimeout, clearTimeout, requestAnimationFrame() {}, localStorage: {getItem: () => null, setItem() {}},
  URL, TextDecoder, TextEncoder, performance, Intl,
};
page.window = page.self = page.globalThis = page;
vm.runInNewContext(text.slice(0, end) + importers, page, {filename: script});

const json = JSON.parse(fs.readFileSync(file, 'utf8'));
const group = json.traceEvents ? page.importers.trace(json) : page.importers.speedscope(json);
const profiles = group.profiles.map((profile) => {
  const frames = {};
  profile.forEachFrame((frame) => {
    frames[frame.name] = frames[frame.name] || {self: 0, total: 0};
    frames[frame.name].self += frame.getSelfWeight();
    frames[frame.name].total += frame.getTotalWeight();
  });
  return {name: profile.getName(), unit: profile.getWeightUnit(), total: profile.getTotalWeight(), frames};
});
process.stdout.write(JSON.stringify(profiles));
