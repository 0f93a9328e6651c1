import type { JsonSchema } from "@bailiwick/core";

/** Entered values by field: text, a choice, or a tick. */
export type AnswerValues = Readonly<Record<string, string | boolean>>;

/** One part of an answer. */
export interface AnswerField {
  /** Name of the field; empty if the answer is a single value. */
  readonly name: string;
  readonly kind: "choice" | "text" | "number" | "yes-no" | "json";
  readonly label: string;
  readonly required: boolean;
  /** Values of a choice. */
  readonly choices: readonly string[];
}

/** The answer that the fields make, or what is missing. */
type ReadAnswer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly missing: string };

/** A form for a question's schema. */
export interface AnswerForm {
  readonly fields: readonly AnswerField[];
  answerOf(values: AnswerValues): ReadAnswer;
}

/**
 * The form of an answer: a field for each property of an object, or one field for a single value. A value without a
 * field is written as JSON. The server decides if an answer is valid.
 *
 * @param schema - The question's JSON Schema.
 */
export function readAnswerForm(schema: JsonSchema = {}): AnswerForm {
  const { properties } = schema;
  const isObject = schema["type"] === "object" && isRecord(properties) && Object.keys(properties).length > 0;
  const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly unknown[]) : [];
  const fields = isObject
    ? Object.entries(properties).map(([name, property]) => readField(name, property, required.includes(name)))
    : [readField("", schema, true)];
  return {
    fields,
    answerOf(values) {
      const parts: [string, unknown][] = [];
      for (const field of fields) {
        const read = readValue(field, values[field.name]);
        if (!read.ok) return read;
        if (read.value !== undefined) parts.push([field.name, read.value]);
      }
      return { ok: true, value: isObject ? Object.fromEntries(parts) : parts[0]?.[1] };
    },
  };
}

function readField(name: string, schema: unknown, required: boolean): AnswerField {
  const given = isRecord(schema) ? schema : {};
  const words = Array.isArray(given["enum"]) && given["enum"].every((word) => typeof word === "string");
  const choices = words ? (given["enum"] as readonly string[]) : [];
  const label = typeof given["description"] === "string" ? given["description"] : name === "" ? "Your answer" : name;
  return { name, kind: words ? "choice" : kindOf(given["type"]), label, required, choices };
}

function kindOf(type: unknown): AnswerField["kind"] {
  switch (type) {
    case "string":
      return "text";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "yes-no";
    default:
      return "json";
  }
}

function readValue(field: AnswerField, value: string | boolean | undefined): ReadAnswer {
  if (field.kind === "yes-no") return { ok: true, value: value === true };
  const text = typeof value === "string" ? value.trim() : "";
  if (text === "") {
    if (!field.required) return { ok: true, value: undefined };
    return { ok: false, missing: field.kind === "choice" ? "choose an answer" : `${field.label} is missing` };
  }
  if (field.kind === "number") {
    const number = Number(text);
    return Number.isFinite(number) ? { ok: true, value: number } : { ok: false, missing: `${text} is not a number` };
  }
  if (field.kind !== "json") return { ok: true, value: text };
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false, missing: `${field.label} is not JSON yet` };
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
