import type { Grant, GrantArgument } from "@bailiwick/core";

const path = { type: "string" } as const;
const value = { type: ["string", "number", "boolean", "null"] } as const;
const pairs = {
  type: "array",
  items: { type: "object", properties: { path, value }, required: ["path", "value"], additionalProperties: false },
} as const;

const conditions = {
  type: "array",
  items: {
    type: "object",
    properties: { path, value, contains: { type: "string", minLength: 1 } },
    required: ["path"],
    additionalProperties: false,
  },
} as const;

/** Schema of the planner's answer. */
export const plannerSchema: Readonly<Record<string, unknown>> = {
  type: "object",
  properties: {
    grants: {
      type: "array",
      items: {
        type: "object",
        properties: {
          tool: { type: "string" },
          args: {
            type: "array",
            items: {
              type: "object",
              properties: {
                path,
                eq: {},
                oneOf: { type: "array", items: value },
                max: { type: "number" },
                ref: {
                  type: "object",
                  properties: {
                    tool: { type: "string" },
                    args: pairs,
                    path,
                    where: conditions,
                    pick: { enum: ["first", "last", "min", "max"] },
                    times: { type: "number" },
                    plus: { type: "number" },
                  },
                  required: ["tool", "path"],
                },
                composed: { const: true },
              },
              required: ["path"],
            },
          },
          from: {
            type: "array",
            items: { type: "object", properties: { tool: { type: "string" }, args: pairs }, required: ["tool"] },
          },
          when: { type: "string" },
          count: { type: "integer", minimum: 1 },
        },
        required: ["tool", "args"],
      },
    },
  },
  required: ["grants"],
};

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads the planner's answer; what is not a grant is left out. */
export function readGrants(answer: unknown): readonly Grant[] {
  const listed = isFields(answer) && Array.isArray(answer["grants"]) ? (answer["grants"] as readonly unknown[]) : [];
  return listed.flatMap((each) => {
    const grant = readGrant(each);
    return grant === undefined ? [] : [grant];
  });
}

function readGrant(given: unknown): Grant | undefined {
  if (!isFields(given) || typeof given["tool"] !== "string") return undefined;
  const args = readArguments(given["args"]);
  if (args === undefined) return undefined;
  const from = readCalls(given["from"]);
  const { when, count } = given;
  return {
    tool: given["tool"],
    args,
    ...(from.length > 0 && { from }),
    ...(typeof when === "string" && when !== "" && { when }),
    ...(typeof count === "number" && { count }),
  };
}

function readArguments(given: unknown): Grant["args"] | undefined {
  const entries: [string, GrantArgument][] = [];
  if (!Array.isArray(given)) return undefined;
  for (const each of given as readonly unknown[]) {
    if (!isFields(each) || typeof each["path"] !== "string") return undefined;
    const argument = readArgument(each);
    if (argument === undefined) return undefined;
    entries.push([each["path"], argument]);
  }
  return Object.fromEntries(entries);
}

/** One kind of leave for an argument; what says several says nothing, because the widest could be the slip. */
function readArgument(given: Fields): GrantArgument | undefined {
  const { composed, max, oneOf, ref, eq } = given;
  const kinds: GrantArgument[] = [];
  if (composed === true) kinds.push({ composed });
  if (typeof max === "number") kinds.push({ max });
  if (Array.isArray(oneOf)) kinds.push({ oneOf: oneOf as readonly string[] });
  if (isFields(ref)) {
    const reference = readReference(ref);
    if (reference === undefined) return undefined;
    kinds.push({ ref: reference });
  }
  if (!isMissing(eq)) kinds.push({ eq: eq as string });
  if (kinds.length === 0 && eq === null) return { eq };
  return kinds.length === 1 ? kinds[0] : undefined;
}

/** A model that fills in every member gives null for what it leaves out. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

function readReference(given: Fields): Extract<GrantArgument, { ref: unknown }>["ref"] | undefined {
  const reference = readCallReference(given);
  const { path: field, pick, times, plus } = given;
  if (reference === undefined || typeof field !== "string") return undefined;
  const where = readPairs(given["where"], readCondition);
  if (where === "unclear") return undefined;
  // Without its arithmetic a tenth would be the whole.
  if ([times, plus].some((number) => !isMissing(number) && typeof number !== "number")) return undefined;
  return {
    ...reference,
    path: field,
    ...(where !== undefined && { where }),
    ...((pick === "first" || pick === "last" || pick === "min" || pick === "max") && { pick }),
    ...(typeof times === "number" && { times }),
    ...(typeof plus === "number" && { plus }),
  };
}

type CallFields = { readonly tool: string; readonly args?: Readonly<Record<string, string>> };

function readCallReference(given: unknown): CallFields | undefined {
  if (!isFields(given) || typeof given["tool"] !== "string") return undefined;
  const args = readPairs(given["args"], ({ value: expected }) => expected as string | undefined);
  if (args === "unclear") return undefined;
  return { tool: given["tool"], ...(args !== undefined && { args }) };
}

function readCondition({ contains, value: expected }: Fields): string | { readonly contains: string } | undefined {
  if (typeof contains !== "string") return expected as string | undefined;
  return isMissing(expected) ? { contains } : undefined;
}

/** Values by path. One that says nothing makes all of it unclear: without it, the leave would be wider than was said. */
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

/** The calls that a grant names. One that cannot be read is left out: fewer calls are less leave. */
function readCalls(given: unknown): readonly CallFields[] {
  if (!Array.isArray(given)) return [];
  return (given as readonly unknown[]).flatMap((each) => {
    const one = readCallReference(each);
    return one === undefined ? [] : [one];
  });
}
