import { existsSync } from "node:fs";
import { join } from "node:path";
import * as simulator from "just-bash";
import { expect, test } from "vitest";
import { simulatedHost, workspace } from "../src/index.ts";
import { call, coderOf, contentOf, filesIn, openProject, resultsOf, temporaryFolder } from "./project.test.helper.ts";

const host = simulatedHost(simulator);

test("without a sandbox, the simulated shell edits a copy, says so, and applies with one question [workspace.simulated]", async () => {
  const { folder, keep, ws } = await openProject(
    { "src/a.txt": "one\ntwo\n", ".env": "KEY=1", ".gitignore": ".env\n" },
    { host },
  );
  const before = contentOf(folder);
  const { coder, model } = coderOf(ws, [
    call("bash", { command: "ls -a; cat src/a.txt; node --version; cat /etc/passwd; cd src" }),
    call("grep", { pattern: "t.o", output_mode: "content" }),
    call("glob", { pattern: "**/*.txt" }),
    call("edit", { file_path: "src/a.txt", old_string: "two", new_string: "three" }),
    call("bash", { command: "pwd; echo new > b.txt; rm -f ../.gitignore" }),
    call("apply_changes", { summary: "Three." }),
    "Done.",
  ]);
  const asked = await coder.run("Go.", { sessionId: "s1" });
  const results = resultsOf(asked);
  expect(results[0]).toContain("one\ntwo");
  expect(results[0]).not.toContain(".env");
  expect(results[0]).toMatch(/node.*not found/u);
  expect(results[1]).toBe("/workspace/src/a.txt:2:two");
  expect(results[2]).toBe("/workspace/src/a.txt");
  expect(results[4]).toContain("/workspace/src");
  expect(JSON.stringify(model.requests[0])).toContain("The shell is simulated");
  expect(contentOf(folder)).toEqual(before);
  // Another process finds the copy.
  await ws.close();
  await using later = await workspace(folder, { keep, host });
  expect(await later.copy("s1").diff()).toContain("+three\n");
  expect(asked.interruptions[0]!.question.preview?.diff).toContain("deleted file mode 100644");
  await later.copy("s1").apply();
  expect(contentOf(folder)).toEqual({ ".env": "KEY=1", "src/a.txt": "one\nthree\n", "src/b.txt": "new\n" });
});

test("a mounted folder is read into the simulated shell, and changes of it stay there [workspace.simulated]", async () => {
  const skills = temporaryFolder();
  filesIn(skills, { "SKILL.md": "Do it.\n" });
  const { ws } = await openProject({ "a.txt": "a\n" }, { host });
  ws.mount({ target: "/skills/own", from: skills, readOnly: true });
  const { coder } = coderOf(ws, [
    call("bash", { command: "cat /skills/own/SKILL.md; echo evil > /skills/own/SKILL.md" }),
    "Done.",
  ]);
  expect(resultsOf(await coder.run("Go."))).toEqual(["Do it."]);
  expect(contentOf(skills)).toEqual({ "SKILL.md": "Do it.\n" });
});

test("the simulated shell reaches no file and no network of the machine [workspace.simulated]", async () => {
  const outside = temporaryFolder();
  const { ws } = await openProject({ "a.txt": "a\n" }, { host });
  const { coder } = coderOf(ws, [
    call("bash", {
      command: `echo evil > ${outside}/evil; ln -s ${outside} out; echo evil > out/evil; curl http://127.0.0.1:1/`,
    }),
    call("write", { file_path: `${outside}/evil`, content: "evil" }),
    "Done.",
    "Done.",
  ]);
  await coder.run("Go.");
  expect(existsSync(join(outside, "evil"))).toBe(false);
});

test.each([{ hosts: ["example.com"] }, { setup: "npm ci" }, { mounts: { "/x": { from: "/tmp", readOnly: false } } }])(
  "the simulated shell refuses %j [workspace.simulated]",
  async (options) => {
    await expect(openProject({}, { host, ...options })).rejects.toMatchObject({ code: "WORKSPACE_UNAVAILABLE" });
  },
);
