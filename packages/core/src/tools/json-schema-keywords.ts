// Loaded with the first value that `quickCheck` cannot decide.
import type { JsonSchema } from "../contracts/json.ts";
import { formats } from "./json-schema-formats.ts";
import type { SchemaPart } from "./json-schema-references.ts";

type Key = string | number;
const kinds = ["null", "boolean", "number", "string", "array", "object"] as const;
type Kind = (typeof kinds)[number];
type Member = Readonly<Record<string, unknown>>;

/** A problem of a value, and the keys that lead to it. */
export interface Problem {
  readonly keys: readonly Key[];
  /** A predicate without a full stop, such as "has to be string, not number". */
  readonly message: string;
}

/** A schema, and what the check needs beside it. */
export interface Rules {
  readonly root: JsonSchema;
  readonly targets: ReadonlyMap<object, SchemaPart>;
  /** True for drafts in which `$ref` replaces all keywords beside it. */
  readonly refStandsAlone: boolean;
  /** Writes equal JSON values as equal texts. */
  readonly canonical: (value: unknown) => string;
}

/** A value under one schema. */
interface Place {
  readonly schema: JsonSchema;
  readonly rules: Rules;
  /** The outermost schema with `$recursiveAnchor`. */
  readonly anchor: JsonSchema | undefined;
  /** Members and items that a keyword has checked: the rest is unevaluated. */
  readonly seen: Set<Key>;
  /** Problems of the same value under another schema. What a matching one has checked is seen here too. */
  readonly same: (schema: SchemaPart | undefined) => readonly Problem[];
  /** Problems of a member or an item. */
  readonly inner: (key: Key, value: unknown, schema: SchemaPart) => readonly Problem[];
  readonly wrong: (message: string) => readonly Problem[];
}

/** The problems of a value that a keyword finds; `limit` is what the schema says. */
type Keyword = (value: never, limit: never, place: Place) => readonly Problem[];

const none: readonly Problem[] = [];
const isNone = (problems: readonly Problem[]): boolean => problems.length === 0;

/** Makes a keyword whose message begins with the value. */
const bound =
  (fits: (value: number, limit: number) => boolean, words: string): Keyword =>
  (value: number, limit: number, { wrong }) =>
    typeof limit !== "number" || fits(value, limit) ? none : wrong(`${value} is ${words} ${limit}`);

/** Makes a keyword that limits a size. */
const size =
  (of: (value: never) => number, sign: 1 | -1, words: string): Keyword =>
  (value, limit: number, { wrong }) =>
    (of(value) - limit) * sign >= 0 ? none : wrong(`${words} (${of(value)} ${sign > 0 ? "<" : ">"} ${limit})`);

const characters = (text: string): number => [...text].length;
const items = (list: readonly unknown[]): number => list.length;
const members = (value: object): number => Object.keys(value).length;

const dependents: Keyword = (value: Member, limit: Readonly<Record<string, unknown>>, { same, wrong }) =>
  Object.entries(limit).flatMap(([key, needed]) => {
    if (!Object.hasOwn(value, key)) return none;
    if (!Array.isArray(needed)) return same(needed as SchemaPart);
    return needed
      .filter((other: string) => !Object.hasOwn(value, other))
      .flatMap((other: string) => wrong(`has "${key}" but does not have "${other}"`));
  });

/** Problems of some members or items under one schema. They are seen then, valid or not. */
const each = (keys: readonly Key[], value: object, schema: SchemaPart, { inner, seen }: Place): readonly Problem[] =>
  keys.flatMap((key) => {
    seen.add(key);
    return inner(key, value[key as keyof object], schema);
  });

const tuple = (value: readonly unknown[], schemas: readonly SchemaPart[], place: Place): readonly Problem[] =>
  schemas.slice(0, value.length).flatMap((schema, index) => each([index], value, schema, place));

const indexesFrom = (value: readonly unknown[], start: number): readonly number[] => [...value.keys()].slice(start);

const matching = (value: object, pattern: string): readonly string[] => {
  const expression = new RegExp(pattern, "u");
  return Object.keys(value).filter((key) => expression.test(key));
};

const unseen = (keys: readonly Key[], { seen }: Place): readonly Key[] => keys.filter((key) => !seen.has(key));

const lengthOf = (schemas: unknown): number => (Array.isArray(schemas) ? schemas.length : 0);

const from = bound((value, limit) => value >= limit, "less than");
const above = bound((value, limit) => value > limit, "less than or equal to");
const to = bound((value, limit) => value <= limit, "greater than");
const below = bound((value, limit) => value < limit, "greater than or equal to");

