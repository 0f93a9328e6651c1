// Drives one run of a workspace to its end; a test kills this process and starts it again.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Agent } from "@bailiwick/agent";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { workspace } from "../src/index.ts";

const [folder = "", keep = "", database = ""] = process.argv.slice(2);
/** Each command appends, so that one that ran twice without its snapshot would be seen. */
const commands = [0, 1, 2, 3, 4, 5].map(
  (number) => `echo ${number}a >> log.txt; sleep 0.05; echo ${number}b >> log.txt`,
);
const model = scriptedModel(({ messages }) => {
  const answers = messages.filter(({ role }) => role === "assistant").length;
  const command = commands[answers];
  if (command !== undefined) return { toolCalls: [{ name: "bash", arguments: { command } }] };
  if (answers === commands.length)
    return {
      toolCalls: [
        { name: "edit", arguments: { file_path: "log.txt", old_string: "0a\n", new_string: "first\nzero\n" } },
      ],
    };
  return answers === commands.length + 1
    ? { toolCalls: [{ name: "apply_changes", arguments: { summary: "Log." } }] }
    : "Done.";
});
const store = sqliteStore({ path: database });
const ws = await workspace(folder, { keep, limits: { idleMs: 5_000 } });
const coder = new Agent({
  name: "coder",
  model,
  store,
  flow: { mode: "enforce", planner: false },
  extensions: [ws.extension],
});
const runId = existsSync(`${database}.run`) ? readFileSync(`${database}.run`, "utf8") : undefined;
const begin = (): ReturnType<typeof coder.run> => {
  const run = coder.stream("Log.", { sessionId: "s1" });
  writeFileSync(`${database}.run`, run.runId);
  return run.result;
};
const isStored = runId !== undefined && (await store.getRun(runId)) !== undefined;
let output = isStored ? await coder.resume(runId, [], { formerIsGone: true }) : await begin();
for (let round = 0; round < 3 && output.interruptions.length > 0; round += 1) {
  const [asked] = output.interruptions;
  process.stdout.write(`question ${asked?.kind}\n`);
  if (asked?.kind !== "approval") break;
  output = await coder.resume(output.runId, [asked.approve()], { formerIsGone: true });
}
process.stdout.write(
  `${output.status} repeated ${output.toolCalls.filter(({ output: text }) => String(text).startsWith("This command was started before.")).length}\n`,
);
await ws.close();
