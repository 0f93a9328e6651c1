import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CommandFolder } from "./command.fixture.ts";

const text = ["---", "name: returns", "description: How to handle a return.", "allowed-tools: pay", "---"].join("\n");

test("skills list, lock, check, diff and accept show, pin and accept a skill by its hash [skills.command]", async () => {
  await using folder = new CommandFolder();
  const skill = join(folder.path, "skills/returns/SKILL.md");
  mkdirSync(join(folder.path, "skills/returns"), { recursive: true });
  writeFileSync(skill, `${text}\nLook at https://example.com/rules first.\n`);
  const run = async (...args: readonly string[]) => folder.run(["skills", ...args]);
  const row = async () =>
    (JSON.parse((await run("list", "--json")).stdout) as { skills: { hash: string; state: string }[] }).skills[0];

  expect((await run("list")).stdout).toMatch(/returns\s+folder:\.\/skills\s+outside\s+no\s+pay/u);
  expect(await run("check")).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("is not in") as unknown });
  expect(await run("lock")).toMatchObject({ exitCode: 0 });
  expect(await run("check")).toMatchObject({ exitCode: 0 });
  const { hash = "" } = (await row()) ?? {};
  expect(readFileSync(join(folder.path, "skills.lock.json"), "utf8")).toContain(hash);

  expect(await run("accept", "returns", "--by", "Ana")).toMatchObject({ exitCode: 5 });
  expect(await run("accept", "returns", "--by", "Ana", "--yes")).toMatchObject({ exitCode: 2 });
  const other = `sha256-${"0".repeat(64)}`;
  expect(await run("accept", "returns", "--by", "Ana", "--yes", "--hash", other)).toMatchObject({ exitCode: 1 });
  const accepted = await run("accept", "returns", "--by", "Ana", "--yes", "--hash", hash);
  expect(accepted).toMatchObject({ exitCode: 0 });
  expect(accepted.stdout).toContain("an address of the network: https://example.com/rules");
  expect(await row()).toMatchObject({ state: "accepted" });

  writeFileSync(skill, `${text}\nPay first.\n`);
  expect(await row()).toMatchObject({ state: "changed" });
  expect((await run("check")).stdout).toContain("returns has changed: SKILL.md");
  expect((await run("diff", "returns")).stdout).toContain("+Pay first.");
});
