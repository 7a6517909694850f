// V8's own profiler samples by SIGPROF. It begins and ends in the main thread and in a worker while both work.
const { Worker, isMainThread, parentPort } = require('worker_threads');
const inspector = require('inspector');
function work(rounds) {
  let sum = 0;
  for (let i = 0; i < rounds; i++) sum = (sum + i * i) % 1000003;
  return sum;
}
function profiled(rounds, then) {
  const session = new inspector.Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 100 });
  session.post('Profiler.start', () => {
    work(rounds);
    session.post('Profiler.stop', (error, answer) => {
      session.disconnect();
      then(error === null && answer.profile.nodes.length > 0);
    });
  });
}
if (!isMainThread) {
  for (let i = 0; i < 5; i++) profiled(2e6, right => parentPort.postMessage(right));
} else {
  console.log('begin', work(3e6));
  let right = 0;
  const worker = new Worker(__filename);
  worker.on('message', message => { right += message; work(1e6); });
  worker.on('exit', () => {
    console.log('right', right);
    process.exit(5);
  });
  for (let i = 0; i < 5; i++) profiled(2e6, good => console.log('profiled', good));
}
