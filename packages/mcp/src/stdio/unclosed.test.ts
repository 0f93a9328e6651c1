import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("a process that does not close its stdio server ends by itself [mcp.stdio-lets-go]", async () => {
  const fixture = fileURLToPath(new URL("unclosed.fixture.ts", import.meta.url));
  const args = ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning", fixture];
  // If the time limit killed it, it would reject.
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 240_000 });
  expect(stdout.trim()).toBe("listed");
});
