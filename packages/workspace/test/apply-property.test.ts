import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import * as simulator from "just-bash";
import { expect, test } from "vitest";
import { simulatedHost } from "../src/index.ts";
import { call, coderOf, contentOf, filesIn, openProject } from "./project.test.helper.ts";

const host = simulatedHost(simulator);
const names = ["a.txt", "b/c.txt", "b/d/e.txt", "f"];
const text = fc.constantFrom("", "one\n", "one\ntwo", "one\r\ntwo\r\n", "ä\u0000b", "$& \\n");
const someFiles = fc.dictionary(fc.constantFrom(...names), text, { maxKeys: 4 });

test("an approval writes the shown files and nothing else, or CHANGED_MEANWHILE writes nothing [workspace.apply.shown]", async () => {
  await fc.assert(
    fc.asyncProperty(
      someFiles,
      someFiles,
      fc.option(fc.tuple(fc.constantFrom(...names), text), { nil: undefined }),
      async (before, after, meanwhile) => {
        const { folder, ws } = await openProject({ keep: "", ...before }, { host });
        const writes = Object.entries(after).map(([file_path, content]) => call("write", { file_path, content }));
        const reads = Object.keys(before).map((file_path) => call("read", { file_path }));
        const { coder } = coderOf(ws, [...reads, ...writes, call("apply_changes", { summary: "x" }), "Done.", "Done."]);
        const asked = await coder.run("Go.", { sessionId: "s1" });
        expect(contentOf(folder)).toEqual(latin({ keep: "", ...before }));
        const [question] = asked.interruptions;
        if (question === undefined) return;
        if (meanwhile !== undefined) filesIn(folder, { [meanwhile[0]]: meanwhile[1] });
        const then = contentOf(folder);
        const done = await coder.resume(asked.runId, [question.approve()]);
        const refused = done.toolCalls.some(({ error }) => error?.message.includes("CHANGED_MEANWHILE") === true);
        expect(contentOf(folder)).toEqual(refused ? then : { ...then, ...latin(after) });
      },
    ),
    { numRuns: 12 },
  );
});

function latin(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path, Buffer.from(content).toString("latin1")]),
  );
}

test("a link in the user's folder is not followed when changes are written [workspace.apply]", async () => {
  const { folder, ws } = await openProject({ "a/x.txt": "x\n" }, { host });
  const { coder } = coderOf(ws, [
    call("bash", { command: "echo y > a/x.txt" }),
    call("apply_changes", { summary: "y" }),
    "Done.",
  ]);
  const asked = await coder.run("Go.");
  mkdirSync(join(folder, "other"));
  rmSync(join(folder, "a"), { recursive: true });
  symlinkSync("other", join(folder, "a"));
  const done = await coder.resume(asked.runId, [asked.interruptions[0]!.approve()]);
  expect(done.toolCalls.at(-1)?.error?.message).toContain("PATH_LEAVES_FOLDER");
  expect([existsSync(join(folder, "other/x.txt")), lstatSync(join(folder, "a")).isSymbolicLink()]).toEqual([
    false,
    true,
  ]);
});
