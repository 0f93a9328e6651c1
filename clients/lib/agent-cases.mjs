// Cases of an agent on a host that is not Node. Each prints one line of JSON, which run-host.mjs judges.
import { Agent, memoryStore, tool } from "../../packages/agent/src/index.ts";
import { openai } from "../../packages/providers-openai/src/index.ts";
import { runRoutes } from "../../packages/server/src/index.ts";

const [, , baseURL, folder] = process.argv;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const model = openai("gpt-5-mini", { apiKey: "sk-test", baseURL });
const send = tool({
  name: "send",
  description: "Sends a letter.",
  inputSchema: { type: "object" },
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  needsApproval: true,
  execute: () => "sent",
});
const agentOver = (store) => new Agent({ name: "helper", model, store, tools: [send], logger: quiet });

async function check(name, work) {
  try {
    await work();
    console.log(JSON.stringify({ name }));
  } catch (error) {
    console.log(JSON.stringify({ name, failure: String(error?.message ?? error) }));
  }
}

function same(actual, wanted) {
  if (JSON.stringify(actual) !== JSON.stringify(wanted))
    throw new Error(`${JSON.stringify(actual)}, not ${JSON.stringify(wanted)}`);
}

async function asksAndGoesOn(store) {
  const waiting = await agentOver(store).run("Use send");
  same([waiting.status, waiting.interruptions.length], ["suspended", 1]);
  const done = await agentOver(store).resume(waiting.runId, [waiting.interruptions[0].approve()]);
  same([done.status, done.text], ["completed", "Done."]);
}

await check("a run", async () => {
  const { status, text } = await agentOver(memoryStore()).run("Hello.");
  same([status, text], ["completed", "Done."]);
});
await check("a streamed run", async () => {
  const texts = [];
  for await (const event of agentOver(memoryStore()).stream("Hello."))
    if (event.type === "text") texts.push(event.text);
  same(texts.join(""), "Done.");
});
await check("a hundred runs at once", async () => {
  const agent = agentOver(memoryStore());
  const all = await Promise.all(Array.from({ length: 100 }, () => agent.run("Hello.")));
  same(
    all.every(({ text }) => text === "Done."),
    true,
  );
});
await check("an approval, with the store in memory", () => asksAndGoesOn(memoryStore()));
await check("an approval, with sqliteStore", async () => {
  const { sqliteStore } = await import("../../packages/store-sqlite/src/index.ts");
  const store = sqliteStore({ path: `${folder}/runs.db` });
  await asksAndGoesOn(store);
  await store.close();
});
await check("the routes of the server", async () => {
  const store = memoryStore();
  const app = runRoutes({ agent: agentOver(store), store });
  const response = await app.fetch(
    new Request("http://localhost/chat", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        id: "s1",
        messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "Hello." }] }],
      }),
    }),
  );
  same((await response.text()).includes("ne."), true);
});
process.exit(0);
