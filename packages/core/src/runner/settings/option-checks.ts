import {
  flag,
  inside,
  isObject,
  list,
  number,
  oneOf,
  record,
  shape,
  text,
  type Check,
} from "../../errors/value-checks.ts";
import { durableJson } from "../../json/checked-json.ts";

/** One of several checks passes. */
export const either: (what: string, ...checks: readonly Check[]) => Check =
  (what, ...checks) =>
  (value) =>
    checks.some((check) => check(value) === undefined) ? undefined : what;

const bytesOrText: Check = (value) =>
  (value instanceof Uint8Array || typeof value === "string") && value.length > 0 ? undefined : "is bytes or a text";

/** A key, or a list of keys. */
export const keyOrKeys: Check = (value) =>
  bytesOrText(value) === undefined ||
  (Array.isArray(value) && value.length > 0 && value.every((key) => bytesOrText(key) === undefined))
    ? undefined
    : "is bytes or a text, or a list of them whose first one writes";

/** An object that is stored with the run, and reads back in another process as it was given. */
export const durableRecord: Check = (value) => {
  const json = durableJson(value);
  if (!json.ok) return `is plain JSON, because it is kept with the run, and it holds ${json.problem}`;
  return record(value);
};

/** The prices of a model. */
export const price: Check = (value) =>
  shape({
    input: number(0, "dollars per million tokens"),
    output: number(0, "dollars per million tokens"),
    cachedInput: number(0, "dollars per million tokens"),
    cacheWrite: number(0, "dollars per million tokens"),
  })(value) ??
  (isObject(value) && value["input"] !== undefined && value["output"] !== undefined
    ? undefined
    : "needs input and output, in dollars per million tokens");

/** A record with any names, whose values are all of one kind. */
export const recordOf: (member: Check) => Check = (member) => (value) => {
  if (!isObject(value)) return "is an object";
  for (const [key, each] of Object.entries(value)) {
    const wrong = each === undefined ? undefined : member(each);
    if (wrong !== undefined) return inside(key, wrong);
  }
  return undefined;
};

const grantForms = ["eq", "oneOf", "max", "within", "ref", "template", "the", "composed"];

const grantedArgument: Check = (value) =>
  isObject(value) && grantForms.filter((form) => form in value).length === 1
    ? undefined
    : `has one of ${grantForms.join(", ")}`;

const grant: Check = (value) =>
  shape({ tool: text, args: recordOf(grantedArgument), from: list, when: text, count: number(1, "executions", true) })(
    value,
  ) ??
  (isObject(value) && value["tool"] !== undefined && value["args"] !== undefined ? undefined : "needs tool and args");

/** A list of grants. */
export const grants: Check = (value) => {
  if (!Array.isArray(value)) return "is an array of grants";
  for (const [index, each] of value.entries()) {
    const wrong = grant(each);
    if (wrong !== undefined) return inside(index, wrong);
  }
  return undefined;
};

/** The tools of a run's client; the registry checks the rest of each. */
export const clientTools: Check = (value) => {
  if (!Array.isArray(value)) return "is a list of { name, description, inputSchema }";
  const json = durableJson(value);
  if (!json.ok) return `is plain JSON, because it is kept with the run, and it holds ${json.problem}`;
  const names = new Set<unknown>();
  for (const one of value as readonly unknown[]) {
    const wrong = shape({
      name: text,
      description: text,
      inputSchema: record,
      sideEffectClass: oneOf(["pure", "read-only", "side-effecting", "external-stateful"]),
      needsApproval: flag,
    })(one);
    if (wrong !== undefined) return `has an entry that ${wrong}`;
    const { name, description, inputSchema } = one as Readonly<Record<string, unknown>>;
    if (name === undefined || description === undefined || inputSchema === undefined)
      return "has an entry without name, description or inputSchema";
    if (names.has(name)) return `has two tools named ${JSON.stringify(name)}`;
    names.add(name);
  }
  return undefined;
};
