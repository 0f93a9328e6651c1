import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { root } from "./lib/project.mjs";

test("the guide of the command line has the commands, options and exit codes of the code", () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--conditions=@bailiwick/source", "scripts/command-page.mjs"],
    { cwd: root, encoding: "utf8" },
  );
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
