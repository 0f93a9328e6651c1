// A server over stdio whose answer to one request can be made to fail: the file "armed" in its folder names the request
// and the fault. It writes the calls that it executes to "log", and answers "held_*" once the file "release" exists.
import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

interface Request {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

const [, , folder = ""] = process.argv;
const armed = join(folder, "armed");
let isSilent = false;

const write = (text: string): void => void process.stdout.write(`${text}\n`);
const answer = (id: unknown, result: object): void => write(JSON.stringify({ jsonrpc: "2.0", id, result }));
const tool = (name: string): object => ({ name, description: `Tool ${name}.`, inputSchema: { type: "object" } });

/** Makes the fault of a request. Returns true if it has one. */
function hasFault({ id, method }: Request): boolean {
  if (!existsSync(armed)) return false;
  const [at, fault = ""] = readFileSync(armed, "utf8").split("\t");
  if (at !== method) return false;
  rmSync(armed);
  if (fault === "an error") write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_603, message: "broken" } }));
  if (fault === "half an answer") write(`{"jsonrpc":"2.0","id":${String(id)},"resu`);
  if (fault === "a wrong result") answer(id, { tools: "none", content: "none" });
  if (fault === "an answer to a request that was not sent") answer(987_654, { content: [] });
  if (fault === "no answer, also later") isSilent = true;
  if (fault === "its end") process.exit(7);
  return true;
}

function resultOf({ method, params }: Request): object | undefined {
  if (method === "initialize")
    return {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: { name: "faulty", version: "1" },
    };
  if (method === "ping") return {};
  if (method === "tools/list") return { tools: ["read", "held_read", "held_write"].map(tool) };
  if (method === "resources/read") return { contents: [{ uri: "file:///readme.md", text: "# Read me" }] };
  if (method === "prompts/get") return { messages: [{ role: "user", content: { type: "text", text: "Sort these." } }] };
  if (method === "tools/call") return { content: [{ type: "text", text: `answer of ${params?.name}` }] };
  return undefined;
}

function take(request: Request): void {
  const { id, method, params } = request;
  if (id === undefined || isSilent || hasFault(request)) return;
  const result = resultOf(request);
  if (result === undefined)
    return write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_601, message: "no" } }));
  if (method === "tools/call") appendFileSync(join(folder, "log"), `${params?.name}\n`);
  if (params?.name?.startsWith("held_") !== true) return answer(id, result);
  const timer = setInterval(() => {
    if (!existsSync(join(folder, "release"))) return;
    clearInterval(timer);
    answer(id, result);
  }, 10);
}

createInterface({ input: process.stdin }).on("line", (line) => take(JSON.parse(line) as Request));
