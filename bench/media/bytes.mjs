/**
 * Cost of a photo in a run, as bytes and as base64 text: user CPU of one run, against the platform's own encoding of the
 * same bytes and the writing of the request's JSON. The budget is three times. Prints the ratio for 4 and 12 MB.
 *
 * Usage: node --conditions=@bailiwick/source bench/media/bytes.mjs
 */
import { Agent } from "../../packages/agent/src/index.ts";
import { openai } from "../../packages/providers-openai/src/index.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", content: "A photo." } };
const fetch = async () => new Response(JSON.stringify({ id: "c", choices: [choice] }));
const model = openai("gpt-5.5", { apiKey: "k", api: "chat", baseURL: "http://127.0.0.1:1", fetch });
const agent = new Agent({ name: "a", logger: quiet, model });

/** The fastest of a few rounds, in milliseconds of CPU. */
async function cpu(work) {
  let best = Infinity;
  for (let round = 0; round < 8; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

const run = (data) => agent.run([{ type: "image", data, mimeType: "image/jpeg" }]);
for (const megabytes of [4, 12]) {
  const bytes = new Uint8Array(megabytes * 1_000_000).map((_, index) => index % 251);
  bytes.set([0xff, 0xd8, 0xff]);
  const text = Buffer.from(bytes).toString("base64");
  const platform = await cpu(() => JSON.stringify(Buffer.from(bytes).toString("base64")));
  for (const [form, data] of [["bytes", bytes], ["base64", text]]) {
    const took = await cpu(() => run(data));
    console.log(
      `${megabytes} MB as ${form}: ${took.toFixed(0)} ms, the platform ${platform.toFixed(0)} ms, ratio ${(took / platform).toFixed(1)}`,
    );
  }
}
process.exit(0);
