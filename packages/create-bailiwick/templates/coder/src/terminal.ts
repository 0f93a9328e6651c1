import { styleText } from "node:util";
import type { Agent, Interruption, RunOutput, TokenHandlers } from "@bailiwick/agent";
import type { Workspace } from "@bailiwick/workspace";
import { colouredDiff, plain } from "./show-diff.ts";

/** The terminal, or a test in its place. */
export interface Terminal {
  write(text: string): void;
  /** Asks for a line; `undefined` at the end of the input. */
  ask(prompt: string): Promise<string | undefined>;
}

/** A conversation with the agent. */
export interface Conversation {
  readonly coder: Agent;
  readonly ws: Workspace;
  readonly terminal: Terminal;
  readonly sessionId: string;
  /** A stored run that waits for an answer. */
  readonly waiting?: string | undefined;
}

/** Talks until the input ends. */
export async function talk(given: Conversation): Promise<void> {
  const { terminal, waiting } = given;
  if (waiting !== undefined) await settle(given, await given.coder.resume(waiting));
  for (;;) {
    const line = (await terminal.ask("\n> "))?.trim();
    if (line === undefined || line === "/quit") return;
    if (line === "") continue;
    try {
      await (line.startsWith("/") ? command(given, line) : work(given, line));
    } catch (error) {
      terminal.write(`${styleText("red", plain(error instanceof Error ? error.message : String(error)))}\n`);
    }
  }
}

async function command({ ws, terminal, sessionId }: Conversation, line: string): Promise<void> {
  if (line === "/diff") {
    const diff = await ws.copy(sessionId).diff();
    terminal.write(diff === "" ? "No changes.\n" : colouredDiff(diff));
  } else if (line === "/undo") {
    await ws.copy(sessionId).undo();
    terminal.write("The files are as they were before the last changes.\n");
  } else terminal.write("/diff shows the changes, /undo writes the files back, /quit ends.\n");
}

/** Runs the agent on a request. */
async function work(given: Conversation, request: string): Promise<void> {
  const { coder, terminal, sessionId } = given;
  await settle(given, await coder.run(request, { sessionId, onToken: shownBy(terminal) }));
}

/** Shows the answer and the calls while they happen. */
function shownBy(terminal: Terminal): TokenHandlers {
  return {
    onTextDelta: (_agent, { content }) => terminal.write(plain(content ?? "")),
    onToolExecutionStart: (_agent, { toolName }) => terminal.write(styleText("dim", `\n· ${plain(toolName ?? "")}\n`)),
  };
}

/** Asks about each question of a run until it ends. */
async function settle({ coder, terminal }: Conversation, first: RunOutput): Promise<void> {
  let output = first;
  while (output.status === "suspended" && output.interruptions.length > 0) {
    const decisions = [];
    for (const one of output.interruptions) {
      const refused = await refusal(terminal, one);
      decisions.push(refused === undefined ? one.approve() : one.reject(refused));
    }
    output = await coder.resume(output.runId, decisions, { onToken: shownBy(terminal) });
  }
  terminal.write("\n");
}

/**
 * Shows a question, with the facts that an eye may miss first.
 *
 * @returns The reason of a no; `undefined` for a yes.
 */
async function refusal(terminal: Terminal, { question }: Interruption): Promise<string | undefined> {
  const { title, unusual, preview } = question;
  terminal.write(`\n${styleText("bold", plain(title))}\n`);
  for (const { text } of unusual) terminal.write(`${styleText("yellow", `! ${plain(text)}`)}\n`);
  if (preview?.diff !== undefined) terminal.write(`${colouredDiff(preview.diff)}\n`);
  else if (preview?.text !== undefined) terminal.write(`${plain(preview.text)}\n`);
  if ((preview?.linesLeftOut ?? 0) > 0) {
    // A yes to a diff that is not shown as a whole would be a yes to anything.
    terminal.write(`${preview?.linesLeftOut} lines are not shown, so it is not written.\n`);
    return "The diff is too long to be shown in one question. Make smaller changes, and apply them one after the other.";
  }
  const answer = await terminal.ask("Write these changes? (y/n) ");
  return answer?.trim().toLowerCase() === "y" ? undefined : "The user does not want these changes.";
}
