// Runs agents and the store of Durable Objects in workerd, the runtime of Cloudflare Workers. One line per case; ends with
// 1 when a case fails that expected-failures.json does not name, or when one passes that it names.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { Miniflare } from "miniflare";

const here = new URL("./", import.meta.url);
const expected = JSON.parse(readFileSync(new URL("expected-failures.json", here), "utf8"));
const only = process.argv[2];
let failed = 0;

async function check(name, work) {
  if (only !== undefined && !name.includes(only)) return;
  let failure;
  try {
    await within(60_000, work());
  } catch (error) {
    failure = error;
  }
  const isExpected = name in expected;
  if ((failure !== undefined) !== isExpected) failed += 1;
  const said =
    failure === undefined
      ? isExpected
        ? "passes, though it is expected to fail"
        : "ok"
      : isExpected
        ? `fails as expected: ${expected[name]}`
        : `FAILED: ${failure.message}`;
  console.log(`${name}: ${said}`);
}

function within(ms, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took more than ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function same(actual, wanted) {
  for (const [key, value] of Object.entries(wanted))
    if (actual[key] !== value)
      throw new Error(
        `${key} is ${JSON.stringify(actual[key])}, not ${JSON.stringify(value)}: ${JSON.stringify(actual).slice(0, 2_000)}`,
      );
}

/** A model over HTTP: it calls the tool that the input names, then answers. */
const model = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    const asked = JSON.parse(body);
    const text = JSON.stringify(asked.input);
    const wanted = /Use (\w+)/.exec(text)?.[1];
    const answered = text.includes("function_call_output");
    const output =
      wanted !== undefined && !answered
        ? [{ type: "function_call", id: "fc_1", call_id: "call_1", name: wanted, arguments: "{}", status: "completed" }]
        : [
            {
              type: "message",
              id: "msg_1",
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text: "Done.", annotations: [] }],
            },
          ];
    const whole = {
      id: "resp_1",
      object: "response",
      created_at: 1,
      status: "completed",
      model: "gpt-5-mini",
      output,
      usage: {
        input_tokens: 1,
        output_tokens: 1,
        total_tokens: 2,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    };
    setTimeout(
      () => {
        if (asked.stream !== true) {
          response.setHeader("content-type", "application/json");
          response.end(JSON.stringify(whole));
          return;
        }
        response.setHeader("content-type", "text/event-stream");
        let sequence = 0;
        const write = (type, more) =>
          response.write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...more })}\n\n`);
        write("response.created", { response: { ...whole, status: "in_progress", output: [] } });
        for (const [output_index, item] of output.entries()) {
          write("response.output_item.added", {
            output_index,
            item:
              item.type === "message" ? { ...item, status: "in_progress", content: [] } : { ...item, arguments: "" },
          });
          if (item.type === "message") {
            write("response.content_part.added", {
              item_id: item.id,
              output_index,
              content_index: 0,
              part: { type: "output_text", text: "", annotations: [] },
            });
            for (const delta of ["Do", "ne."])
              write("response.output_text.delta", { item_id: item.id, output_index, content_index: 0, delta });
            write("response.output_text.done", { item_id: item.id, output_index, content_index: 0, text: "Done." });
          } else {
            write("response.function_call_arguments.delta", { item_id: item.id, output_index, delta: "{}" });
            write("response.function_call_arguments.done", { item_id: item.id, output_index, arguments: "{}" });
          }
          write("response.output_item.done", { output_index, item });
        }
        write("response.completed", { response: whole });
        response.end();
      },
      text.includes("slowly") ? 3_000 : 20,
    );
  });
});
await new Promise((resolve) => model.listen(0, "127.0.0.1", resolve));

const bundle = await build({
  entryPoints: [new URL("src/worker.mjs", here).pathname],
  bundle: true,
  write: false,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  mainFields: ["module", "main"],
  conditions: ["@bailiwick/source", "workerd", "worker", "browser"],
  external: ["node:*", "cloudflare:*"],
  logLevel: "error",
});
const miniflare = new Miniflare({
  modules: [{ type: "ESModule", path: "worker.mjs", contents: bundle.outputFiles[0].text }],
  compatibilityDate: "2026-01-01",
  compatibilityFlags: ["nodejs_compat"],
  bindings: { MODEL: `http://127.0.0.1:${model.address().port}/v1` },
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
  for (let count = 0; count < 200; count += 1) {
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
await check("runs stand in a Durable Object", async () => {
  const { runId, ...rest } = await ask("/stored?store=stand");
  same(rest, { status: "completed", text: "Done." });
  same(await ask(`/look?store=stand&run=${runId}`), { state: "done" });
});
await check("tenants have stores of their own", async () => {
  const { runId } = await ask("/stored?store=tenant-1");
  same(await ask(`/look?store=tenant-2&run=${runId}`), { state: undefined });
});
await check("an alarm wakes a sleeping run", async () => {
  const { runId, status } = await ask("/stored?store=sleeper&input=Use%20nap");
  same({ status }, { status: "suspended" });
  same(await ask(`/look?store=sleeper&run=${runId}`), { state: "sleeping" });
  await until(
    () => ask(`/look?store=sleeper&run=${runId}`),
    ({ state }) => state === "done",
  );
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
    ({ state }) => state === "done",
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
model.closeAllConnections();
console.log(failed === 0 ? "workerd: all as expected" : `workerd: ${failed} not as expected`);
process.exit(failed === 0 ? 0 : 1);
