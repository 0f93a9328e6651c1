// Runs agents and the store of Durable Objects in workerd, the runtime of Cloudflare Workers. One line per case; ends with
// 1 when a case fails that expected-failures.json does not name, or when one passes that it names.
import { builtinModules } from "node:module";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { openCases, same } from "../lib/cases.mjs";
import { startMcpServer } from "../lib/mcp-server.mjs";
import { startModel } from "../lib/model.mjs";

const here = new URL("./", import.meta.url);
const { check, end } = openCases("workerd", here);
const model = await startModel();
const mcpServer = await startMcpServer();

const bundle = await build({
  entryPoints: [new URL("src/worker.mjs", here).pathname],
  bundle: true,
  write: false,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  // The order in which wrangler reads manifests: `browser` replaces modules of Node.
  mainFields: ["browser", "module", "main"],
  conditions: ["@bailiwick/source", "workerd", "worker", "browser"],
  // Without "node:", packages name a module of Node as wrangler accepts it.
  external: ["node:*", "cloudflare:*", ...builtinModules],
  logLevel: "error",
});
const miniflare = new Miniflare({
  modules: [{ type: "ESModule", path: "worker.mjs", contents: bundle.outputFiles[0].text }],
  compatibilityDate: "2026-01-01",
  // wrangler replaces modules that workerd does not have, such as that of child processes.
  compatibilityFlags: ["nodejs_compat", "enable_nodejs_child_process_module"],
  bindings: { MODEL: model.baseURL, MCP: mcpServer.url },
  durableObjects: {
    STORES: { className: "Stores", useSQLite: true },
    PLAIN: { className: "PlainStores", useSQLite: true },
  },
});
const ask = async (path, init) => {
  const response = await miniflare.dispatchFetch(`http://worker${path}`, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 2_000)}`);
  return text === "" ? undefined : JSON.parse(text);
};
const until = async (work, is) => {
  for (let count = 0; count < 2_400; count += 1) {
    const value = await work();
    if (is(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`it did not come to that: ${JSON.stringify(await work())}`);
};

await check("an agent at module scope answers four requests of one isolate", async () => {
  for (let count = 0; count < 4; count += 1) same(await ask("/run"), { status: "completed", text: "Done." });
});
await check("eight requests of one isolate at the same time", async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => ask("/run")));
  for (const one of all) same(one, { status: "completed", text: "Done." });
});
for (const protocol of ["auto", "legacy"]) {
  const seen = { status: "completed", outputs: "seen" };
  await check(`an agent with a server of MCP at module scope answers four requests (${protocol})`, async () => {
    for (let count = 0; count < 4; count += 1) same(await ask(`/mcp?protocol=${protocol}`), seen);
  });
  await check(`eight requests with a server of MCP at the same time (${protocol})`, async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => ask(`/mcp?protocol=${protocol}`)));
    for (const one of all) same(one, seen);
  });
}
await check("a run is streamed", async () => {
  for (let count = 0; count < 3; count += 1) same(await ask("/stream"), { status: "completed", deltas: 2 });
});
await check("a client that leaves does not hold up later requests", async () => {
  const controller = new AbortController();
  const left = miniflare
    .dispatchFetch("http://worker/stored?store=leaves&input=slowly", { signal: controller.signal })
    .catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 500));
  controller.abort();
  await left;
  for (let count = 0; count < 3; count += 1)
    same(await ask("/stored?store=leaves"), { status: "completed", text: "Done." });
});
await check("runs are stored in a Durable Object", async () => {
  const { runId, ...rest } = await ask("/stored?store=stand");
  same(rest, { status: "completed", text: "Done." });
  same(await ask(`/look?store=stand&run=${runId}`), { state: "completed" });
});
await check("each tenant has its own store", async () => {
  const { runId } = await ask("/stored?store=tenant-1");
  same(await ask(`/look?store=tenant-2&run=${runId}`), { state: undefined });
});
await check("an alarm wakes a sleeping run", async () => {
  const { runId, status } = await ask("/stored?store=sleeper&input=Use%20nap");
  same({ status }, { status: "sleeping" });
  same(await ask(`/look?store=sleeper&run=${runId}`), { state: "sleeping" });
  await until(
    () => ask(`/look?store=sleeper&run=${runId}`),
    ({ state }) => state === "completed",
  );
});
await check("a blob of 5 MB comes back as it was stored", async () => {
  same(await ask("/blob"), { same: true });
});
await check("a question is answered a day later", async () => {
  const { runId, status, questions } = await ask("/stored?store=asks&input=Use%20send");
  same({ status, questions }, { status: "suspended", questions: 1 });
  same(await ask(`/decide?store=asks&run=${runId}&tomorrow`), { status: "completed", text: "Done." });
});
await check("a run outlives its request", async () => {
  const response = await miniflare.dispatchFetch("http://worker/agent/chat?store=outlives", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      id: "s1",
      messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "slowly" }] }],
    }),
  });
  const reader = response.body.getReader();
  await reader.read();
  await reader.cancel();
  const { runs } = await ask("/agent/runs?store=outlives");
  await until(
    () => ask(`/look?store=outlives&run=${runs[0].runId ?? runs[0].id}`),
    ({ state }) => state === "completed",
  );
});
for (let index = 0; ; index += 1) {
  const one = await ask(`/case?index=${index}`);
  if (one === undefined) break;
  await check(`store conformance: ${one.name}`, async () => {
    if (one.failure !== undefined) throw new Error(one.failure);
  });
}

await miniflare.dispose();
model.close();
mcpServer.close();
end();
