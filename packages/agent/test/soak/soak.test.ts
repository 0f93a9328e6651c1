import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { leaks, type Measure } from "./measure.test.helper.ts";

const soak = new URL("./print-soak.test.helper.ts", import.meta.url);
const growth = new URL("./print-growth.test.helper.ts", import.meta.url);

/** Runs a program in a separate process, where nothing else allocates objects; returns what it prints. */
async function printed(program: URL, ...args: readonly string[]): Promise<string> {
  const flags = ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning"];
  return (await promisify(execFile)(process.execPath, [...flags, fileURLToPath(program), ...args])).stdout;
}

test("runs with any ending leave no listener, handle or journal in memory [feature:X118]", async () => {
  // `pnpm test:soak` does the same for long, and checks the heap too.
  const stdout = await printed(soak, "--rounds", "6", "--bytes", "1e9");
  expect(stdout).toContain("126 runs left nothing behind");
});

test("memory that grows with the runs is reported, and a pool's memory is not", async () => {
  const stdout = await printed(growth);
  const { before, after } = JSON.parse(stdout) as { readonly before: Measure; readonly after: Measure };
  const found = leaks(before, after, 100).join();
  expect(found).toContain("100 listeners on the signal");
  expect(found).toContain("handles of the kind Timeout");
  const grown = { ...before, objects: { ...before.objects, Map: (before.objects["Map"] ?? 0) + 100 } };
  expect(leaks(before, grown, 100)).toEqual(["100 live objects of the kind Map in 100 runs"]);
  const pool = { ...before, handles: { ...before.handles, TCPSocketWrap: 2 } };
  expect(leaks(before, pool, 100)).toEqual([]);
});
