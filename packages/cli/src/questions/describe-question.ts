import type { Interruption, QuestionValue } from "@bailiwick/core";
import { oneLine, printable } from "../output/printable.ts";
import type { Terminal } from "../output/terminal.ts";
import { shownTime } from "../output/time.ts";

/** Longest value on one line. */
const mostShown = 300;

/** Puts an open question into words for the person who decides it. */
export function describeQuestion(terminal: Terminal, open: Interruption): string {
  const { question } = open;
  const level = question?.level ?? "normal";
  const mark =
    level === "suspicious"
      ? terminal.paint("red", "SUSPICIOUS  ")
      : level === "unusual"
        ? terminal.paint("yellow", "unusual  ")
        : "";
  const lines = [
    `${mark}${terminal.paint("bold", oneLine(question?.title ?? defaultTitle(open), 500))}`,
    ...(question?.reason ? [`  Why: ${oneLine(question.reason, 700)}`] : []),
    ...(question?.request === undefined ? [] : [`  You asked: "${oneLine(question.request, mostShown)}"`]),
    ...(question?.values ?? []).filter(({ decides }) => decides).flatMap((value) => valueLines(terminal, value)),
    ...(question?.values ?? []).filter(({ decides }) => !decides).flatMap((value) => valueLines(terminal, value)),
    ...(question === undefined || question.values.length === 0 ? argumentLines(open.args) : []),
    ...(question?.unusual ?? []).map(({ text }) => `  ${terminal.paint("yellow", "!")} ${oneLine(text, 500)}`),
    ...schemaLines(open),
    terminal.paint(
      "dim",
      `  ${open.agentPath.join(" > ") || open.agentName}, run ${open.runId}, until ${shownTime(open.expiresAt)} UTC`,
    ),
    `  ${nextStep(open)}`,
  ];
  return lines.join("\n");
}

function defaultTitle({ kind, agentName, toolName }: Interruption): string {
  if (kind === "client_tool") return `A client has to run ${toolName} for agent ${agentName}.`;
  if (kind === "question") return `The tool ${toolName} of agent ${agentName} has a question.`;
  if (kind === "unknown_outcome") return `It is not known if ${toolName} took effect before the process ended.`;
  return `Agent ${agentName} wants to call ${toolName}.`;
}

function valueLines(terminal: Terminal, { name, shown, origin }: QuestionValue): readonly string[] {
  const source = origin.trusted ? origin.text : terminal.paint("yellow", origin.text);
  const quote = origin.quote === undefined ? "" : `: "${oneLine(origin.quote, mostShown)}"`;
  const author = origin.author === undefined ? "" : ` by ${oneLine(origin.author, 80)}`;
  return [`  ${oneLine(name, 60)}: ${oneLine(shown, mostShown)}  (${printable(source)}${author}${quote})`];
}

function argumentLines(args: unknown): readonly string[] {
  if (args === undefined) return [];
  const entries = typeof args === "object" && args !== null ? Object.entries(args) : [["arguments", args] as const];
  return entries.map(
    ([name, value]) =>
      `  ${oneLine(name, 60)}: ${oneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), mostShown)}`,
  );
}

function schemaLines({ answerJsonSchema }: Interruption): readonly string[] {
  return answerJsonSchema === undefined ? [] : [`  The answer has the form ${JSON.stringify(answerJsonSchema)}`];
}

function nextStep({ kind, id, question }: Interruption): string {
  if (kind === "question" || kind === "client_tool") return `bailiwick inbox answer ${id} --value '…'`;
  if (kind === "unknown_outcome") return `bailiwick inbox settle ${id} happened | did-not-happen | give-up`;
  const suspicious = question?.level === "suspicious" ? " --yes-suspicious" : "";
  return `bailiwick inbox approve ${id}${suspicious}, or bailiwick inbox reject ${id}`;
}
