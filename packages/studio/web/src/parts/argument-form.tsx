import { useQuery } from "@tanstack/react-query";
import { useId, useState, type FormEvent } from "react";
import { api } from "../api.ts";
import { Loading } from "./states.tsx";
import { limitWords, numberLimits, type NumberSchema } from "./number-limits.ts";

/** Part of a JSON schema that a field can show. */
export interface FieldSchema extends NumberSchema {
  readonly enum?: readonly unknown[] | undefined;
  readonly description?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
  readonly default?: unknown;
}

interface ArgumentFormProps {
  readonly agent: string;
  readonly tool: string;
  readonly args: unknown;
  readonly pending: boolean;
  readonly onCancel: () => void;
  readonly onApprove: (args: unknown) => void;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Arguments of a call as fields with the limits, steps and choices of the tool's schema. The server checks the edited
 * call again, by its schema and its rules.
 */
export function ArgumentForm({ agent, tool, args, pending, onCancel, onApprove }: ArgumentFormProps) {
  const given: Fields =
    typeof args === "object" && args !== null && !Array.isArray(args) ? (args as Fields) : { arguments: args };
  const isWhole = given !== args;
  const [added, setAdded] = useState<Fields>({});
  const fields: Fields = { ...given, ...added };
  const tools = useQuery({ queryKey: ["agent-tools", agent], queryFn: () => api.toolsOf(agent), staleTime: 60_000 });
  const schemas = (tools.data?.tools.find(({ name }) => name === tool)?.inputJsonSchema["properties"] ??
    {}) as Readonly<Record<string, FieldSchema | undefined>>;
  /** Optional arguments that the call does not have. */
  const absent = isWhole ? [] : Object.entries(schemas).filter(([name]) => !(name in fields));
  const [error, setError] = useState("");
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const edited: Record<string, unknown> = {};
    for (const [name, before] of Object.entries(fields)) {
      const entry = form.get(name);
      const read = readField(typeof entry === "string" ? entry : null, before);
      if (read === undefined) {
        setError(`"${name}" is not JSON. Correct it, or go back.`);
        return;
      }
      edited[name] = read.value;
    }
    onApprove(isWhole ? edited["arguments"] : edited);
  };
  // The fields depend on the schema: a change of the schema during editing would lose the typed text.
  if (tools.isPending) return <Loading lines={3} />;
  return (
    <form
      className="stack arguments"
      onKeyDown={({ key }) => {
        if (key === "Escape") onCancel();
      }}
      onSubmit={submit}
    >
      {Object.entries(fields).map(([name, value], index) => (
        <ArgumentField
          key={name}
          name={name}
          value={value}
          schema={schemas[name] ?? {}}
          isAsked={index === 0 || name in added}
        />
      ))}
      {absent.length > 0 && (
        <div className="actions">
          {absent.map(([name, schema]) => (
            <button
              key={name}
              type="button"
              className="quiet"
              onClick={() => setAdded({ ...added, [name]: firstValue(schema) })}
            >
              Add {name}
            </button>
          ))}
        </div>
      )}
      {error !== "" && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <div className="actions">
        <button type="submit" disabled={pending}>
          Approve with these values
        </button>
        <button type="button" onClick={onCancel}>
          Back
        </button>
      </div>
    </form>
  );
}

interface ArgumentFieldProps {
  readonly name: string;
  readonly value: unknown;
  readonly schema: FieldSchema;
  /** The field gets the focus: it is the first one, or the viewer added it. */
  readonly isAsked: boolean;
}

/** One argument, in a field for its value and schema. */
export function ArgumentField({ name, value, schema, isAsked }: ArgumentFieldProps) {
  const id = useId();
  const { enum: choices, description, minLength, maxLength, pattern } = schema;
  const { min, max, step } = numberLimits(schema);
  return (
    <div className="field">
      <label htmlFor={id}>
        {name} <span className="faint">{[description, limitWords(schema)].filter((text) => text).join(", ")}</span>
      </label>
      {typeof value === "boolean" ? (
        <input id={id} name={name} autoFocus={isAsked} type="checkbox" defaultChecked={value} />
      ) : typeof value === "string" && choices !== undefined ? (
        <select id={id} name={name} autoFocus={isAsked} defaultValue={value}>
          {choices.map((choice) => (
            <option key={String(choice)} value={String(choice)}>
              {String(choice)}
            </option>
          ))}
        </select>
      ) : typeof value === "number" ? (
        <input
          id={id}
          name={name}
          autoFocus={isAsked}
          type="number"
          required
          min={min}
          max={max}
          step={step}
          defaultValue={value}
        />
      ) : typeof value === "string" && value.length < 80 ? (
        <input
          id={id}
          name={name}
          autoFocus={isAsked}
          minLength={minLength}
          maxLength={maxLength}
          pattern={pattern}
          defaultValue={value}
        />
      ) : (
        <textarea
          id={id}
          name={name}
          autoFocus={isAsked}
          rows={4}
          defaultValue={typeof value === "string" ? value : JSON.stringify(value, null, 2)}
        />
      )}
    </div>
  );
}

/** Reads a field; `undefined` if its text is not JSON. */
export function readField(entry: string | null, before: unknown): { readonly value: unknown } | undefined {
  if (typeof before === "boolean") return { value: entry !== null };
  if (typeof before === "number") return { value: Number(entry) };
  if (typeof before === "string") return { value: entry ?? "" };
  try {
    return { value: JSON.parse(entry ?? "null") as unknown };
  } catch {
    return undefined;
  }
}

/** The value that the field of an added argument begins with. */
export function firstValue(schema: FieldSchema = {}): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  switch ([schema.type].flat()[0]) {
    case "string":
      return "";
    case "boolean":
      return false;
    case "integer":
    case "number":
      return numberLimits(schema).min ?? 0;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return null;
  }
}
