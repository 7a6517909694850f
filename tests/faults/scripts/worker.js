// A worker, timers and the profiler's signal, which node leaves to its own profiler.
const { Worker, isMainThread, parentPort } = require('worker_threads');
function work(rounds) {
  let sum = 0;
  for (let i = 0; i < rounds; i++) sum = (sum + i * i) % 1000003;
  return sum;
}
if (!isMainThread) {
  for (let i = 0; i < 10; i++) parentPort.postMessage(work(5e5));
} else {
  console.log('begin', work(8e6));
  let messages = 0, signals = 0;
  if (process.argv[2] === 'signal') process.on('SIGPROF', () => signals++);
  const worker = new Worker(__filename);
  worker.on('message', () => { messages++; work(5e5); });
  worker.on('exit', () => {
    console.log('messages', messages);
    setTimeout(() => { console.log('end'); process.exit(5); }, 20);
  });
}
