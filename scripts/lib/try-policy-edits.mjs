import { fork } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { functionAround } from "./instrument-source.mjs";
import { mutantsOf } from "./mutants.mjs";

/**
 * An edit of a file. Only tests that call the function `within` can notice it; every test can where it is not named.
 *
 * @typedef {{ name: string, within?: string | undefined } & Omit<import("./mutants.mjs").Mutant, "at">} Edit
 */

/**
 * The verdict on an edit: the test that noticed it and what it said, or neither when it survived.
 *
 * @typedef {{ edit: Edit, noticedBy?: string | undefined, failure?: string | undefined }} Verdict
 */

const source = fileURLToPath(new URL("../../packages/security/src/", import.meta.url));
/** Files that only put decisions into words or connect modules: edits there change no decision. */
const worded = new Set([
  "explain.ts",
  "explain-tools.ts",
  "question.ts",
  "call-view.ts",
  "preflight.ts",
  "findings.ts",
  "flow-errors.ts",
  "flow-port.ts",
]);
/**
 * Milliseconds without an answer after which an edit hangs, or four times what the tests take here and now. That counts
 * as noticed: a test run would not pass.
 */
const leastPatience = 20_000;

/**
 * Every edit of the policy's files.
 *
 * @param {readonly string[]} [parts] - Only of files whose name has one of these in it. Default: all.
 * @returns {Edit[]}
 */
export function policyEdits(parts = []) {
  const isWanted = (/** @type {string} */ name) => parts.length === 0 || parts.some((part) => name.includes(part));
  return filesOf("flow")
    .filter((name) => !name.includes(".test.") && !worded.has(name.slice("flow/".length)) && isWanted(name))
    .flatMap((name) => {
      const text = readFileSync(source + name, "utf8");
      const around = functionAround(text, name);
      return mutantsOf(text).map(({ at, ...mutant }) => ({ name, within: around(at), ...mutant }));
    });
}

/** @type {(folder: string) => string[]} */
function filesOf(folder) {
  return readdirSync(source + folder)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`);
}

/**
 * Runs the policy's tests against edits.
 *
 * @param {readonly Edit[]} edits
 * @param {object} [options]
 * @param {(verdict: Verdict) => void} [options.onVerdict]
 * @param {number} [options.workers] - Processes; default: one a core.
 * @param {boolean} [options.onlyPassing] - Leaves out tests that fail without an edit. Default: they are an error.
 * @returns {Promise<Verdict[]>}
 */
export async function tryEdits(edits, options = {}) {
  const { onVerdict = () => undefined, workers = availableParallelism(), onlyPassing = false } = options;
  /** @type {Verdict[]} */
  const verdicts = [];
  const files = filesOf("flow").filter((name) => name.endsWith(".test.ts"));
  // A process stays with a file as long as possible, because the test that noticed one edit usually notices the next.
  const share = Math.ceil(edits.length / Math.max(1, workers));
  const shares = Array.from({ length: workers }, (_, index) => edits.slice(index * share, (index + 1) * share));
  // The first process runs the tests without an edit; the others start with what it found.
  const first = edits.length > 0 ? await startWorker(files, onlyPassing) : undefined;
  await Promise.all(
    shares.map(async (mine, index) => {
      let worker = index === 0 ? first : undefined;
      try {
        for (const edit of mine) {
          worker ??= await startWorker(files, onlyPassing, first);
          const answer = await worker.ask({ name: edit.name, text: edit.text, within: edit.within });
          if (answer === undefined) {
            worker.stop();
            worker = undefined;
          }
          const verdict =
            answer === undefined ? { edit, noticedBy: "the run", failure: "it hangs" } : { edit, ...answer };
          verdicts.push(verdict);
          onVerdict(verdict);
        }
      } finally {
        worker?.stop();
      }
    }),
  );
  return verdicts;
}

/**
 * A process that tries edits. `first` is one that has run the tests already.
 *
 * @typedef {{ ask: (message: object) => Promise<any>, stop: () => void, tested: object, patience: number }} Worker
 *
 * @param {readonly string[]} files
 * @param {boolean} onlyPassing
 * @param {Pick<Worker, "tested" | "patience">} [first]
 * @returns {Promise<Worker>}
 */
async function startWorker(files, onlyPassing, first) {
  const child = fork(new URL("policy-mutant-worker.mjs", import.meta.url), {
    execArgv: ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning"],
    env: { ...process.env, BAILIWICK_MUTANT: "1" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let said = "";
  child.stderr?.on("data", (chunk) => (said = (said + String(chunk)).slice(-2000)));
  /** @type {(message: object, patience?: number) => Promise<any>} */
  const ask = (message, patience = 900_000) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => settle(() => resolve(undefined)), patience);
      const onMessage = (/** @type {any} */ answer) =>
        settle(() => (answer.error === undefined ? resolve(answer) : reject(new Error(answer.error))));
      const onExit = () => settle(() => reject(new Error(`A process that tries edits ended: ${said}`)));
      const settle = (/** @type {() => void} */ then) => {
        clearTimeout(timer);
        child.off("message", onMessage);
        child.off("exit", onExit);
        then();
      };
      child.on("message", onMessage);
      child.on("exit", onExit);
      child.send(message);
    });
  const started = performance.now();
  const { failures, tested } = (await ask({ files, tested: first?.tested })) ?? { failures: ["The tests hang."] };
  if (failures.length > 0 && !onlyPassing) {
    child.kill("SIGKILL");
    throw new Error(
      `The policy's tests fail without an edit. Mend them first (pnpm exec vitest run --project security src/flow):\n${failures.join("\n")}`,
    );
  }
  const patience = first?.patience ?? Math.max(leastPatience, 4 * (performance.now() - started));
  return { ask: (message) => ask(message, patience), stop: () => void child.kill("SIGKILL"), tested, patience };
}
