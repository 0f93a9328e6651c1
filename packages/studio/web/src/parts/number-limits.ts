/** Limits of a number in a JSON schema. */
export interface NumberSchema {
  readonly type?: string | readonly string[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly multipleOf?: number | undefined;
}

/** Decimal places at which sums of steps are rounded. */
const places = 9;

/**
 * Limits of a schema in the form of an input field. A field counts its steps from `min`, a schema counts them from 0:
 * `min` moves to the first step that the schema accepts.
 */
export function numberLimits(schema: NumberSchema): { min?: number; max?: number; step: number | "any" } {
  const step = schema.multipleOf ?? (schema.type === "integer" ? 1 : undefined);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  // Without a step, a field cannot exclude its own limit: the server refuses that value.
  const min = Math.max(minimum ?? -Infinity, next(exclusiveMinimum, step, 1));
  const max = Math.min(maximum ?? Infinity, next(exclusiveMaximum, step, -1));
  return {
    ...(isLimit(min) && { min: step === undefined ? min : rounded(Math.ceil(rounded(min / step)) * step) }),
    ...(isLimit(max) && { max }),
    step: step ?? "any",
  };
}

/** Limits in words: "from 0 to 120 in steps of 5". */
export function limitWords(schema: NumberSchema): string {
  const { min, max, step } = numberLimits(schema);
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  const isAny = step === "any";
  const from = isAny && min !== undefined && min === exclusiveMinimum ? `more than ${min}` : `from ${min}`;
  const to =
    isAny && max !== undefined && max === exclusiveMaximum
      ? `less than ${max}`
      : `${min === undefined ? "up " : ""}to ${max}`;
  const words = [
    min === undefined ? "" : from,
    max === undefined ? "" : to,
    isAny || step === 1 ? "" : `in steps of ${step}`,
  ];
  return words.filter((text) => text !== "").join(" ");
}

/** The first step beyond an exclusive limit. */
function next(limit: number | undefined, step: number | undefined, direction: 1 | -1): number {
  if (limit === undefined) return -direction * Infinity;
  if (step === undefined) return limit;
  const steps = rounded(limit / step);
  return rounded((direction === 1 ? Math.floor(steps) + 1 : Math.ceil(steps) - 1) * step);
}

/** Schemas of integers contain the largest safe integers, which mean nothing to a person. */
function isLimit(value: number): boolean {
  return Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

function rounded(value: number): number {
  return Number(value.toFixed(places));
}
