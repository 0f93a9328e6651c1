import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openai } from "@bailiwick/providers-openai";
import { skills } from "@bailiwick/skills";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { workspace } from "@bailiwick/workspace";
import { createCoder } from "./coder.ts";
import { talk, type Terminal } from "./terminal.ts";

const project = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: { folder: { type: "string" }, resume: { type: "boolean" }, instructions: { type: "boolean" } },
});
const started = process.env["INIT_CWD"] ?? process.cwd();
const sample = resolve(project, "sample");
const folder =
  values.folder !== undefined ? resolve(started, values.folder) : existsSync(sample) ? sample : process.cwd();

await using ws = await workspace(folder, { instructions: values.instructions ?? false });
const store = sqliteStore({ path: resolve(project, "runs.db") });
const texts = await skills(resolve(project, "skills"), { origin: "own", workspace: ws });
const coder = createCoder(openai("gpt-5.5"), [ws.extension, texts], { store, session: store.sessions });

const [last] = values.resume === true ? await store.listRuns({ agentId: "coder", limit: 1 }) : [];
const lines = createInterface({ input: process.stdin, output: process.stdout });
const closed = new Promise<undefined>((done) => lines.once("close", () => done(undefined)));
const terminal: Terminal = {
  write: (text) => void process.stdout.write(text),
  ask: (prompt) => Promise.race([lines.question(prompt).catch(() => undefined), closed]),
};
terminal.write(`Folder: ${folder}\nPlace: ${ws.host.id}\n`);
if (ws.host.notice !== undefined) terminal.write(`${ws.host.notice}\n`);
await talk({
  coder,
  ws,
  terminal,
  sessionId: last?.sessionId ?? randomUUID(),
  waiting: last?.state === "suspended" ? last.id : undefined,
});
lines.close();
