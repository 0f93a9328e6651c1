// A process that runs calls in OS sandboxes: `sandboxing-host.fixture.ts <module> once` exits after the
// call, `… twice` prints the process ids inside its sandboxes and waits to be killed.
import { readdirSync, readFileSync } from "node:fs";
import { createSandbox } from "../create-sandbox.ts";

const [module = "", how] = process.argv.slice(2);
const sandbox = createSandbox();
const terms = {
  entry: { module: new URL(module), export: "run" },
  config: { tier: "os", timeout: 240_000 },
  trustClass: "skill-untrusted",
  saidBy: "source",
} as const;
const { moduleHash } = await sandbox.resolve({ ...terms, name: "t", policy: "os" });
const call = (): Promise<unknown> =>
  sandbox.execute({
    ...terms,
    moduleHash,
    input: {},
    signal: new AbortController().signal,
    timeoutMs: 0,
    context: {
      toolCallId: "c",
      toolName: "t",
      runId: "r",
      step: 1,
      attempt: 1,
      metadata: {},
      log: () => undefined,
      reportProgress: () => undefined,
      fetch,
      secretHeader: () => Promise.reject(new Error("none")),
    },
  });

/** All processes below one. */
function below(process: number): readonly number[] {
  const found: number[] = [process];
  for (const one of found) {
    for (const thread of readdirSync(`/proc/${one}/task`)) {
      const text = readFileSync(`/proc/${one}/task/${thread}/children`, "utf8");
      found.push(
        ...text
          .split(" ")
          .filter((part) => part !== "")
          .map(Number),
      );
    }
  }
  return found.slice(1);
}

if (how === "once") {
  console.log(await call());
} else {
  call().catch(() => undefined);
  // bubblewrap, the first process inside, and Node; of the sandbox in use and of the one that waits.
  const timer = setInterval(() => {
    try {
      const found = below(process.pid);
      if (found.length < 6) return;
      clearInterval(timer);
      console.log(JSON.stringify(found));
    } catch {
      // A process ended during the search.
    }
  }, 50);
}
