// The worker template: its process is killed in the middle of a run, and another one finishes the run once.
import { join } from "node:path";
import { readJson } from "../lib/packed-packages.mjs";
import { runStep, startNode, until } from "../lib/processes.mjs";
import { refundScript } from "./refund-script.mjs";

let asked = 0;

/**
 * A model that lets the first request wait until the worker is gone.
 *
 * @type {typeof refundScript}
 */
export const script = (request) => {
  asked += 1;
  return asked === 1 ? { text: "Too late.", delayMs: 600_000 } : refundScript(request);
};

/** @param {import("./refund-script.mjs").TemplateProject} project */
export async function drive({ path, env }) {
  const { bin } = readJson(join(path, "node_modules/bailiwick/package.json"));
  const bailiwick = join(path, "node_modules/bailiwick", bin.bailiwick);
  /** @param {readonly string[]} args */
  const command = async (args) =>
    JSON.parse(
      await runStep(`bailiwick ${args.join(" ")}`, process.execPath, [bailiwick, ...args, "--json"], path, env),
    );

  const enqueued = await runStep(
    "npm run enqueue",
    "npm",
    ["run", "--silent", "enqueue", "--", "Refund order 1042"],
    path,
    env,
  );
  const run = enqueued.trim();
  const first = startNode([bailiwick, "worker"], path, env);
  await until("the worker asks the model", () => (asked > 0 ? true : undefined));
  await first.kill();

  const second = startNode([bailiwick, "runs", "resume", run, "--former-is-gone"], path, env);
  await second.printed(/waits for 1 decision/);
  await second.kill();
  const [question] = await command(["inbox", "list"]);
  const approved = await command(["inbox", "approve", question.id]);
  if (approved.status !== "completed" || approved.text !== "Your money is on its way.")
    throw new Error(`The approved run ended as ${JSON.stringify(approved)}.`);
}
