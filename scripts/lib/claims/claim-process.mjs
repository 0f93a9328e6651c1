import { fork } from "node:child_process";

/** Milliseconds without an answer after which a process counts as hanging. */
const patience = 120_000;

/**
 * Starts a process that runs tests against breaks.
 *
 * @returns {Promise<{ ask: (message: object, wait?: number) => Promise<any>, stop: () => void, isOver: () => boolean }>} `ask` resolves to `undefined` when the process hangs.
 */
export async function startClaimProcess() {
  const child = fork(new URL("claim-worker.mjs", import.meta.url), {
    execArgv: ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning", "--no-warnings"],
    env: { ...process.env, NODE_ENV: "test", VITEST: "true" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let said = "";
  child.stderr?.on("data", (chunk) => (said = (said + String(chunk)).slice(-2000)));
  /** @type {(send: object | undefined, wait: number) => Promise<any>} */
  const answer = (send, wait) =>
    new Promise((resolve) => {
      const settle = (/** @type {unknown} */ value) => {
        clearTimeout(timer);
        child.off("message", settle);
        child.off("exit", onExit);
        resolve(value);
      };
      const onExit = () => settle({ error: `The process ended: ${said}` });
      const timer = setTimeout(() => settle(undefined), wait);
      child.on("message", settle);
      child.on("exit", onExit);
      if (child.exitCode !== null || child.signalCode !== null) onExit();
      else if (send !== undefined) child.send(send);
    });
  await answer(undefined, patience);
  return {
    ask: (message, wait = patience) => answer(message, wait),
    isOver: () => child.exitCode !== null || child.signalCode !== null,
    stop: () => void child.kill("SIGKILL"),
  };
}