/** Keywords by the kind of value that they check, in the order in which their problems are reported. */
const keywords: Readonly<Partial<Record<Kind | "any", Readonly<Record<string, Keyword>>>>> = {
  any: {
    $recursiveRef: (_, __, { schema, rules, anchor, same }) => same(anchor ?? rules.targets.get(schema)),
    $ref: (_, __, { schema, rules, same }) => same(rules.targets.get(schema)),
    type(value: unknown, limit: string | readonly string[], { wrong }) {
      const wanted = [limit].flat();
      const kind = kindOf(value);
      return wanted.includes(kind) || (wanted.includes("integer") && Number.isInteger(value))
        ? none
        : wrong(`has to be ${wanted.join(" or ")}, not ${kind}`);
    },
    const: (value: unknown, limit: unknown, { rules: { canonical }, wrong }) =>
      canonical(value) === canonical(limit) ? none : wrong(`has to be ${JSON.stringify(limit)}`),
    enum(value: unknown, limit: readonly unknown[], { rules: { canonical }, wrong }) {
      const text = canonical(value);
      return limit.some((one) => canonical(one) === text) ? none : wrong(`has to be one of ${JSON.stringify(limit)}`);
    },
    not: (_, limit: SchemaPart, { same, wrong }) =>
      same(limit).length > 0 ? none : wrong("is what the schema excludes"),
    anyOf(_, limit: readonly SchemaPart[], { same, wrong }) {
      const found = limit.map(same);
      return found.some(isNone) ? none : [...wrong("fits none of the alternatives"), ...found.flat()];
    },
    allOf: (_, limit: readonly SchemaPart[], { same }) => limit.flatMap(same),
    oneOf(_, limit: readonly SchemaPart[], { same, wrong }) {
      const found = limit.map(same);
      const matches = found.filter(isNone).length;
      return matches === 1
        ? none
        : [...wrong(`has to fit exactly one of the alternatives (${matches} matches)`), ...found.flat()];
    },
    if: (_, limit: SchemaPart, { schema, same }) =>
      same((isNone(same(limit)) ? schema["then"] : schema["else"]) as SchemaPart | undefined),
  },
  object: {
    required: (value: Member, limit: readonly string[], { wrong }) =>
      limit.filter((key) => !Object.hasOwn(value, key)).flatMap((key) => wrong(`"${key}" is missing`)),
    minProperties: size(members, 1, "has too few properties"),
    maxProperties: size(members, -1, "has too many properties"),
    propertyNames: (value: Member, limit: SchemaPart, { inner }) =>
      Object.keys(value).flatMap((key) => inner(key, key, limit)),
    dependentRequired: dependents,
    dependentSchemas: dependents,
    dependencies: dependents,
    properties: (value: Member, limit: Readonly<Record<string, SchemaPart>>, place) =>
      Object.entries(limit).flatMap(([key, schema]) =>
        Object.hasOwn(value, key) ? each([key], value, schema, place) : none,
      ),
    patternProperties: (value: Member, limit: Readonly<Record<string, SchemaPart>>, place) =>
      Object.entries(limit).flatMap(([pattern, schema]) => each(matching(value, pattern), value, schema, place)),
    additionalProperties(value: Member, limit: SchemaPart, place) {
      const { properties = {}, patternProperties = {} } = place.schema as Readonly<Record<string, Member>>;
      const known = Object.keys(patternProperties).flatMap((pattern) => matching(value, pattern));
      const others = Object.keys(value).filter((key) => !Object.hasOwn(properties, key) && !known.includes(key));
      return each(others, value, limit, place);
    },
    unevaluatedProperties: (value: Member, limit: SchemaPart, place) =>
      each(unseen(Object.keys(value), place), value, limit, place),
  },
  array: {
    maxItems: size(items, -1, "Array has too many items"),
    minItems: size(items, 1, "Array has too few items"),
    prefixItems: tuple,
    items: (value: readonly unknown[], limit: SchemaPart | readonly SchemaPart[], place) =>
      Array.isArray(limit)
        ? tuple(value, limit as readonly SchemaPart[], place)
        : each(indexesFrom(value, lengthOf(place.schema["prefixItems"])), value, limit as SchemaPart, place),
    additionalItems: (value: readonly unknown[], limit: SchemaPart, place) =>
      Array.isArray(place.schema["items"])
        ? each(indexesFrom(value, lengthOf(place.schema["items"])), value, limit, place)
        : none,
    contains(value: readonly unknown[], limit: SchemaPart, { schema, seen, inner, wrong }) {
      const { minContains = 1, maxContains = Infinity } = schema as { minContains?: number; maxContains?: number };
      const found = value.map((item, index) => inner(index, item, limit));
      for (const [index, problems] of found.entries()) if (isNone(problems)) seen.add(index);
      const matches = found.filter(isNone).length;
      if (matches < minContains)
        return [
          ...wrong(`must contain at least ${minContains} items matching schema, and has ${matches}`),
          ...found.flat(),
        ];
      return matches > maxContains
        ? wrong(`may contain at most ${maxContains} items matching schema, and has ${matches}`)
        : none;
    },
    unevaluatedItems: (value: readonly unknown[], limit: SchemaPart, place) =>
      each(unseen(indexesFrom(value, 0), place), value, limit, place),
    uniqueItems(value: readonly unknown[], limit: boolean, { rules: { canonical }, wrong }) {
      const first = new Map<string, number>();
      for (const [index, item] of limit ? value.entries() : []) {
        const text = canonical(item);
        const other = first.get(text);
        if (other !== undefined) return wrong(`Duplicate items at indexes ${other} and ${index}`);
        first.set(text, index);
      }
      return none;
    },
  },
  number: {
    minimum: (value, limit, place) => (place.schema["exclusiveMinimum"] === true ? above : from)(value, limit, place),
    maximum: (value, limit, place) => (place.schema["exclusiveMaximum"] === true ? below : to)(value, limit, place),
    exclusiveMinimum: above,
    exclusiveMaximum: below,
    multipleOf: bound(isMultipleOf, "not a multiple of"),
  },
  string: {
    minLength: size(characters, 1, "String is too short"),
    maxLength: size(characters, -1, "String is too long"),
    pattern: (value: string, limit: string, { wrong }) =>
      new RegExp(limit, "u").test(value) ? none : wrong("String does not match pattern"),
    format: (value: string, limit: string, { wrong }) =>
      Object.hasOwn(formats, limit) && formats[limit]?.(value) === false
        ? wrong(`String does not match format "${limit}"`)
        : none,
  },
};

