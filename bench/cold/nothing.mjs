// Cost of a process that does nothing.
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ ms: performance.now(), cpuMs: (user + system) / 1000 }));
