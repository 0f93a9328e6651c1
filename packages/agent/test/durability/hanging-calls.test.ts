import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const file = fileURLToPath(new URL("./hanging-calls.fixture.ts", import.meta.url));

test.each([
  ["tool", "timeout"],
  ["approver", "approval_denied"],
])(
  "a process in which only a hanging %s is left lives until its time-out, and ends then [run.process-held]",
  async (what, kind) => {
    const program = ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning", file, what];
    const { stdout } = await promisify(execFile)(process.execPath, program, { timeout: 240_000 });
    expect(stdout).toBe(`completed ${kind}\n`);
  },
);