/** The keywords that apply to each kind of value. */
const keywordsOf: ReadonlyMap<Kind, readonly (readonly [name: string, keyword: Keyword])[]> = new Map(
  kinds.map((kind) => [kind, Object.entries({ ...keywords.any, ...keywords[kind] })]),
);

/** True if the quotient is a whole number, for decimal fractions too: 0.3 is a multiple of 0.1. */
function isMultipleOf(value: number, limit: number): boolean {
  if (!(limit > 0) || !Number.isFinite(value)) return false;
  const [digits, exponent] = decimal(value);
  const [divisor, other] = decimal(limit);
  const least = Math.min(exponent, other);
  return (digits * 10n ** BigInt(exponent - least)) % (divisor * 10n ** BigInt(other - least)) === 0n;
}

/** The digits of a number, and the power of ten that they are multiplied with. */
function decimal(value: number): readonly [digits: bigint, exponent: number] {
  const [digits = "", exponent = "0"] = String(Math.abs(value)).split("e");
  const [whole = "", fraction = ""] = digits.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

function kindOf(value: unknown): Kind {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as Kind);
}

/** The problems of a value under a schema; none if it is valid. */
export function problemsOf(value: unknown, rules: Rules): readonly Problem[] {
  return check(value, rules.root, { rules, keys: [], seen: new Set(), anchor: undefined });
}

interface Walk {
  readonly rules: Rules;
  readonly keys: readonly Key[];
  readonly seen: Set<Key>;
  readonly anchor: JsonSchema | undefined;
}

function check(value: unknown, schema: SchemaPart, { rules, keys, seen, anchor: outer }: Walk): readonly Problem[] {
  const wrong = (message: string): readonly Problem[] => [{ keys, message }];
  if (typeof schema === "boolean") return schema ? none : wrong("is not allowed here");
  const kind = kindOf(value);
  const known = keywordsOf.get(kind);
  if (known === undefined) return wrong(`is not JSON, but ${kind}`);
  const anchor = outer ?? (schema["$recursiveAnchor"] === true ? schema : undefined);
  const place: Place = {
    schema,
    rules,
    anchor,
    seen,
    wrong,
    same(other) {
      if (other === undefined) return none;
      const accepted = new Set<Key>();
      const problems = check(value, other, { rules, keys, seen: accepted, anchor });
      if (isNone(problems)) for (const key of accepted) seen.add(key);
      return problems;
    },
    inner: (key, member, other) => check(member, other, { rules, keys: [...keys, key], seen: new Set(), anchor }),
  };
  const alone = rules.refStandsAlone && schema["$ref"] !== undefined;
  return known.flatMap(([name, keyword]) =>
    schema[name] === undefined || (alone && name !== "$ref")
      ? none
      : keyword(value as never, schema[name] as never, place),
  );
}
