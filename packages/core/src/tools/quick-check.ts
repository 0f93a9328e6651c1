/** Accepts values that certainly match; for all others a validator has to decide. */
export type QuickCheck = (value: unknown) => boolean;

/** Keywords without an effect on validation. */
const annotations: ReadonlySet<string> = new Set(
  "$schema $comment title description default examples deprecated readOnly writeOnly".split(" "),
);

const types: Readonly<Record<string, QuickCheck>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
};

/** Makes the check of a keyword; `undefined` if its value is not supported. */
const keywords: Readonly<
  Record<string, (value: unknown, schema: Readonly<Record<string, unknown>>) => QuickCheck | undefined>
> = {
  type: (value) => (Array.isArray(value) ? anyOf(value.map(typeCheck)) : typeCheck(value)),
  enum: (value) => (Array.isArray(value) && value.every(isPrimitive) ? (given) => value.includes(given) : undefined),
  const: (value) => (isPrimitive(value) ? (given) => given === value : undefined),
  anyOf: (value) => (Array.isArray(value) ? anyOf(value.map(quickCheck)) : undefined),
  minimum: (value) => bound(value, (limit) => (given) => typeof given !== "number" || given >= limit),
  maximum: (value) => bound(value, (limit) => (given) => typeof given !== "number" || given <= limit),
  minItems: (value) => bound(value, (limit) => (given) => !Array.isArray(given) || given.length >= limit),
  maxItems: (value) => bound(value, (limit) => (given) => !Array.isArray(given) || given.length <= limit),
  required: (value) =>
    Array.isArray(value) && value.every((name) => typeof name === "string")
      ? (given) => !isObject(given) || value.every((name: string) => Object.hasOwn(given, name))
      : undefined,
  items(value) {
    const item = isObject(value) ? quickCheck(value) : undefined;
    return item && ((given) => !Array.isArray(given) || given.every(item));
  },
  properties(value) {
    if (!isObject(value)) return undefined;
    const members = Object.entries(value).map(([name, schema]) => [name, quickCheck(schema)] as const);
    if (members.some(([, check]) => check === undefined)) return undefined;
    return (given) => {
      if (!isObject(given)) return true;
      for (const [name, check] of members)
        if (Object.hasOwn(given, name) && check?.(given[name]) !== true) return false;
      return true;
    };
  },
  additionalProperties(value, { properties }) {
    const further = value === false ? () => false : quickCheck(value);
    const known = new Set(isObject(properties) ? Object.keys(properties) : []);
    if (further === undefined) return undefined;
    return (given) => {
      if (!isObject(given)) return true;
      // A plain object has only its own members, and a loop makes no array of their names.
      for (const name in given) if (!known.has(name) && !further(given[name])) return false;
      return true;
    };
  },
};

/**
 * A check for the schemas of most tools, much cheaper than a validator, because it does not record problems. A value
 * that it accepts is valid; a value that it does not accept may still be valid.
 *
 * @param schema - JSON Schema of any draft.
 * @returns `undefined` if the schema has an unknown keyword.
 */
export function quickCheck(schema: unknown): QuickCheck | undefined {
  if (schema === true) return isJson;
  if (!isObject(schema)) return undefined;
  const checks: QuickCheck[] = [isJson];
  for (const [keyword, value] of Object.entries(schema)) {
    if (annotations.has(keyword)) continue;
    const check = Object.hasOwn(keywords, keyword) ? keywords[keyword]?.(value, schema) : undefined;
    if (check === undefined) return undefined;
    checks.push(check);
  }
  return (value) => {
    for (const check of checks) if (!check(value)) return false;
    return true;
  };
}

function typeCheck(name: unknown): QuickCheck | undefined {
  return typeof name === "string" && Object.hasOwn(types, name) ? types[name] : undefined;
}

function anyOf(checks: readonly (QuickCheck | undefined)[]): QuickCheck | undefined {
  if (checks.includes(undefined)) return undefined;
  return (value) => checks.some((check) => check?.(value) === true);
}

function bound(limit: unknown, check: (limit: number) => QuickCheck): QuickCheck | undefined {
  return typeof limit === "number" ? check(limit) : undefined;
}

/** Plain objects only: a validator would read inherited members too. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isPrimitive(value: unknown): boolean {
  return value === null || (typeof value !== "object" && typeof value !== "function");
}

/** The value for a validator, without members that JSON cannot represent. */
function isJson(value: unknown): boolean {
  if (typeof value === "object") return value === null || Array.isArray(value) || isObject(value);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
