import { Agent } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import { workspace } from "@bailiwick/workspace";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { skills } from "./index.ts";
import { named, skillFile, skillWorld } from "./skill-folder.fixture.ts";

test("a script of a skill runs in the workspace, from files that no command can change, and its output is untrusted [skills.kept]", async () => {
  using world = skillWorld();
  world.write("count/SKILL.md", skillFile(named("count"), "Run scripts/count.sh.\n"));
  world.write("count/scripts/count.sh", "#!/bin/sh\necho one two | wc -w\n", 0o755);
  const project = join(world.state, "..", "work");
  mkdirSync(project);
  await using ws = await workspace(project);
  const all = await skills(world.skills, { origin: "own", workspace: ws });
  const model = scriptedModel([
    { toolCalls: [{ name: "skill", arguments: { name: "count" } }] },
    { toolCalls: [{ name: "bash", arguments: { command: "/skills/count/scripts/count.sh" } }] },
    { toolCalls: [{ name: "bash", arguments: { command: "echo x >> /skills/count/SKILL.md || echo refused" } }] },
    "Done.",
  ]);
  const coder = new Agent({ name: "coder", model, extensions: [ws.extension, all] });
  const { status, toolCalls } = await coder.run("Count.");
  expect(status).toBe("completed");
  expect(String(toolCalls[1]?.output)).toMatch(/\b2\b/u);
  expect(String(toolCalls[2]?.output)).toContain("refused");
});
