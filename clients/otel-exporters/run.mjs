// Sends an agent's spans with the exporters of Langfuse and Phoenix to a stub on the loopback interface, and looks at what
// arrives. One line a case; ends with 1 when one differs from expected-failures.json.
import { createServer } from "node:http";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { register } from "@arizeai/phoenix-otel";
import { LangfuseSpanProcessor } from "@langfuse/otel";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { build } from "esbuild";
import { openCases } from "../lib/cases.mjs";
import { startModel } from "../lib/model.mjs";

const here = new URL("./", import.meta.url);
const { check, end } = openCases("otel-exporters", here);
const model = await startModel();

const received = [];
const collector = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    received.push({ path: request.url, type: request.headers["content-type"], body: Buffer.concat(chunks) });
    response.setHeader("content-type", request.headers["content-type"] ?? "application/json");
    response.end(request.headers["content-type"]?.includes("json") ? "{}" : "");
  });
});
await new Promise((resolve) => collector.listen(0, "127.0.0.1", resolve));
const collectorURL = `http://127.0.0.1:${collector.address().port}`;

const cache = new URL("node_modules/.cache/", here);
mkdirSync(cache, { recursive: true });
const outfile = new URL("program.mjs", cache);
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL("src/program.mjs", here))],
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
  target: "node22",
  conditions: ["@bailiwick/source"],
  alias: { "@opentelemetry/api": fileURLToPath(new URL("node_modules/@opentelemetry/api", here)) },
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  logLevel: "error",
});
writeFileSync(outfile, outputFiles[0].text);
const { trace } = await import(outfile.href);

const names = ["invoke_agent clerk", "chat gpt-5-mini", "policy send", "approval send", "execute_tool send"];
const attributes = [
  "gen_ai.operation.name",
  "gen_ai.provider.name",
  "gen_ai.request.model",
  "gen_ai.response.model",
  "gen_ai.agent.id",
  "gen_ai.conversation.id",
  "gen_ai.usage.input_tokens",
];
const inputs = [
  "gen_ai.input.messages",
  "gen_ai.system_instructions",
  "gen_ai.tool.definitions",
  "gen_ai.tool.call.arguments",
];
const outputs = ["gen_ai.output.messages", "gen_ai.tool.call.result"];

function has(text, wanted, what) {
  for (const one of wanted) if (!text.includes(one)) throw new Error(`${what} lacks ${one}`);
}
function hasNone(text, unwanted, what) {
  for (const one of unwanted) if (text.includes(one)) throw new Error(`${what} has ${one}`);
}

/** Spans that a vendor's processor exports, as text. */
async function exported(makeProvider, options) {
  received.length = 0;
  const provider = makeProvider();
  await trace(provider, model.baseURL, options);
  await provider.forceFlush();
  await provider.shutdown();
  if (received.length === 0) throw new Error("nothing arrived");
  return received;
}
const langfuse = () =>
  new BasicTracerProvider({
    spanProcessors: [
      new LangfuseSpanProcessor({
        publicKey: "pk-test",
        secretKey: "sk-test",
        baseUrl: collectorURL,
        exportMode: "batched",
      }),
    ],
  });
const phoenix = () =>
  register({ projectName: "clerk", url: collectorURL, apiKey: "test", batch: false, global: false });

for (const { vendor, makeProvider, path } of [
  { vendor: "Langfuse", makeProvider: langfuse, path: "/api/public/otel/v1/traces" },
  { vendor: "Phoenix", makeProvider: phoenix, path: "/v1/traces" },
]) {
  await check(`${vendor} exports every span with the attributes of the conventions`, async () => {
    const requests = await exported(makeProvider, {});
    const text = requests.map(({ body }) => body.toString("latin1")).join("\n");
    if (requests.some((request) => request.path !== path)) throw new Error(`it went to ${requests[0].path}`);
    has(text, [...names, ...attributes, "gpt-5-mini-2026-01-01"], vendor);
    hasNone(text, [...inputs, ...outputs, "order 1042", "sent it"], vendor);
  });
  await check(`${vendor} exports inputs and outputs where they are asked for`, async () => {
    const requests = await exported(makeProvider, { inputs: true, outputs: true });
    has(
      requests.map(({ body }) => body.toString("latin1")).join("\n"),
      [...inputs, ...outputs, "order 1042", "sent it"],
      vendor,
    );
  });
}
await check("spans that Langfuse gets are one trace each run, and calls are children of their run", async () => {
  const requests = await exported(langfuse, {});
  const json = requests.filter(({ type }) => type?.includes("json"));
  if (json.length === 0) throw new Error(`it sent ${requests[0].type}`);
  const spans = json
    .flatMap(({ body }) => JSON.parse(body).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans);
  const runs = spans.filter(({ name }) => name.startsWith("invoke_agent"));
  if (runs.length !== 2) throw new Error(`${runs.length} runs`);
  for (const span of spans.filter(({ name }) => !name.startsWith("invoke_agent"))) {
    const run = runs.find(({ spanId }) => spanId === span.parentSpanId);
    if (run?.traceId !== span.traceId) throw new Error(`${span.name} is not a child of a run`);
  }
});

model.close();
collector.close();
collector.closeAllConnections();
end();
