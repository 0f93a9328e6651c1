import type { ExtractedForm, Grant, GrantArgument, GrantReference, Mandate, TemplateHole } from "@bailiwick/core";

const value = { type: ["string", "number", "boolean", "null"] } as const;

const args = {
  type: "object",
  additionalProperties: {
    type: "object",
    properties: {
      eq: {},
      oneOf: { type: "array", items: value },
      max: { type: "number" },
      within: { type: "array", items: { type: ["string", "number"] }, minItems: 2, maxItems: 2 },
      composed: { const: true },
    },
  },
} as const;

/** Schema of the planner's answer about one tool. */
export const plannerSchema: Readonly<Record<string, unknown>> = {
  type: "object",
  properties: {
    asked: { type: "boolean" },
    quote: { type: "string" },
    args,
    also: {
      type: "array",
      items: { type: "object", properties: { quote: { type: "string" }, args }, required: ["quote", "args"] },
    },
  },
  required: ["asked", "quote"],
};

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A mandate, and the grant for the calls whose values it fixes. */
export interface ReadMandate {
  readonly mandate: Mandate;
  readonly grant?: Grant | undefined;
  /** The answer is a list of grants for several tools, which quotes nothing. */
  readonly isListed?: true | undefined;
}

/**
 * Reads the planner's answer about a tool; `undefined` if it has another form. A planner may list grants for several tools
 * instead: the tool is asked for if the list names it.
 */
export function readMandates(answer: unknown, tool: string): readonly ReadMandate[] | undefined {
  const listed = isFields(answer) ? answer["grants"] : undefined;
  if (Array.isArray(listed)) {
    const own = listed.filter((each): each is Fields => isFields(each) && each["tool"] === tool);
    return own.length === 0
      ? [{ mandate: { tool, asked: false, quote: "" } }]
      : own.map((each) => ({ ...readMandate(each, tool, true), isListed: true }));
  }
  if (!isFields(answer) || typeof answer["asked"] !== "boolean") return undefined;
  const { asked, also } = answer;
  const first = readMandate(answer, tool, asked);
  if (!asked || !Array.isArray(also)) return [first];
  return [
    first,
    ...(also as readonly unknown[]).flatMap((each) => (isFields(each) ? [readMandate(each, tool, true)] : [])),
  ];
}

function readMandate(given: Fields, tool: string, asked: boolean): ReadMandate {
  const quote = typeof given["quote"] === "string" ? given["quote"] : "";
  const read = asked ? readArguments(given["args"]) : undefined;
  if (read === undefined) return { mandate: { tool, asked, quote } };
  const args = Object.fromEntries(Object.entries(read).filter(([, argument]) => isMandateArgument(argument)));
  return { mandate: { tool, asked, quote, args: args as Mandate["args"] }, grant: readGrant(given, tool, read) };
}

const mandateForms = ["eq", "oneOf", "max", "within", "composed"];

function isMandateArgument(argument: GrantArgument): boolean {
  return mandateForms.some((form) => form in argument);
}

function readGrant(given: Fields, tool: string, read: Grant["args"]): Grant {
  const from = readCalls(given["from"]);
  const { when, count } = given;
  return {
    tool,
    args: read,
    ...(from.length > 0 && { from }),
    ...(typeof when === "string" && when !== "" && { when }),
    ...(typeof count === "number" && { count }),
  };
}

/** The arguments by path. One unreadable form makes all of them unclear: without it, the mandate would be wider. */
function readArguments(given: unknown): Grant["args"] | undefined {
  if (!isFields(given) && !Array.isArray(given)) return undefined;
  const entries: [string, GrantArgument][] = [];
  const listed: readonly (readonly [unknown, unknown])[] = Array.isArray(given)
    ? (given as readonly unknown[]).map((form) => [isFields(form) ? form["path"] : undefined, form])
    : Object.entries(given);
  for (const [path, form] of listed) {
    if (typeof path !== "string") return undefined;
    const argument = isFields(form) ? readArgument(form) : undefined;
    if (argument === undefined) return undefined;
    entries.push([path, argument]);
  }
  return Object.fromEntries(entries);
}

/**
 * The kind of grant for one argument; an argument with several kinds gets none, because the widest could be a mistake.
 */
function readArgument(given: Fields): GrantArgument | undefined {
  const { composed, max, oneOf, within, ref, template, the, eq } = given;
  const kinds: GrantArgument[] = [];
  if (composed === true) kinds.push({ composed });
  if (typeof max === "number") kinds.push({ max });
  if (Array.isArray(oneOf)) kinds.push({ oneOf: oneOf as readonly string[] });
  if (isFields(ref)) {
    const reference = readReference(ref);
    if (reference === undefined) return undefined;
    kinds.push({ ref: reference });
  }
  if (Array.isArray(within)) {
    const bounds = readBounds(within);
    if (bounds === undefined) return undefined;
    kinds.push({ within: bounds });
  }
  if (typeof template === "string") {
    const holes = readHoles(given["holes"]);
    if (holes === undefined) return undefined;
    kinds.push({ template, holes });
  }
  if (typeof the === "string") {
    const text = isFields(given["in"]) ? readText(given["in"]) : undefined;
    if (text === undefined || !isForm(the)) return undefined;
    kinds.push({ the, in: text, ...(given["each"] === true && { each: true }) });
  }
  if (!isMissing(eq)) kinds.push({ eq: eq as string });
  if (kinds.length === 0 && eq === null) return { eq };
  return kinds.length === 1 ? kinds[0] : undefined;
}

