// The data of a page from `ompprof serve`. The page requests the data repeatedly while the program runs.

const pollEvery = 2000;

// Calls onData(raw) with each new version. Ends when the profile is complete.
async function follow(onData) {
  let version = "";
  for (;;) {
    let wait = pollEvery;
    try {
      const answer = await fetch(`data.json?after=${encodeURIComponent(version)}`, {cache: "no-store"});
      if (answer.status === 200) {
        version = answer.headers.get("X-Profile-Version") || "";
        const raw = await answer.json();
        onData(raw);
        if (raw.report.complete) return;
      } else if (answer.status !== 204) {
        throw new Error(`the server answered ${answer.status}`);
      }
    } catch (error) {
      announce(`ompprof serve cannot be reached: ${error.message}`);
      wait = 5 * pollEvery;
    }
    await new Promise((done) => setTimeout(done, wait));
  }
}
