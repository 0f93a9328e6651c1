import * as simulator from "just-bash";
import { tool } from "@bailiwick/agent";
import { expect, test } from "vitest";
import { simulatedHost } from "../src/index.ts";
import { call, coderOf, openProject } from "./project.test.helper.ts";

const none = { type: "object", properties: {} };

test("private data that was written to a file and read in a later run keeps its readers [workspace.labels]", async () => {
  const { ws } = await openProject({ "a.txt": "a" }, { host: simulatedHost(simulator) });
  const record = tool({
    name: "read_record",
    description: "Reads a record.",
    inputSchema: none,
    sideEffectClass: "read-only",
    output: { integrity: "verified", readers: ["team:hr"] },
    execute: () => "salary 100",
  });
  const sent: unknown[] = [];
  const post = tool({
    name: "post",
    description: "Posts a text.",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    sideEffectClass: "external-stateful",
    flow: { payload: ["text"], readers: () => ["user:emma"] },
    execute: (input) => void sent.push(input),
  });
  const { coder: first } = coderOf(
    ws,
    [call("read_record", {}), call("write", { file_path: "notes.txt", content: "salary 100" }), "Done.", "Done."],
    { tools: [record, post] },
  );
  await first.run("Note the salary.", { sessionId: "s1", userId: "emma" });
  const { coder: second } = coderOf(
    ws,
    [call("read", { file_path: "notes.txt" }), call("post", { text: "salary 100" }), "Done.", "Done."],
    { tools: [record, post] },
  );
  const asked = await second.run("Post the notes.", { sessionId: "s1", userId: "emma" });
  expect(asked.toolCalls[1]?.error?.code).toBe("R4");
  expect(sent).toEqual([]);
});
