import { argv, stdout } from "node:process";
import { fetchNode } from "@bailiwick/fetch-node";
import { openai } from "@bailiwick/providers-openai";

/**
 * A process that asks a damaging server for each of its answers: `node ask-damaged.fixture.ts <port> <client> <asked>`,
 * with `asked` as JSON: the names of the answers, and those that are streamed. Prints what came of each.
 */
const [, , port, clientName, given = ""] = argv;
const asked = JSON.parse(given) as readonly { readonly name: string; readonly isStream: boolean }[];
const lean = fetchNode();
const client: typeof fetch = clientName === "fetch-node" ? lean : globalThis.fetch;

async function outcome(name: string, isStream: boolean): Promise<object> {
  const model = openai("m", {
    apiKey: "k",
    baseURL: `http://127.0.0.1:${port}/${name}`,
    compat: "vllm",
    fetch: client,
  });
  const leave = new AbortController();
  const request = {
    messages: [{ id: "u", role: "user" as const, content: "Hi." }],
    // Silent servers are left; all others have to end by themselves.
    ...(name.startsWith("silent-") && { signal: leave.signal }),
  };
  if (name.startsWith("silent-")) setTimeout(() => leave.abort(new Error("left")), 50);
  try {
    if (!isStream) return { text: textOf((await model.generate(request)).message.content) };
    let text = "";
    for await (const chunk of model.stream(request)) if (chunk.type === "text") text += chunk.text;
    return { text };
  } catch (error) {
    const { code, retryable, message } = error as { code?: unknown; retryable?: unknown; message?: unknown };
    return { code, retryable, message };
  }
}

function textOf(content: readonly { readonly type: string }[]): string {
  return content.map((part) => ("text" in part ? String(part.text) : "")).join("");
}

const outcomes: object[] = [];
const queue = [...asked.entries()];
await Promise.all(
  Array.from({ length: 8 }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, { name, isStream }] = next;
      outcomes[index] = await outcome(name, isStream);
    }
  }),
);
await lean.close();
stdout.write(JSON.stringify(outcomes));
