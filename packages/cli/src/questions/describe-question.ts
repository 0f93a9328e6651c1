import type { Interruption } from "@bailiwick/core";
import { questionView, type ViewCall, type QuestionView, type ViewValue } from "@bailiwick/core/questions";
import { oneLine, printable } from "../output/printable.ts";
import type { Terminal } from "../output/terminal.ts";
import { shownTime } from "../output/time.ts";

/** Maximum length of the form of an answer on one line. */
const mostSchema = 2_000;

/** Maximum length of a value on one line. */
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

/** Puts an open question into words for the person who decides it. */
export function describeQuestion(terminal: Terminal, open: Interruption): string {
  return describeBatch(terminal, [open]);
}

function describeBatch(terminal: Terminal, batch: readonly Interruption[]): string {
  const [first] = batch;
  const shown = questionView(batch);
  if (first === undefined || shown === undefined) return "";
  return [
    `${markOf(terminal, shown)}${terminal.paint("bold", oneLine(shown.title, 500))}`,
    ...(shown.reason === "" ? [] : [`  Why: ${oneLine(shown.reason, 700)}`]),
    ...(shown.request === undefined ? [] : [`  You asked: "${oneLine(shown.request, mostShown)}"`]),
    ...(batch.length === 1 ? singleLines(terminal, first, shown) : itemLines(terminal, batch, shown)),
  ].join("\n");
}

function singleLines(terminal: Terminal, open: Interruption, { level, calls }: QuestionView): readonly string[] {
  const args = open.question.values.length === 0 ? argumentLines(open.args) : [];
  return [
    ...args,
    ...calls.flatMap((call) => callLines(terminal, call)),
    ...cutLines(terminal, open, [...args, ...shownValues(calls)]),
    ...schemaLines(open),
    whereAndUntil(terminal, open),
    `  ${nextStep(open, level === "suspicious")}`,
  ];
}

function itemLines(terminal: Terminal, batch: readonly Interruption[], { calls }: QuestionView): readonly string[] {
  const [first] = batch;
  if (first === undefined) return [];
  return [
    ...batch.flatMap(({ id }, index) => {
      const call = calls[index];
      if (call === undefined) return [];
      return [
        `  ${index + 1}. ${terminal.paint("bold", oneLine(call.title, 500))}`,
        ...callLines(terminal, call).map((line) => `   ${line}`),
        terminal.paint("dim", `     alone: bailiwick inbox approve ${id}, or bailiwick inbox reject ${id}`),
      ];
    }),
    ...cutLines(terminal, first, shownValues(calls)),
    whereAndUntil(terminal, first),
    `  all ${batch.length}: bailiwick inbox approve ${first.id} --batch, or bailiwick inbox reject ${first.id} --batch`,
  ];
}

function callLines(terminal: Terminal, { values, facts, preview }: ViewCall): readonly string[] {
  return [
    ...values.map((value) => valueLine(terminal, value)),
    ...facts.map((fact) => `  ${terminal.paint("yellow", "!")} ${oneLine(fact, 500)}`),
    ...[preview?.text, preview?.diff].flatMap((block) =>
      block === undefined ? [] : block.split("\n").map(previewLine),
    ),
  ];
}

/** A line of a preview. The bar keeps it apart from the lines of the command. */
function previewLine(line: string): string {
  return `  | ${printable(line)}`;
}

function markOf(terminal: Terminal, { level, levelName }: QuestionView): string {
  if (level === "suspicious") return terminal.paint("red", `${levelName.toUpperCase()}  `);
  return level === "unusual" ? terminal.paint("yellow", `${levelName.toLowerCase()}  `) : "";
}

function whereAndUntil(terminal: Terminal, open: Interruption): string {
  const agents = open.agentPath.join(" > ") || open.agentName;
  return terminal.paint("dim", `  ${agents}, run ${open.runId}, until ${shownTime(open.expiresAt)} UTC`);
}

function valueLine(terminal: Terminal, { name, shown, trusted, source, quote }: ViewValue): string {
  const from = oneLine(source, mostShown);
  const quoted = quote === undefined ? "" : `: "${oneLine(quote, mostShown)}"`;
  return `  ${oneLine(name, 60)}: ${oneLine(shown, mostShown)}  (${trusted ? from : terminal.paint("yellow", from)}${quoted})`;
}
function argumentLines(args: unknown): readonly string[] {
  if (args === undefined) return [];
  const entries = typeof args === "object" && args !== null ? Object.entries(args) : [["arguments", args] as const];
  return entries.map(
    ([name, value]) =>
      `  ${oneLine(name, 60)}: ${oneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), mostShown)}`,
  );
}

const shownValues = (calls: readonly ViewCall[]): readonly string[] =>
  calls.flatMap(({ values }) => values.map(({ shown }) => shown));

/** Says how to read the arguments whole if one of them is cut. */
function cutLines(terminal: Terminal, { runId }: Interruption, shown: readonly string[]): readonly string[] {
  if (!shown.some((one) => one.endsWith("…"))) return [];
  const where = `bailiwick inbox list --run ${runId} --json`;
  return [`  ${terminal.paint("yellow", "!")} Only a part of a long value is shown. Read it whole: ${where}`];
}

function schemaLines({ answerJsonSchema }: Interruption): readonly string[] {
  return answerJsonSchema === undefined
    ? []
    : [`  The answer has the form ${oneLine(JSON.stringify(answerJsonSchema), mostSchema)}`];
}

function nextStep({ kind, id }: Interruption, isSuspicious: boolean): string {
  if (kind === "question" || kind === "client_tool") return `bailiwick inbox answer ${id} --value '…'`;
  if (kind === "unknown_outcome") return `bailiwick inbox settle ${id} happened | did-not-happen | give-up`;
  return `bailiwick inbox approve ${id}${isSuspicious ? " --yes-suspicious" : ""}, or bailiwick inbox reject ${id}`;
}
