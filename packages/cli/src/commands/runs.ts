import { exportJournal, isEnded, type StoredRunState } from "@bailiwick/core";
import { defaultHasher } from "@bailiwick/core/extension";
import { mermaid, runGraph } from "@bailiwick/compose/graph";
import { storedRunStates } from "@bailiwick/core/store";
import { InvalidArgumentError, Option, type Command } from "commander";
import { CommandError } from "../command-error.ts";
import { requireAgent } from "../entry/target.ts";
import { exitCodes } from "../exit-codes.ts";
import { ownerFilter } from "../entry/owner.ts";
import { printableJson } from "../output/printable.ts";
import { askLine } from "../output/ask.ts";
import { writeGiven } from "../output/files.ts";
import { drive } from "../runs/drive.ts";
import { runRow } from "../runs/run-row.ts";
import { listedRuns, showRun } from "../runs/show-run.ts";
import { rawJournal, verifyFile } from "./verify-run.ts";
import { targetAction, withOwner, withTarget } from "./context.ts";
import { wholeNumber } from "./numbers.ts";

/** Adds `bailiwick runs`. */
export function addRunsCommands(program: Command): void {
  const runs = program.command("runs").description("look at stored runs, and act on them");

  withOwner(runs.command("list"))
    .description("list runs, newest first, without the runs inside calls of other runs")
    .addOption(new Option("--state <state>", "only runs in this state").choices(storedRunStates))
    .option("--agent <name>", "only runs of this agent")
    .option("--inside <run>", "only the runs inside the calls of this run")
    .option("--limit <count>", "most runs", wholeNumber, 50)
    .action(
      targetAction<{ state?: StoredRunState; agent?: string; inside?: string; limit: number }>(
        async ({ terminal, target, options }) => {
          const { state, agent: agentId, inside, limit } = options;
          const { tenantId, userId } = ownerFilter(options);
          const insideRunId = inside === undefined ? undefined : (await target.find(inside, options)).run.id;
          const states = state === undefined ? undefined : [state];
          const search = { tenantId, userId, states, agentId, insideRunId, limit };
          const found = await Promise.all(target.stores.map(async (store) => (await store.searchRuns(search)).runs));
          const rows = found
            .flat()
            .map(({ run }) => run)
            .toSorted((a, b) => b.createdAt - a.createdAt)
            .slice(0, limit)
            .map(runRow);
          terminal.result(rows, () => listedRuns(terminal, rows, options));
          return exitCodes.done.code;
        },
      ),
    );

  withTarget(runs.command("show <run>"))
    .description("show a run: its result, its questions, and its journal in words")
    .action(
      targetAction(async ({ terminal, target }, given = "") => {
        const { run, reader } = await target.find(given);
        const runId = run.id;
        await showRun(terminal, reader, runId);
        return exitCodes.done.code;
      }),
    );

  withTarget(runs.command("graph <run>"))
    .description("draw a run as a Mermaid flowchart: agents, models, calls, hand-overs and questions")
    .action(
      targetAction(async ({ terminal, target }, given = "") => {
        const { run, reader } = await target.find(given);
        const graph = await runGraph(reader, run.id);
        terminal.result(graph, () => mermaid(graph).trimEnd());
        return exitCodes.done.code;
      }),
    );

  withTarget(runs.command("resume <run>"))
    .description("drive a run in this process until it ends, waits or sleeps")
    .option("--former-is-gone", "take the run at once: you know that the process which drove it is dead")
    .action(
      targetAction<{ formerIsGone?: boolean }>(async ({ terminal, target, options }, given = "") => {
        const found = await target.find(given);
        return drive(terminal, requireAgent(found), found.run.id, [], { formerIsGone: options.formerIsGone });
      }),
    );

  withTarget(runs.command("cancel <run>"))
    .description("cancel a run, in any process that drives it")
    .option("--reason <text>", "kept in the journal")
    .action(
      targetAction<{ reason?: string }>(async ({ terminal, target, options }, given = "") => {
        const { run, reader, store } = await target.find(given);
        const runId = run.id;
        await reader.cancel(runId, options.reason);
        const state = (await store.getRun(runId))?.state ?? "cancelled";
        terminal.result({ runId, state }, () => {
          if (state === "cancelled") return `Run ${runId} is cancelled.`;
          if (isEnded(state)) return `Run ${runId} was not cancelled: it had ended as ${state} before.`;
          return `Run ${runId} will be cancelled by the process that drives it.`;
        });
        return exitCodes.done.code;
      }),
    );

  withTarget(runs.command("fork <run>"))
    .description("copy the beginning of a run into a new run")
    .option("--at <record>", "number of the last record to keep (default: all)", wholeNumber)
    .option("--message <text>", "message that the new run reads next")
    .option("--edit <message=text>", "new text of a message, by its id; may be given several times", editOf, {})
    .option("--resume", "drive the new run in this process")
    .action(
      targetAction<{ at?: number; message?: string; edit: Readonly<Record<string, string>>; resume?: boolean }>(
        async ({ terminal, target, options }, given = "") => {
          const found = await target.find(given);
          const runId = found.run.id;
          const messages = Object.keys(options.edit).length === 0 ? undefined : options.edit;
          const edit = { message: options.message, messages };
          const atSeq = options.at ?? found.run.head.seq;
          if (options.resume === true) requireAgent(found);
          const fork = await found.reader.fork(runId, { atSeq, edit });
          if (options.resume === true) return drive(terminal, requireAgent(found), fork.runId);
          terminal.result({ runId: fork.runId, forkOf: runId, atSeq }, () => fork.runId);
          return exitCodes.done.code;
        },
      ),
    );

  withTarget(runs.command("retry <run>"))
    .description("put a stuck or failed run back in the queue")
    .action(
      targetAction(async ({ terminal, target }, given = "") => {
        const { run, store } = await target.find(given);
        const runId = run.id;
        const { retryRun } = await import("@bailiwick/worker");
        await retryRun(store, runId);
        terminal.result({ runId, state: "queued" }, () => `Run ${runId} is in the queue again. A worker drives it.`);
        return exitCodes.done.code;
      }),
    );

  withTarget(runs.command("discard <run>"))
    .description("delete a run with its journal; this cannot be undone")
    .option("--yes", "delete without asking")
    .option("--force", "delete a run that a process drives")
    .action(
      targetAction<{ yes?: boolean; force?: boolean }>(async ({ terminal, target, options }, given = "") => {
        const { run, store } = await target.find(given);
        const runId = run.id;
        if (run.state === "running" && options.force !== true)
          throw refused(`Run "${runId}" is being driven. Cancel it first, or add --force.`);
        if (options.yes !== true) {
          const asked = `Delete run ${runId} of agent ${run.agentId} with its ${run.head.seq} records? Type "yes": `;
          if (!terminal.interactive || (await askLine(asked)) !== "yes")
            throw refused(`Run "${runId}" was not deleted. Add --yes to delete it without being asked.`);
        }
        await store.deleteRun(runId);
        terminal.result({ runId, deleted: true }, () => `Run ${runId} is deleted.`);
        return exitCodes.done.code;
      }),
    );

  withTarget(runs.command("export <run>"))
    .description("write a run's journal as JSON lines with a hash chain, signed with the agent's key")
    .option("--output <file>", "write to a file instead of standard output")
    .action(
      targetAction<{ output?: string }>(async ({ terminal, target, options }, given = "") => {
        const { run, reader, store } = await target.find(given);
        const runId = run.id;
        const signKey = reader.definition.options.keys?.sign;
        const text = exportJournal(runId, await rawJournal(store, reader, runId), {
          hasher: defaultHasher(),
          signKey,
        });
        if (options.output === undefined) process.stdout.write(process.stdout.isTTY ? printableJson(text) : text);
        else {
          await writeGiven(options.output, text);
          terminal.result(
            { runId, file: options.output, signed: signKey !== undefined },
            () => `Wrote ${options.output}.`,
          );
        }
        return exitCodes.done.code;
      }),
    );

  withTarget(runs.command("verify [run]"))
    .description("check a run's journal, or an exported file")
    .option("--file <path>", "check this export instead of a stored run")
    .action(verifyAction);
}

const verifyAction = verifyFile(
  targetAction(async ({ terminal, target }, given = "") => {
    const { run, reader } = await target.find(given);
    const runId = run.id;
    const verdict = await reader.verifyAudit(runId);
    terminal.result({ runId, ...verdict }, () =>
      verdict.verdict === "broken"
        ? `${terminal.paint("red", "broken")}  from record ${verdict.seq} on: ${verdict.reason}`
        : `${terminal.paint("green", verdict.verdict)}  ${verdict.records} records`,
    );
    return verdict.verdict === "broken" ? exitCodes.failed.code : exitCodes.done.code;
  }),
);

/** Adds one `--edit id=text` to those before it. */
function editOf(given: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const at = given.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Write the id of the message, an equals sign, and the new text.");
  return { ...before, [given.slice(0, at)]: given.slice(at + 1) };
}

function refused(message: string): CommandError {
  return new CommandError("CLI_CONFIRMATION", message, exitCodes.refused.code);
}
