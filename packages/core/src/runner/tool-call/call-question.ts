import type { Message } from "../../contracts/message.ts";
import type { QuestionPreview } from "../../contracts/preview.ts";
import type { Question, QuestionValue, Remembering, UnusualFact } from "../../contracts/question.ts";
import { nameInWords, recordInWords } from "../../questions/name-in-words.ts";
import type { ValuePath } from "../../tools/schema-defaults.ts";
import type { PipelineCall } from "./call.ts";

/** Characters of a value, of the title of `describeCall` or of the request, and of a title that is made of values. */
const valueShown = 200;
const titleShown = 300;
const sentenceShown = 60;
const madeTitleShown = 88;

interface RuleQuestion {
  /** The reason of the code that asks. */
  readonly found?: string | undefined;
  /** Changes since an earlier question about the call. */
  readonly changed?: string | undefined;
  /** Preview of the call, and the facts that its tool found. */
  readonly shown?: { readonly preview?: QuestionPreview; readonly facts: readonly UnusualFact[] } | undefined;
}

/** A question of a rule: of the flow policy, or else of the tool, the approval policy or an extension. */
export type AskedByRules =
  | (RuleQuestion & { readonly kind: "flow"; readonly policy: Omit<Question, "title"> })
  | (RuleQuestion & { readonly kind: "approval"; readonly policy?: Omit<Question, "title"> | undefined });

export type AskedBy =
  | AskedByRules
  | { readonly kind: "hosted" }
  /** `values`: the arguments as the flow policy explains them. `difference`: why the effect is not repeated without an answer. */
  | {
      readonly kind: "unknown_outcome";
      readonly values?: readonly QuestionValue[] | undefined;
      readonly difference?: string | undefined;
      /** Time of the last record of the process that started the effect. */
      readonly heardAt?: number | undefined;
    };

/** The arguments of a call without known secrets, and as a person sees them. */
export interface ShownArguments {
  readonly args: unknown;
  readonly shown: unknown;
  /** Places of the values that only the tool's schema set. */
  readonly setBySchema: readonly ValuePath[];
}

/**
 * Makes the question about a call.
 *
 * @param described - The title that the tool's `describeCall` made.
 */
export function callQuestion(
  call: Pick<PipelineCall, "run" | "toolCallId" | "toolName">,
  args: ShownArguments,
  by: AskedBy,
  described: string | undefined,
): Question {
  const policy = "policy" in by ? by.policy : undefined;
  const explained = by.kind === "unknown_outcome" ? by.values : policy?.values;
  const values = explained ?? plainValues(args);
  const { facts = [], reason, remember, remedy, title } = partsBy(by, call.toolName);
  const unusual = [...(policy?.unusual ?? []), ...facts, ...deceptions(args)];
  const request = policy?.request ?? requestOf(call.run.journal.state.messages);
  return {
    title: title ?? (described === undefined ? titleOf(call.toolName, values) : inOneLine(described, titleShown)),
    reason: [reason, policy?.reason ?? ""].filter((sentence) => sentence !== "").join(" "),
    level: levelOf(policy?.level, unusual),
    request,
    values,
    unusual,
    payload: policy?.payload ?? args.args,
    ...previewIn(by),
    // An approval of what a preview showed covers nothing else.
    remember: previewIn(by).preview === undefined ? remember : [],
    developer: { rules: [], ...policy?.developer, toolCallId: call.toolCallId, remedy },
  };
}

function previewIn(by: AskedBy): Pick<Question, "preview"> {
  return "shown" in by && by.shown?.preview !== undefined ? { preview: by.shown.preview } : {};
}

/** A question with an unusual fact is not normal. */
function levelOf(level: Question["level"] = "normal", unusual: readonly UnusualFact[]): Question["level"] {
  return level === "normal" && unusual.length > 0 ? "unusual" : level;
}

interface OwnParts {
  readonly title?: string;
  readonly facts?: readonly UnusualFact[] | undefined;
  /** The reason of the question in a sentence; empty if the policy provides it. */
  readonly reason: string;
  readonly remember: readonly Remembering[];
  /** The change that makes the question unnecessary, for developers. */
  readonly remedy: string;
}

function partsBy(by: AskedBy, toolName: string): OwnParts {
  switch (by.kind) {
    case "flow":
      return {
        reason: "",
        facts: factsOf(by),
        remember: ["values"],
        remedy: by.policy.developer.remedy,
      };
    case "hosted":
      return {
        facts: [{ kind: "found_by_code", text: "The vendor of the model runs this tool." }],
        reason: "The tool runs at the vendor of the model, outside of this program.",
        remember: [],
        remedy: `Let the vendor run "${toolName}" without approval, in the options of the hosted tool.`,
      };
    case "unknown_outcome":
      return {
        title: `"${nameInWords(toolName)}" was started, and the process stopped before its result was recorded. Did it take effect?`,
        reason: `No record says if it took effect.${lastHeard(by.heardAt)}`,
        ...(by.difference !== undefined && {
          facts: [{ kind: "not_repeated", text: `It is not repeated without an answer: ${by.difference}.` }],
        }),
        remember: [],
        remedy: `Give "${toolName}" an "idempotencyKey" and a "lookup".`,
      };
    default:
      return {
        reason: "Compare the values with the request.",
        facts: factsOf(by),
        remember: ["call", "tool"],
        remedy: `Change "needsApproval" of "${toolName}" or "approval.policy", or approve with remember: "tool".`,
      };
  }
}

