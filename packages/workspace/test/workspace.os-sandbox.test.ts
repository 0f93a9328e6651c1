import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workspace } from "../src/index.ts";
import { call, coderOf, contentOf, filesIn, openProject, resultsOf, temporaryFolder } from "./project.test.helper.ts";

const broken = {
  "add.js": "export const add = (a, b) => a - b;\n",
  "add.test.js": `import { add } from "./add.js";\nif (add(1, 2) !== 3) { console.error("add(1, 2) is " + add(1, 2)); process.exit(1); }\nconsole.log("ok");\n`,
  "package.json": `{ "type": "module" }\n`,
};

test("an agent repairs a test without a question, and one question writes the diff that it shows [workspace.apply]", async () => {
  const { folder, ws } = await openProject(broken);
  const before = contentOf(folder);
  const { coder } = coderOf(ws, [
    call("bash", { command: "node add.test.js" }),
    call("read", { file_path: "add.js" }),
    call("edit", { file_path: "add.js", old_string: "a - b", new_string: "a + b" }),
    call("bash", { command: "node add.test.js" }),
    call("apply_changes", { summary: "add() adds." }),
    "Done.",
  ]);
  const asked = await coder.run("The test of add.js fails. Fix it.");
  expect(resultsOf(asked).slice(0, 4)).toEqual([
    "add(1, 2) is -1\n[exit code 1]",
    "     1\texport const add = (a, b) => a - b;",
    "Edited add.js.",
    "ok",
  ]);
  expect(contentOf(folder)).toEqual(before);
  expect(asked.interruptions).toHaveLength(1);
  const { preview } = asked.interruptions[0]!.question;
  expect(preview?.diff).toContain("-export const add = (a, b) => a - b;\n+export const add = (a, b) => a + b;\n");
  expect(preview).toMatchObject({
    exact: true,
    digest: expect.stringMatching(/^[0-9a-f]{64}:[0-9a-f]{64}$/u) as string,
  });
  const done = await coder.resume(asked.runId, [asked.interruptions[0]!.approve()]);
  expect([done.status, done.text]).toEqual(["completed", "Done."]);
  expect(contentOf(folder)).toEqual({ ...before, "add.js": "export const add = (a, b) => a + b;\n" });
  expect(await ws.copy().diff()).toBe("");
  await ws.copy().undo();
  expect(contentOf(folder)).toEqual(before);
});

test("the folder's changes after the copy are never overwritten: the diff is refused and merged into the copy [workspace.apply.meanwhile]", async () => {
  const text = "one\ntwo\nthree\nfour\nfive\n";
  const { folder, ws } = await openProject({ "a.txt": text, "b.txt": text });
  const { coder } = coderOf(ws, [
    call("bash", { command: "sed -i s/two/TWO/ a.txt; sed -i s/two/TWO/ b.txt" }),
    call("apply_changes", { summary: "Louder." }),
    call("read", { file_path: "a.txt" }),
    call("read", { file_path: "b.txt" }),
    call("bash", { command: "printf 'one\\n2\\nthree\\nfour\\nFIVE\\n' > a.txt" }),
    call("apply_changes", { summary: "Again." }),
    "Done.",
  ]);
  const asked = await coder.run("Write two in capitals.");
  writeFileSync(join(folder, "a.txt"), text.replace("two", "zwei"));
  writeFileSync(join(folder, "b.txt"), text.replace("five", "fünf"));
  const again = await coder.resume(asked.runId, [asked.interruptions[0]!.approve()]);
  const [refused, a, b] = resultsOf(again).slice(1);
  expect(refused).toContain("CHANGED_MEANWHILE");
  expect([a, b]).toEqual([expect.stringContaining("<<<<<<< copy"), expect.stringContaining("2\tTWO\n")]);
  expect(b).toContain("5\tfünf");
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toContain("zwei");
  const { diff } = again.interruptions[0]!.question.preview ?? {};
  expect(diff).toContain("-zwei\n+2\n");
  await coder.resume(asked.runId, [again.interruptions[0]!.approve()]);
  expect(contentOf(folder)).toMatchObject({
    "a.txt": "one\n2\nthree\nfour\nFIVE\n",
    "b.txt": expect.stringContaining("TWO") as string,
  });
});

test("an approval writes the tree that was shown, also if the copy has changed since [workspace.apply.shown]", async () => {
  const { folder, ws } = await openProject({ "a.txt": "a\n" });
  const { coder } = coderOf(ws, [
    call("bash", { command: "echo shown > a.txt" }),
    call("bash", { command: "sleep 0.4; echo evil > a.txt; echo evil > b.txt; sleep 60", run_in_background: true }),
    call("apply_changes", { summary: "Shown." }),
    "Done.",
  ]);
  const asked = await coder.run("Go.", { sessionId: "s1" });
  expect(asked.interruptions[0]!.question.preview?.diff).not.toContain("evil");
  await expect.poll(() => ws.copy("s1").diff()).toContain("evil");
  await coder.resume(asked.runId, [asked.interruptions[0]!.approve()]);
  expect(contentOf(folder)).toEqual({ "a.txt": "shown\n" });
});

