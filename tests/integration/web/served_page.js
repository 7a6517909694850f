// ompprof serve: who gets an answer, and a page that follows a program while it runs.
"use strict";
const {spawn} = require("child_process");
const fs = require("fs");
const http = require("http");
const path = require("path");
const {test, expect, expectEqual} = require("./cases.js");
const {openPage, expectQuiet} = require("./browser.js");
const {folder, ompprof} = require("./files.js");

function serve(profile) {
  const child = spawn(ompprof, ["serve", profile]);
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (text) => {
      said += text;
      const found = /http:\/\/127\.0\.0\.1:(\d+)\/([0-9a-f]{32})\//.exec(said);
      if (found) resolve({child, address: found[0], port: Number(found[1]), token: found[2]});
    });
    child.on("exit", (status) => reject(new Error(`ompprof serve ended with ${status}: ${said}`)));
  });
}

const ended = (child) => new Promise((resolve) => child.on("exit", (status) => resolve(status)));

function ask(port, requestPath, host) {
  return new Promise((resolve, reject) => {
    http.get({host: "127.0.0.1", port, path: requestPath, headers: {Host: host || `127.0.0.1:${port}`}}, (answer) => {
      answer.resume();
      resolve(answer);
    }).on("error", reject);
  });
}

function declare(demo) {
  test("ServedPage", "is given to nobody but those with the token, at its own name", async () => {
    const {child, port, token} = await serve(demo.profile);
    const right = await ask(port, `/${token}/`);
    expectEqual(right.statusCode, 200, "the printed address");
    expectEqual(right.headers["x-content-type-options"], "nosniff", "X-Content-Type-Options");
    expectEqual((await ask(port, `/${token}/data.json`)).statusCode, 200, "its data");
    const version = (await ask(port, `/${token}/data.json`)).headers["x-profile-version"];
    expectEqual((await ask(port, `/${token}/data.json?after=${version}`)).statusCode, 204, "its data, unchanged");
    const wrong = token.replace(/./, (digit) => (digit === "0" ? "1" : "0"));
    for (const [place, host] of [["/"], ["/data.json"], [`/${wrong}/`], [`/${wrong}/data.json`], [`/${token.slice(0, 31)}/`], [`/${token}0/`], [`/${token}`],
      [`/${token}/../../etc/passwd`], [`/${token}/`, "evil.example"], [`/${token}/data.json`, `evil.example:${port}`], [`/${token}/`, "127.0.0.1"]]) {
      expectEqual((await ask(port, place, host)).statusCode, 403, `${place} of ${host || "itself"}`);
    }
    const over = ended(child);
    child.kill("SIGINT");
    expectEqual(await over, 0, "exit status after Ctrl-C");
  });

  test("ServedPage", "follows a program while it runs", async () => {
    const profile = path.join(folder, "live.ompprof");
    const program = spawn(ompprof, ["record", "-F", "499", "--flush-interval", "0.2", "-o", profile, "--", path.resolve("tests/programs/demo_heat"), "1"], {stdio: "ignore", env: {...process.env, OMP_NUM_THREADS: "2"}});
    const programEnds = ended(program);
    while (!fs.existsSync(profile) || fs.statSync(profile).size < 2000) await new Promise((done) => setTimeout(done, 50));
    program.kill("SIGSTOP");  // until the page is there: record has become the program
    const {child, address} = await serve(profile);
    const page = await openPage(address);
    const samples = async () => Number((await page.locator("#head .facts").textContent()).match(/samples ([\d,]+)/)[1].replaceAll(",", ""));
    const first = await samples();
    expectEqual(await page.locator("#head .live").count(), 1, "that it is recording");
    program.kill("SIGCONT");
    await page.waitForFunction((before) => Number(document.querySelector("#head .facts").textContent.match(/samples ([\d,]+)/)[1].replaceAll(",", "")) > before, first, {timeout: 30000});
    await programEnds;
    await page.waitForFunction(() => !document.querySelector("#head .live"));
    expect(await samples() > first, "more samples at the end");
    expectQuiet(page);
    await page.close();
    child.kill("SIGTERM");
    await ended(child);
  });
}

module.exports = {declare};