function factsOf({ found, changed, shown }: AskedByRules): readonly UnusualFact[] {
  return [
    ...(changed === undefined ? [] : [{ kind: "tool_changed" as const, text: changed }]),
    ...(found === undefined ? [] : [{ kind: "found_by_code" as const, text: found }]),
    ...(shown?.facts ?? []),
  ];
}

function lastHeard(at: number | undefined): string {
  return at === undefined || Number.isNaN(new Date(at).getTime())
    ? ""
    : ` The process was last heard at ${new Date(at).toISOString()}.`;
}

/** [questions.title] The verb and object of the tool, and as many deciding values as its length allows. */
function titleOf(toolName: string, values: readonly QuestionValue[]): string {
  const words = nameInWords(toolName);
  const sentence = inOneLine(`${words.charAt(0).toUpperCase()}${words.slice(1)}`, sentenceShown);
  const deciding = values.filter(({ decides }) => decides);
  for (let count = deciding.length; count > 0; count -= 1) {
    const more = deciding.length - count;
    const shown = deciding.slice(0, count).map((value) => valueInTitle(value));
    const title = `${sentence} (${[...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ")})?`;
    if (inOneLine(title, title.length).length <= madeTitleShown) return inOneLine(title, madeTitleShown);
  }
  return `${sentence}?`;
}

/** The arguments of a call that no policy explains. */
function plainValues({ args, setBySchema }: ShownArguments): readonly QuestionValue[] {
  const entries = typeof args === "object" && args !== null ? Object.entries(args) : [];
  return entries.map(([name, value]) => ({
    path: inOneLine(name, valueShown),
    name: inOneLine(name, valueShown),
    shown: inOneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), valueShown),
    decides: true,
    origin: setBySchema.some((path) => path.length === 1 && path[0] === name)
      ? { from: "schema", text: "set by the tool", trusted: true }
      : { from: "model", text: "chosen by the model", trusted: false },
  }));
}

function requestOf(messages: readonly Message[]): string | undefined {
  const asked = messages.findLast(({ role }) => role === "user");
  const content = asked?.content ?? "";
  const text =
    typeof content === "string"
      ? content
      : content.flatMap((part) => (part.type === "text" && part.untrusted !== true ? [part.text] : [])).join("\n");
  return text === "" ? undefined : inOneLine(text, titleShown);
}

/** A value as the title names it: an id by the record that it stands for [questions.record]. */
function valueInTitle({ name, shown, record }: QuestionValue): string {
  const words = nameInWords(name);
  if (record === undefined) return `${words}: ${shown}`;
  const kind = words.replace(/ ?(?:ids?|numbers?|keys?|codes?)$/u, "");
  const what = recordInWords(record);
  return kind === "" ? what : `${kind}: ${what}`;
}

/** Warnings about invisible characters, and about letters that look like others. */
function deceptions({ args, shown }: ShownArguments): readonly UnusualFact[] {
  const mixed = mixedScripts(shown);
  return [
    ...(JSON.stringify(args) === JSON.stringify(shown)
      ? []
      : [
          {
            kind: "hidden_text" as const,
            text: "Its arguments have invisible characters, or markup that was made harmless here. The call sends them unchanged.",
          },
        ]),
    ...(mixed === undefined ? [] : [{ kind: "mixed_scripts" as const, text: mixed }]),
  ];
}

function inOneLine(text: string, most: number): string {
  const line = text.replaceAll(/[\n\r\u2028\u2029]+/gu, " ");
  return line.length <= most ? line : `${line.slice(0, most).toWellFormed()} …`;
}

/** Maximum number of listed words, and of shown characters of each. */
const named = 3;
const longest = 60;

const word = /[^\s"'`,;()<>[\]{}]+/gu;
const latin = /\p{Script=Latin}/u;
const looksLatin = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}]/gu;

/**
 * Words that mix Latin letters with similar ones of another script: an address may resemble a known one. Returns a
 * sentence for the person.
 */
function mixedScripts(value: unknown): string | undefined {
  const found = new Map<string, string>();
  for (const text of textsOf(value)) {
    for (const [each] of text.matchAll(word)) {
      const letters = each.match(looksLatin);
      if (letters === null || !latin.test(each)) continue;
      const shown = each.length <= longest ? each : `${each.slice(0, longest).toWellFormed()}…`;
      found.set(shown, [...new Set(letters)].slice(0, named).map(codePoint).join(", "));
    }
  }
  if (found.size === 0) return undefined;
  const words = Array.from(found, ([each, letters]) => `"${each}" (${letters})`);
  const more = words.length > named ? ` and ${words.length - named} more` : "";
  return `Words mix Latin letters with lookalikes of other scripts: ${words.slice(0, named).join(", ")}${more}.`;
}

function codePoint(letter: string): string {
  return `${letter} is U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [...(Array.isArray(value) ? [] : [key]), ...textsOf(member)]);
}