test("an approval cannot be remembered for another diff [workspace.apply.shown]", async () => {
  const { ws } = await openProject({ "a.txt": "a\n" });
  const { coder } = coderOf(ws, [
    call("bash", { command: "echo first > a.txt" }),
    call("apply_changes", { summary: "One." }),
  ]);
  const asked = await coder.run("Go.");
  expect(asked.interruptions[0]!.question.remember).toEqual([]);
});

test("tools read, write, search and edit by the names that models know [workspace.tools]", async () => {
  const { ws } = await openProject({
    "src/a.ts": "const price = '$5';\r\nexport {};\r\n",
    "src/b.ts": "x\nx\n",
    "docs/c.md": "price\n",
    ".gitignore": "*.log\n.env\n",
    "debug.log": "price",
    ".env": "KEY=1",
  });
  const { coder } = coderOf(
    ws,
    [
      call("read", { file_path: "/workspace" }),
      call("glob", { pattern: "**/*.ts" }),
      call("grep", { pattern: "pri[c]e", output_mode: "content", path: "src" }),
      call("edit", {
        file_path: "src/a.ts",
        old_string: "const price = '$5';\nexport {};",
        new_string: "const price = '$& $1';\nexport {};",
      }),
      call("edit", { file_path: "src/b.ts", old_string: "x", new_string: "y" }),
      call("edit", { file_path: "src/b.ts", old_string: "const x", new_string: "y" }),
      call("write", { file_path: "docs/c.md", content: "new" }),
      call("read", { file_path: "docs/c.md" }),
      call("write", { file_path: "docs/c.md", content: "new" }),
      call("write", { file_path: "docs/c.md", content: "newer" }),
      call("bash", { command: "echo other > docs/c.md; cd src" }),
      call("write", { file_path: "docs/c.md", content: "newest" }),
      call("bash", { command: "pwd; ls -a /workspace; seq 1 100000; exit 4" }),
      call("read", { file_path: "a\u0000b" }),
      "Done.",
      "Done.",
    ],
    {},
  );
  const output = await coder.run("Look around.");
  const results = resultsOf(output);
  expect(results[0]).toBe(".gitignore\ndocs/\nsrc/");
  expect(results[1]!.split("\n").toSorted()).toEqual(["/workspace/src/a.ts", "/workspace/src/b.ts"]);
  expect(results[2]).toBe("/workspace/src/a.ts:1:const price = '$5';\r");
  expect(results[3]).toBe("Edited src/a.ts.");
  expect(results[4]).toContain("is 2 times in");
  expect(results[5]).toContain("1\tx");
  expect(results.slice(6, 10)).toEqual([
    expect.stringContaining("READ_FIRST"),
    "     1\tprice",
    "Wrote docs/c.md.",
    "Wrote docs/c.md.",
  ]);
  expect(results[11]).toContain("CHANGED_SINCE_READ");
  expect(results[12]).toContain("/workspace/src\n.\n..\n.gitignore\ndocs\nsrc\n1\n2\n");
  expect(results[12]).toContain("99999\n100000\n[exit code 4]\n[.gitignore names these files");
  expect(results[12]).toMatch(/the whole output is in \/tmp\//u);
  expect(results[13]).toContain("PATH_INVALID");
  expect(await ws.copy().diff()).toContain("+const price = '$& $1';\r\n");
});

test("snapshots restore the tracked files, also against .gitattributes and nested repositories [workspace.snapshots]", async () => {
  const files = {
    "a.txt": "a\r\nb\n",
    "bin.dat": new Uint8Array([0, 255, 1]),
    ".gitattributes": "* text=auto eol=lf ident\n",
    "in/x": "$Id$\n",
  };
  const { ws } = await openProject(files);
  const { coder } = coderOf(ws, [
    call("bash", {
      command:
        "git init -q in 2>/dev/null; chmod +x a.txt; ln -s a.txt link; rm bin.dat; echo more >> in/x; mkdir -p new/deep; echo n > new/deep/n",
    }),
    "Done.",
    "Done.",
  ]);
  await coder.run("Change everything.");
  const copy = ws.copy();
  const diff = await copy.diff();
  expect(diff).toContain("new mode 100755");
  expect(diff).toContain("deleted file mode 100644");
  expect(diff).toContain("new file mode 120000");
  const [first] = await copy.snapshots();
  await copy.restore(first!.id);
  expect(await copy.diff()).toBe("");
});

test("the same session continues in another process's workspace, and copies are listed [workspace.copies]", async () => {
  const { keep, folder, ws } = await openProject({ "a.txt": "a\n" });
  const { coder } = coderOf(ws, [call("bash", { command: "echo b > b.txt; cd /tmp" }), "Done.", "Done."]);
  await coder.run("Go.", { sessionId: "s1" });
  await ws.close();
  await using later = await workspace(folder, { keep });
  expect(await later.copies()).toEqual([{ sessionId: "s1", changedFiles: 1, bytes: 4 }]);
  expect(await later.copy().diff()).toContain("+b\n");
  expect(() => later.mount({ target: "/skills", from: folder, readOnly: true })).toThrow(
    expect.objectContaining({ code: "WORKSPACE_STARTED" }) as Error,
  );
  await later.copy("s1").apply();
  expect(statSync(join(folder, "b.txt")).mode & 0o777).toBe(0o644);
});

test("an inner agent works on the same copy, and the reminder comes once [workspace.root]", async () => {
  const { ws } = await openProject({ "a.txt": "a\n" });
  const { coder: inner } = coderOf(ws, [call("bash", { command: "echo inner > b.txt" }), "Done."], { name: "inner" });
  const { coder, model } = coderOf(
    ws,
    [call("inner", { input: "Write b." }), call("bash", { command: "cat b.txt" }), "Done.", "Still done."],
    {
      tools: [inner.asTool({ description: "Writes." })],
    },
  );
  const output = await coder.run("Go.");
  expect(resultsOf(output)[1]).toBe("inner");
  expect(JSON.stringify(model.requests?.at(-1) ?? output.messages)).toContain("1 file is changed and not applied");
  expect(output.text).toBe("Still done.");
});

test("a mount that only the user of this process can enter is there, also under root [workspace.copies]", async () => {
  const own = temporaryFolder();
  filesIn(own, { "skill.md": "Text.\n" });
  chmodSync(own, 0o700);
  const { folder, keep, ws } = await openProject({ "a.txt": "a\n" });
  ws.mount({ target: "/skills/one", from: own, readOnly: true });
  const { coder } = coderOf(ws, [
    call("bash", { command: "cat /skills/one/skill.md; echo b > a.txt" }),
    "Done.",
    "Done.",
  ]);
  expect(resultsOf(await coder.run("Go.", { sessionId: "s1" }))).toEqual(["Text."]);
  await ws.close();
  // Without the mount, the sandbox may run as another user again.
  await using later = await workspace(folder, { keep });
  const { coder: again } = coderOf(later, [
    call("bash", { command: "cat a.txt; echo c > a.txt; cat a.txt" }),
    "Done.",
    "Done.",
  ]);
  expect(resultsOf(await again.run("Go.", { sessionId: "s1" }))).toEqual(["b\nc"]);
});

test("the copy has the history of a repository, without its hooks, remotes and configuration [workspace.copies]", async () => {
  const git = (folder: string, ...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: folder },
    });
  const { folder, ws } = await openProject(
    { "a.txt": "a\n", "built/kept.txt": "tracked\n", ".gitignore": "built/\n" },
    {},
    (at) => {
      git(at, "init", "--quiet", "--initial-branch=main");
      git(at, "add", "--all", "--force");
      git(at, "commit", "--quiet", "-m", "first words");
      git(at, "config", "remote.origin.url", "https://secret-token@example.com/");
      git(at, "config", "core.fsmonitor", "touch /never/run");
    },
  );
  const { coder } = coderOf(ws, [
    call("bash", {
      command:
        "git log --format=%s; cat built/kept.txt; git remote -v; git config --get core.fsmonitor; echo b >> a.txt; git diff --stat | tail -1; git commit -qam second; git log --oneline | wc -l",
    }),
    call("bash", { command: "mkdir gone; cd gone; rm -rf /workspace/gone" }),
    call("bash", { command: "pwd" }),
    "Done.",
    "Done.",
  ]);
  const results = resultsOf(await coder.run("Go."));
  expect(results[0]).toBe("first words\ntracked\nfalse\n 1 file changed, 1 insertion(+)\n2");
  expect(results[2]).toBe("/workspace");
  expect(await ws.copy().diff()).toMatch(/^diff --git a\/a\.txt b\/a\.txt\n[^]*\+b\n$/u);
  await ws.copy().apply();
  expect(git(folder, "log", "--format=%s").trim()).toBe("first words");
});

test("with hosts, a command counts as a writer and asks once something was read; the loopback network needs none [workspace.hosts]", async () => {
  const { ws } = await openProject({ "a.txt": "a\n" }, { hosts: ["packages.example"] });
  const { coder } = coderOf(ws, [
    call("read", { file_path: "a.txt" }),
    call("bash", { command: "curl https://packages.example" }),
    "Done.",
  ]);
  const asked = await coder.run("Go.");
  expect(asked.interruptions.map(({ question }) => question.title)).toEqual(["Run: curl https://packages.example"]);
});
