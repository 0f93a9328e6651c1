import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CommandFolder, deskEntry } from "./command.fixture.ts";

const declare = (folder: CommandFolder, ...more: readonly string[]): readonly string[] => [
  "declare",
  "--entry",
  deskEntry,
  "--file",
  join(folder.path, "declarations.ts"),
  ...more,
];

test("declare --yes writes a file that --check accepts until a tool has no entry, or another one", async () => {
  await using folder = new CommandFolder();
  const file = join(folder.path, "declarations.ts");
  const missing = await folder.run(declare(folder, "--check"));
  expect(missing.exitCode).toBe(1);
  expect(missing.stdout).toContain('The tool "read_mail" leaves its effect or its output undeclared.');

  const written = await folder.run(declare(folder, "--yes"));
  expect(written.exitCode, written.stderr).toBe(0);
  const text = readFileSync(file, "utf8");
  expect(text).toContain("export const declarations: Declarations = {");
  expect(text).not.toContain("verified");
  expect((await folder.run(declare(folder, "--check"))).exitCode).toBe(0);

  writeFileSync(file, text.replaceAll("read_mail:", "read_letter:").replace(/definition: "\w/u, 'definition: "x'));
  const changed = await folder.run(declare(folder, "--check", "--json"));
  expect(changed.exitCode).toBe(1);
  const problems = JSON.parse(changed.stdout) as readonly { readonly tool: string; readonly problem: string }[];
  expect(problems.map(({ problem }) => problem).toSorted()).toEqual(["changed", "gone", "missing"]);

  writeFileSync(file, "export const other = {};");
  expect(await folder.run(declare(folder, "--check", "--json"))).toMatchObject({ errorCode: "CLI_CONFIG" });
});

test("declare --write asks at the terminal who writes the results of a tool that reads, and for some fields about each one", async () => {
  await using folder = new CommandFolder();
  await (
    await folder.startRun("read the mail")
  ).result;
  const running = folder.startAtTerminal(declare(folder, "--write"));
  const first = await running.printed("Can someone outside write what read_mail returns?");
  expect(first).not.toContain("outside your team");
  running.child.stdin?.write("some\n");
  await running.printed('Can people outside your team write "from" of the results of read_mail?');
  running.child.stdin?.write("no\n");
  const all = await running.printed('write "text" of the results of read_mail?');
  expect(all).toContain("mallory@example.com");
  running.child.stdin?.write("\n");
  await running.printed("Wrote ");
  expect(readFileSync(join(folder.path, "declarations.ts"), "utf8").replaceAll(/\s+/gu, " ")).toContain(
    'fields: { from: { integrity: "verified" } }',
  );
});

test("declare without a flag writes nothing", async () => {
  await using folder = new CommandFolder();
  expect((await folder.run(declare(folder))).exitCode).toBe(1);
  expect(existsSync(join(folder.path, "declarations.ts"))).toBe(false);
});
