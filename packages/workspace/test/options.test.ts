import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as simulator from "just-bash";
import { expect, test } from "vitest";
import { simulatedHost, workspace, type WorkspaceOptions } from "../src/index.ts";
import { call, coderOf, openProject, temporaryFolder } from "./project.test.helper.ts";

const host = simulatedHost(simulator);

test.each([
  ["a missing folder", (at: string) => [join(at, "none"), {}] as const],
  ["a file", (at: string) => [join(at, "file"), {}] as const],
  ["the whole machine", () => ["/", {}] as const],
  ["keep inside the folder", (at: string) => [at, { keep: join(at, "keep") }] as const],
])("workspace() refuses %s [workspace.options]", async (_what, given) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  const [path, options] = given(folder);
  await expect(workspace(path, { host, ...options })).rejects.toMatchObject({ code: "WORKSPACE_FOLDER" });
});

test.each([
  { include: ["../x"] },
  { include: ["/etc/passwd"] },
  { include: ["none.json"] },
  { setup: "npm ci", setupFiles: ["none.json"] },
  { setupHosts: ["example.com"] },
  { hosts: ["*.example.com"] },
  { hosts: ["https://example.com"] },
  { env: { KEY: { from: "env" } } },
  { env: { "A B": "x" } },
  { limits: { memoryMB: 0 } },
  { limits: { seconds: 1 } },
  { tools: ["shell"] },
  { mounts: { relative: { from: "/tmp" } } },
  { network: true },
])("workspace() refuses %j [workspace.options]", async (options) => {
  await expect(
    workspace(temporaryFolder(), { host, keep: temporaryFolder(), ...(options as WorkspaceOptions) }),
  ).rejects.toMatchObject({
    code: expect.stringMatching(/INVALID_OPTION|UNKNOWN_OPTION/u) as string,
  });
});

test("readOnly and tools choose the tools, and copy() without an id needs exactly one copy [workspace.options]", async () => {
  const { ws } = await openProject(
    { "a.txt": "a" },
    { host, readOnly: true, tools: ["read", "write", "bash", "apply_changes"] },
  );
  expect(ws.extension.tools?.map(({ name }) => name)).toEqual(["read", "bash"]);
  expect(() => ws.copy()).toThrow(expect.objectContaining({ code: "WORKSPACE_AMBIGUOUS" }) as Error);
  const { coder } = coderOf(ws, [
    call("read", { file_path: "a.txt" }),
    "Done.",
    call("read", { file_path: "a.txt" }),
    "Done.",
  ]);
  await coder.run("Go.", { sessionId: "s1" });
  expect(await ws.copy().diff()).toBe("");
  await coder.run("Go.", { sessionId: "s2" });
  expect(() => ws.copy()).toThrow(expect.objectContaining({ code: "WORKSPACE_AMBIGUOUS" }) as Error);
  expect((await ws.copies()).map(({ sessionId }) => sessionId).toSorted()).toEqual(["s1", "s2"]);
});

test("include copies an ignored file, tracked files are copied although they are ignored, and AGENTS.md is only read on request [workspace.options]", async () => {
  const files = {
    ".gitignore": "*.local\nbuilt/\n",
    "a.local": "1",
    "b.local": "2",
    "built/x": "3",
    "AGENTS.md": "Use tabs.",
  };
  for (const instructions of [true, false]) {
    const { ws } = await openProject(files, { host, include: ["a.local"], instructions });
    const { coder, model } = coderOf(ws, [call("bash", { command: "ls" }), "Done."]);
    const output = await coder.run("Go.");
    expect(output.toolCalls[0]?.output).toBe("AGENTS.md\na.local");
    expect(JSON.stringify(model.requests[0]).includes("Use tabs.")).toBe(instructions);
  }
});

test("a change that CI, an agent or a person's eye would miss is a fact on the card [workspace.flags]", async () => {
  const { ws } = await openProject({ "package.json": `{ "scripts": {} }` }, { host });
  const hidden: readonly (readonly [path: string, content: string, fact: string])[] = [
    [".github/workflows/x.yml", "x", "CI or deployment"],
    [".gitattributes", "x", "settings of Git"],
    ["sub/package-lock.json", "{}", "lock files"],
    ["Makefile", "x", "scripts that package managers"],
    [".npmrc", "registry=x", "package registries"],
    ["AGENTS.md", "x", "agents and editors"],
    [".vscode/tasks.json", "{}", "agents and editors"],
    ["src/a.js", "if (a\u202e) {}", "hidden or bidirectional"],
    ["src/key.js", `const k = "ghp_${"a".repeat(36)}";`, "look like secrets"],
    ["package.json", `{ "scripts": { "postinstall": "x" }, "dependencies": { "x": "1" } }`, "changes dependencies"],
  ];
  const { coder } = coderOf(ws, [
    call("read", { file_path: "package.json" }),
    ...hidden.map(([file_path, content]) => call("write", { file_path, content })),
    call("bash", {
      command: "chmod +x src/a.js; ln -s src/a.js link; head -c 10 /dev/zero > zero.bin; printf '\\000' > zero.bin",
    }),
    call("apply_changes", { summary: "Harmless." }),
  ]);
  const asked = await coder.run("Go.");
  const { unusual, level } = asked.interruptions[0]!.question;
  const facts = unusual.map(({ text }) => text).join("\n");
  for (const [path, , fact] of hidden) expect(facts, path).toContain(fact);
  for (const fact of ["makes files executable", "symbolic links", "binary files"]) expect(facts).toContain(fact);
  expect(level).not.toBe("normal");
});

test("special files and a folder that is too large are reported [workspace.options]", async () => {
  const { ws } = await openProject({ "a.bin": "x".repeat(2_000_000) }, { host, limits: { diskMB: 1 } }, (folder) =>
    mkdirSync(join(folder, "empty")),
  );
  const { coder } = coderOf(ws, [call("bash", { command: "ls" }), "Done."]);
  const output = await coder.run("Go.");
  expect(output.toolCalls[0]?.error?.message).toContain("WORKSPACE_TOO_LARGE");
});
