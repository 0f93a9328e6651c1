import type { Interruption, QuestionValue } from "@bailiwick/core";
import { oneLine, printable } from "../output/printable.ts";
import type { Terminal } from "../output/terminal.ts";
import { shownTime } from "../output/time.ts";

/** Longest value on one line. */
const mostShown = 300;

/** Puts open questions into words, those of one batch as one text. */
export function describeQuestions(terminal: Terminal, open: readonly Interruption[]): string {
  const batches = new Map<string, Interruption[]>();
  for (const one of open) {
    const batch = one.batch ?? one.id;
    batches.set(batch, [...(batches.get(batch) ?? []), one]);
  }
  return [...batches.values()].map((batch) => describeBatch(terminal, batch)).join("\n\n");
}

function describeBatch(terminal: Terminal, batch: readonly Interruption[]): string {
  const [first] = batch;
  if (first === undefined) return "";
  if (batch.length === 1) return describeQuestion(terminal, first);
  const { question } = first;
  const title = `${batch.length} calls of ${oneLine(first.toolName, 60)}, which differ only in their values`;
  return [
    `${markOf(terminal, first)}${terminal.paint("bold", title)}`,
    ...(question.reason === "" ? [] : [`  Why: ${oneLine(question.reason, 700)}`]),
    ...(question.request === undefined ? [] : [`  You asked: "${oneLine(question.request, mostShown)}"`]),
    ...batch.flatMap((one, index) => [
      `  ${index + 1}. ${terminal.paint("bold", oneLine(one.question.title, 500))}`,
      ...one.question.values
        .toSorted((a, b) => Number(b.decides) - Number(a.decides))
        .flatMap((value) => valueLines(terminal, value).map((line) => `   ${line}`)),
      ...one.question.unusual.map(({ text }) => `     ${terminal.paint("yellow", "!")} ${oneLine(text, 500)}`),
      terminal.paint("dim", `     alone: bailiwick inbox approve ${one.id}, or bailiwick inbox reject ${one.id}`),
    ]),
    whereAndUntil(terminal, first),
    `  all ${batch.length}: bailiwick inbox approve ${first.id} --batch, or bailiwick inbox reject ${first.id} --batch`,
  ].join("\n");
}

function markOf(terminal: Terminal, { question }: Interruption): string {
  if (question?.level === "suspicious") return terminal.paint("red", "SUSPICIOUS  ");
  return question?.level === "unusual" ? terminal.paint("yellow", "unusual  ") : "";
}

function whereAndUntil(terminal: Terminal, open: Interruption): string {
  const agents = open.agentPath.join(" > ") || open.agentName;
  return terminal.paint("dim", `  ${agents}, run ${open.runId}, until ${shownTime(open.expiresAt)} UTC`);
}

/** Puts an open question into words for the person who decides it. */
export function describeQuestion(terminal: Terminal, open: Interruption): string {
  const { question } = open;
  const lines = [
    `${markOf(terminal, open)}${terminal.paint("bold", oneLine(question?.title ?? defaultTitle(open), 500))}`,
    ...(question?.reason ? [`  Why: ${oneLine(question.reason, 700)}`] : []),
    ...(question?.request === undefined ? [] : [`  You asked: "${oneLine(question.request, mostShown)}"`]),
    ...(question?.values ?? []).filter(({ decides }) => decides).flatMap((value) => valueLines(terminal, value)),
    ...(question?.values ?? []).filter(({ decides }) => !decides).flatMap((value) => valueLines(terminal, value)),
    ...(question === undefined || question.values.length === 0 ? argumentLines(open.args) : []),
    ...(question?.unusual ?? []).map(({ text }) => `  ${terminal.paint("yellow", "!")} ${oneLine(text, 500)}`),
    ...schemaLines(open),
    whereAndUntil(terminal, open),
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

function suspiciousOption({ question }: Interruption): string {
  return question?.level === "suspicious" ? " --yes-suspicious" : "";
}

function nextStep(open: Interruption): string {
  const { kind, id } = open;
  if (kind === "question" || kind === "client_tool") return `bailiwick inbox answer ${id} --value '…'`;
  if (kind === "unknown_outcome") return `bailiwick inbox settle ${id} happened | did-not-happen | give-up`;
  return `bailiwick inbox approve ${id}${suspiciousOption(open)}, or bailiwick inbox reject ${id}`;
}
