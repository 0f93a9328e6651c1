import { useId, type JSX } from "react";
import { isCheckedIn, numberIn, textIn } from "./field-value.ts";

/** The part of a JSON schema that the form reads. */
export interface FieldSchema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly title?: string;
  readonly description?: string;
}

/** The fields of an object's JSON schema; `undefined` if it names none. */
export function propertiesOf(schema: unknown): Readonly<Record<string, FieldSchema>> | undefined {
  const { properties } = Object(schema) as { readonly properties?: unknown };
  return typeof properties === "object" && properties !== null
    ? (properties as Readonly<Record<string, FieldSchema>>)
    : undefined;
}

interface ValueFieldProps {
  readonly name: string;
  readonly value: unknown;
  readonly schema?: FieldSchema | undefined;
  readonly isDisabled: boolean;
  /** Gets the value, or an error for a text that is not a value of the field's type. */
  readonly onChange: (value: unknown, error?: string) => void;
}

/** A field of a form: by its schema, or without one by the type of its value. */
export function ValueField({ name, value, schema = {}, isDisabled, onChange }: ValueFieldProps): JSX.Element {
  const id = useId();
  const type = typeof schema.type === "string" ? schema.type : typeOf(value);
  const label = schema.title ?? schema.description ?? name;
  if (type === "boolean")
    return (
      <label className="bw-check">
        <input
          type="checkbox"
          checked={value === true}
          disabled={isDisabled}
          onChange={({ target }) => onChange(isCheckedIn(target))}
        />
        <span>{label}</span>
      </label>
    );
  return (
    <div className="bw-field">
      <label htmlFor={id}>{label}</label>
      {schema.enum !== undefined ? (
        <select
          id={id}
          value={value === undefined ? "" : JSON.stringify(value)}
          disabled={isDisabled}
          onChange={({ target }) => onChange(schema.enum?.find((one) => JSON.stringify(one) === textIn(target)))}
        >
          <option value="" disabled>
            Choose
          </option>
          {schema.enum.map((one) => (
            <option key={JSON.stringify(one)} value={JSON.stringify(one)}>
              {typeof one === "string" ? one : JSON.stringify(one)}
            </option>
          ))}
        </select>
      ) : type === "number" || type === "integer" ? (
        <input
          id={id}
          type="number"
          step={type === "integer" ? 1 : "any"}
          defaultValue={typeof value === "number" ? value : ""}
          disabled={isDisabled}
          required
          onChange={({ target }) => onChange(numberIn(target))}
        />
      ) : type === "string" ? (
        <textarea
          id={id}
          dir="auto"
          rows={typeof value === "string" && value.length > 60 ? 4 : 1}
          defaultValue={typeof value === "string" ? value : ""}
          disabled={isDisabled}
          onChange={({ target }) => onChange(textIn(target))}
        />
      ) : (
        <textarea
          id={id}
          rows={3}
          spellCheck={false}
          defaultValue={value === undefined ? "" : JSON.stringify(value, null, 2)}
          disabled={isDisabled}
          aria-description="JSON"
          onChange={({ target }) => readJson(textIn(target), name, onChange)}
        />
      )}
    </div>
  );
}

function readJson(text: string, name: string, onChange: ValueFieldProps["onChange"]): void {
  try {
    onChange(JSON.parse(text));
  } catch {
    onChange(undefined, `"${name}" is not JSON.`);
  }
}

function typeOf(value: unknown): string {
  return ["string", "number", "boolean"].includes(typeof value) ? typeof value : "json";
}

/** The fields of an object. */
export function ObjectFields({
  value,
  schemas,
  isDisabled,
  onChange,
}: {
  readonly value: Readonly<Record<string, unknown>>;
  readonly schemas?: Readonly<Record<string, FieldSchema>> | undefined;
  readonly isDisabled: boolean;
  readonly onChange: (value: Readonly<Record<string, unknown>>, error?: string) => void;
}): JSX.Element {
  const names = [...new Set([...Object.keys(schemas ?? {}), ...Object.keys(value)])];
  return (
    <>
      {names.map((name) => (
        <ValueField
          key={name}
          name={name}
          value={value[name]}
          schema={schemas?.[name]}
          isDisabled={isDisabled}
          onChange={(next, error) => onChange({ ...value, [name]: next }, error)}
        />
      ))}
    </>
  );
}
