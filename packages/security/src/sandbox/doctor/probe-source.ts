/**
 * The escape attempts, as the text of one module without imports, so that every tier can run it. Each export is one
 * class of escapes; each gets the targets outside, and returns everything that it reached. The host decides whether a
 * target was reached (`probes.ts`), never the module's result. Memory, time and processes are bounded.
 */
export const probeSource: string = String.raw`
const host = globalThis.process;
const builtin = (name) => host?.getBuiltinModule?.("node:" + name);
const demand = (name) => { const found = builtin(name); if (found === undefined) throw new Error("no " + name); return found; };
/** Tries everything, and prints the result of each attempt. */
const all = async (tries) => {
  const got = {};
  for (const [name, attempt] of Object.entries(tries)) {
    try { const value = await attempt(); got[name] = value === undefined ? "done" : String(value).slice(0, 20000); }
    catch (error) { got[name] = "refused: " + String(error?.code ?? error?.message ?? error).slice(0, 200); }
  }
  return got;
};
const soon = (promise) => Promise.race([promise, new Promise((_, reject) => { if (typeof setTimeout === "function") setTimeout(() => reject(new Error("no answer")), 15000); else reject(new Error("no timers")); })]);
const event = (emitter, good) => soon(new Promise((resolve, reject) => { emitter.on("error", reject); emitter.on(good, () => resolve(good)); }));

export const files = (to) => all({
  read: () => demand("fs").readFileSync(to.file, "utf8"),
  list: () => demand("fs").readdirSync(to.folder).join(),
  write: () => demand("fs").writeFileSync(to.folder + "/written", "x"),
  passwords: () => demand("fs").readFileSync("/etc/passwd", "utf8"),
  import: async () => JSON.stringify(await import(to.module)),
  require: () => demand("module").createRequire(to.module)(to.file),
});
export const environment = (to) => all({
  variable: () => host.env[to.variable],
  proc: () => demand("fs").readFileSync("/proc/self/environ", "utf8"),
  parent: () => demand("fs").readFileSync("/proc/" + host.ppid + "/environ", "utf8"),
});
export const childProcess = (to) => all({
  spawn: () => { const { error, status } = demand("child_process").spawnSync("touch", [to.folder + "/touched"]); if (error) throw error; return "ended with " + status; },
  shell: () => demand("child_process").execSync("cat " + to.file, { stdio: "pipe" }).toString(),
  node: () => demand("child_process").execFileSync(host.execPath, ["-p", "require('fs').readFileSync(" + JSON.stringify(to.file) + ",'utf8')"], { stdio: "pipe" }).toString(),
});
export const tcp = (to) => all({
  connect: () => event(demand("net").connect(to.port, "127.0.0.1"), "connect"),
  v6: () => event(demand("net").connect(to.port, "::1"), "connect"),
  tls: () => event(demand("tls").connect(to.port, "127.0.0.1"), "secureConnect"),
  listen: () => event(demand("net").createServer().listen(0, "0.0.0.0"), "listening"),
});
export const fetching = (to) => all({
  fetch: async () => (await soon(fetch("http://127.0.0.1:" + to.port + "/"))).text(),
  http: () => soon(new Promise((resolve, reject) => demand("http").get("http://127.0.0.1:" + to.port + "/", resolve).on("error", reject))),
  metadata: async () => (await soon(fetch("http://[::1]:" + to.port + "/"))).text(),
});
export const http2 = (to) => all({ connect: () => event(demand("http2").connect("http://127.0.0.1:" + to.port), "connect") });
export const dns = (to) => all({
  resolve: async () => { const { Resolver } = demand("dns").promises; const resolver = new Resolver({ timeout: 1000, tries: 1 }); resolver.setServers(["127.0.0.1:" + to.datagramPort]); return resolver.resolve4(to.variable.toLowerCase().replaceAll("_", "-") + ".example"); },
  datagram: () => soon(new Promise((resolve, reject) => { const socket = demand("dgram").createSocket("udp4"); socket.on("error", reject); socket.send("out", to.datagramPort, "127.0.0.1", (error) => error ? reject(error) : resolve("sent")); })),
});
export const webSocket = (to) => all({ connect: () => soon(new Promise((resolve, reject) => { const socket = new WebSocket("ws://127.0.0.1:" + to.port + "/"); socket.onopen = () => resolve("open"); socket.onerror = () => reject(new Error("failed")); })) });
export const unixSocket = (to) => all({
  path: () => event(demand("net").connect(to.socket), "connect"),
  docker: () => event(demand("net").connect("/var/run/docker.sock"), "connect"),
});
export const binding = (to) => all({
  files: () => host.binding("fs").readFileUtf8(to.file, 0),
  linked: () => Object.keys(host._linkedBinding("fs")).join(),
  spawn: () => { const none = { type: "ignore" }; const result = host.binding("spawn_sync").spawn({ file: "/usr/bin/touch", args: ["touch", to.folder + "/bound"], envPairs: [], stdio: [none, none, none] }); return JSON.stringify(result); },
});
export const getBuiltinModule = (to) => all({
  read: () => host.getBuiltinModule("fs").readFileSync(to.file, "utf8"),
  byConstructor: () => (async () => {}).constructor("to", "return process.getBuiltinModule('fs').readFileSync(to.file, 'utf8')")(to),
  byVm: () => demand("vm").runInThisContext("process").getBuiltinModule("fs").readFileSync(to.file, "utf8"),
  main: () => host.mainModule.require("fs").readFileSync(to.file, "utf8"),
});
export const nestedWorker = (to) => all({
  worker: () => soon(new Promise((resolve, reject) => {
    const { Worker } = demand("worker_threads");
    const code = "const fs = require('fs'); const { parentPort, workerData: to } = require('worker_threads'); let said; try { fs.writeFileSync(to.folder + '/worked', 'x'); said = fs.readFileSync(to.file, 'utf8'); } catch (error) { said = 'refused: ' + error.code; } require('net').connect(to.port, '127.0.0.1').on('error', () => {}); parentPort.postMessage(said + ' ' + process.env[to.variable]);";
    const worker = new Worker(code, { eval: true, workerData: to, env: demand("worker_threads").SHARE_ENV });
    worker.on("message", resolve); worker.on("error", reject);
  })),
});
export const nativeAddon = (to) => all({
  // A process that reports that the file is not a library has read it.
  open: () => { try { host.dlopen({ exports: {} }, to.file); } catch (error) { if (/invalid ELF|file too short|not a valid/u.test(error.message)) return to.read; throw error; } },
});
export const writers = (to) => all({
  snapshot: () => demand("v8").writeHeapSnapshot(to.folder + "/heap"),
  report: () => host.report.writeReport(to.folder + "/report"),
  environment: () => JSON.stringify(host.report.getReport().environmentVariables ?? {}),
  coverage: () => { demand("v8").setFlagsFromString("--logfile=" + to.folder + "/log"); demand("v8").setFlagsFromString("--prof"); },
  inspector: () => { demand("inspector").open(0, "127.0.0.1"); return demand("inspector").url(); },
});
export const sqlite = (to) => all({
  create: () => { const { DatabaseSync } = demand("sqlite"); new DatabaseSync(to.folder + "/data").exec("create table t (a)"); },
  attach: () => { const { DatabaseSync } = demand("sqlite"); new DatabaseSync(":memory:").exec("attach '" + to.folder + "/attached' as a; create table a.t (a)"); },
});
export const wasi = (to) => all({ preopen: () => { const { WASI } = demand("wasi"); new WASI({ version: "preview1", preopens: { "/": to.folder } }); return to.read; } });
export const signals = (to) => all({
  kill: () => { host.kill(to.victim, "SIGKILL"); },
  group: () => { host.kill(-to.victim, "SIGKILL"); },
  priority: () => { demand("os").setPriority(to.victim, 19); },
});
export const proc = (to) => all({
  root: () => demand("fs").readFileSync("/proc/1/root" + to.file, "utf8"),
  own: () => demand("fs").readFileSync("/proc/self/root" + to.file, "utf8"),
  host: () => demand("fs").readFileSync("/proc/" + to.pid + "/environ", "utf8"),
  folder: () => demand("fs").readFileSync("/proc/" + to.pid + "/cwd/../../../.." + to.file, "utf8"),
  descriptors: () => demand("fs").readdirSync("/proc/self/fd").map((name) => { try { return demand("fs").readFileSync("/proc/self/fd/" + name + "/" + to.file.slice(1), "utf8"); } catch { return ""; } }).join(""),
  trigger: () => demand("fs").writeFileSync("/proc/sysrq-trigger", ""),
});
export const symlinks = (to) => {
  const at = "/tmp/bailiwick-link-" + to.nonce;
  return all({
    link: () => { demand("fs").symlinkSync(to.file, at); return demand("fs").readFileSync(at, "utf8"); },
    hard: () => { demand("fs").linkSync(to.file, at + "-hard"); return demand("fs").readFileSync(at + "-hard", "utf8"); },
    through: () => { demand("fs").symlinkSync(to.folder, at + "-folder"); demand("fs").writeFileSync(at + "-folder/linked", "x"); },
    clean: () => { for (const end of ["", "-hard", "-folder"]) demand("fs").rmSync(at + end, { force: true }); },
  });
};
export const forged = async (to) => {
  const line = (nonce) => JSON.stringify({ nonce, frame: { kind: "result", value: "forged" } }) + "\n";
  await all({ write: () => { for (const nonce of ["", to.nonce, "0".repeat(32)]) for (const descriptor of [1, 2, 3]) demand("fs").writeSync(descriptor, line(nonce)); }, print: () => console.log(line("")), post: () => demand("worker_threads").parentPort.postMessage({ kind: "result", value: "forged" }) });
  return "genuine";
};
export const exit = async () => { for (const name of ["exit", "reallyExit", "abort"]) host?.[name]?.(0); throw new Error("there is no exit"); };
export const cpu = () => { for (;;); };
export const heap = () => { const kept = []; for (let i = 0; i < 4000; i += 1) kept.push(new Array(32768).fill(i + 0.5)); return "kept " + kept.length / 4 + " MiB"; };
export const offHeap = () => { const kept = []; for (let i = 0; i < 512; i += 1) kept.push(new Uint8Array(2097152).fill(1)); return "kept " + kept.length * 2 + " MiB"; };
export const forkBomb = async (to) => {
  let started = 0;
  const got = await all({ many: async () => { const { spawn } = demand("child_process"); for (let i = 0; i < 150; i += 1) await new Promise((resolve) => spawn(host.execPath, ["-e", "setTimeout(() => {}, 20000)", to.nonce], { stdio: "ignore", detached: true }).on("spawn", () => { started += 1; resolve(); }).on("error", resolve)); } });
  return { started, ...got };
};
`;
