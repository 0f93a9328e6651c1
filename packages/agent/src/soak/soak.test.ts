import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { leaks, measure } from "./measure.test.helper.ts";

const program = fileURLToPath(new URL("./print-soak.test.helper.ts", import.meta.url));

test("runs with any ending leave no listener, handle or journal in memory [feature:X118]", async () => {
  // Runs in a separate process, where nothing else allocates objects. `pnpm test:soak` does the same for long, and
  // checks the heap too.
  const flags = ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning"];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    program,
    "--rounds",
    "6",
    "--bytes",
    "1e9",
  ]);
  expect(stdout).toContain("126 runs left nothing behind");
}, 120_000);

test("memory that grows with the runs is reported, and a pool's memory is not", async () => {
  const { signal } = new AbortController();
  const before = await measure(signal);
  const timers = Array.from({ length: 100 }, () => setInterval(() => undefined, 1e6));
  for (let run = 0; run < 100; run += 1) signal.addEventListener("abort", () => run);
  const after = await measure(signal);
  for (const timer of timers) clearInterval(timer);
  const found = leaks(before, after, 100).join();
  expect(found).toContain("100 listeners on the signal");
  expect(found).toContain("handles of the kind Timeout");
  const grown = { ...before, objects: { ...before.objects, Map: (before.objects["Map"] ?? 0) + 100 } };
  expect(leaks(before, grown, 100)).toEqual(["100 live objects of the kind Map in 100 runs"]);
  const pool = { ...before, handles: { ...before.handles, TCPSocketWrap: 2 } };
  expect(leaks(before, pool, 100)).toEqual([]);
});