/** A lower and an upper bound of the same kind. */
function readBounds(within: readonly unknown[]): [string, string] | undefined {
  const [from, to] = within;
  const isOrdered = typeof from === "string" || typeof from === "number";
  return within.length === 2 && isOrdered && typeof from === typeof to ? (within as [string, string]) : undefined;
}

const forms: readonly ExtractedForm[] = ["url", "email", "iban", "date", "amount"];

function isForm(the: string): the is ExtractedForm {
  return forms.some((form) => form === the);
}

function readText(given: Fields): Extract<GrantArgument, { the: unknown }>["in"] | undefined {
  const call = readCallReference(given);
  const where = readPairs(given["where"], readCondition);
  if (call === undefined || where === "unclear") return undefined;
  return { ...call, ...(where !== undefined && { where }) };
}

function readHoles(given: unknown): Readonly<Record<string, TemplateHole>> | undefined {
  if (isMissing(given)) return {};
  if (!Array.isArray(given)) return undefined;
  const holes: [string, TemplateHole][] = [];
  for (const each of given as readonly unknown[]) {
    if (!isFields(each) || typeof each["name"] !== "string") return undefined;
    const { name, words, ref } = each as { name: string; words?: unknown; ref?: unknown };
    const read = isFields(ref) ? readReference(ref) : undefined;
    if (read !== undefined) holes.push([name, { ref: read }]);
    else if (typeof words === "number" && words >= 1) holes.push([name, { words: Math.min(words, mostWords) }]);
    else return undefined;
  }
  return Object.fromEntries(holes);
}

/** Maximum number of words in a hole of the planner. */
const mostWords = 60;

/** A model that fills in every member writes null for those that it leaves out. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

function readReference(given: Fields): GrantReference | undefined {
  const reference = readCallReference(given);
  const { path: field, pick, by, of, each, times, plus } = given;
  if (reference === undefined || typeof field !== "string") return undefined;
  const where = readPairs(given["where"], readCondition);
  if (where === "unclear") return undefined;
  // Without its arithmetic, a tenth would be the whole amount.
  if ([times, plus].some((number) => !isMissing(number) && typeof number !== "number")) return undefined;
  // Without its choice, one of the values would become all of them.
  const choice = readChoice(by);
  if (!isMissing(by) && choice === undefined) return undefined;
  return {
    ...reference,
    path: field,
    ...(choice !== undefined && { by: choice }),
    ...((of === "count" || of === "length") && { of }),
    ...(each === true && { each }),
    ...(where !== undefined && { where }),
    ...((pick === "first" || pick === "last" || pick === "min" || pick === "max") && { pick }),
    ...(typeof times === "number" && { times }),
    ...(typeof plus === "number" && { plus }),
  };
}

function readChoice(by: unknown): GrantReference["by"] {
  if (!isFields(by) || typeof by["field"] !== "string") return undefined;
  const { field, pick } = by;
  return pick === "max" || pick === "min" ? { field, pick } : undefined;
}

type CallFields = { readonly tool: string; readonly args?: Readonly<Record<string, string>> };

function readCallReference(given: unknown): CallFields | undefined {
  if (!isFields(given) || typeof given["tool"] !== "string") return undefined;
  const args = readPairs(given["args"], ({ value: expected }) => expected as string | undefined);
  if (args === "unclear") return undefined;
  return { tool: given["tool"], ...(args !== undefined && { args }) };
}

function readCondition({
  contains,
  prefix,
  value: expected,
}: Fields): string | { readonly contains: string } | { readonly prefix: string } | undefined {
  if (typeof prefix === "string" && prefix !== "")
    return isMissing(expected) && isMissing(contains) ? { prefix } : undefined;
  if (typeof contains !== "string") return expected as string | undefined;
  return isMissing(expected) ? { contains } : undefined;
}

/**
 * Values by path. One unreadable value makes the whole argument invalid: without it, the grant would be wider than
 * written.
 */
function readPairs<T>(
  given: unknown,
  read: (pair: Fields) => T | undefined,
): Readonly<Record<string, T>> | "unclear" | undefined {
  if (isMissing(given)) return undefined;
  if (!Array.isArray(given)) return "unclear";
  const entries: [string, T][] = [];
  for (const pair of given as readonly unknown[]) {
    const expected = isFields(pair) ? read(pair) : undefined;
    if (!isFields(pair) || typeof pair["path"] !== "string" || expected === undefined) return "unclear";
    entries.push([pair["path"], expected]);
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The calls that a grant names. An unreadable one is left out: fewer calls permit less. */
function readCalls(given: unknown): readonly CallFields[] {
  if (!Array.isArray(given)) return [];
  return (given as readonly unknown[]).flatMap((each) => {
    const one = readCallReference(each);
    return one === undefined ? [] : [one];
  });
}
