import type { ViewValue } from "@bailiwick/core/questions";
import { useId } from "react";

interface ArgumentFieldsProps {
  readonly args: unknown;
  readonly values: readonly ViewValue[];
  readonly disabled: boolean;
  onChange(args: unknown): void;
}

/** The arguments of a call, one field each, with the origin of the value. They can be changed before the approval. */
export function ArgumentFields({ args, values, disabled, onChange }: ArgumentFieldsProps) {
  if (typeof args !== "object" || args === null || Array.isArray(args))
    return <pre dir="auto">{JSON.stringify(args, null, 2)}</pre>;
  return (
    <div className="fields">
      {Object.entries(args).map(([name, value]) => (
        <ArgumentField
          key={name}
          name={name}
          value={value}
          values={values.filter(
            ({ path }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`),
          )}
          disabled={disabled}
          onChange={(changed) => onChange({ ...args, [name]: changed })}
        />
      ))}
    </div>
  );
}

interface ArgumentFieldProps {
  readonly name: string;
  readonly value: unknown;
  readonly values: readonly ViewValue[];
  readonly disabled: boolean;
  onChange(value: unknown): void;
}

function ArgumentField({ name, value, values, disabled, onChange }: ArgumentFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{name}</label>
      {typeof value === "number" ? (
        <input
          id={id}
          type="number"
          step="any"
          value={Number.isNaN(value) ? "" : value}
          required
          disabled={disabled}
          aria-describedby={`${id}-from`}
          onChange={(event) => onChange(event.target.valueAsNumber)}
        />
      ) : typeof value === "boolean" ? (
        <input
          id={id}
          type="checkbox"
          checked={value}
          disabled={disabled}
          aria-describedby={`${id}-from`}
          onChange={(event) => onChange(event.target.checked)}
        />
      ) : typeof value === "string" ? (
        <TextField id={id} value={value} disabled={disabled} onChange={onChange} />
      ) : (
        <pre id={id} dir="auto">
          {JSON.stringify(value, null, 2)}
        </pre>
      )}
      <ul className="origins" id={`${id}-from`}>
        {values.map(({ path, trusted, source, quote }) => (
          <li key={path} className={trusted ? "trusted" : "untrusted"} dir="auto">
            {trusted ? "" : "⚠ "}
            {source}
            {quote !== undefined && (
              <>
                : <q>{quote}</q>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface TextFieldProps {
  readonly id: string;
  readonly value: string;
  readonly disabled: boolean;
  onChange(value: string): void;
}

function TextField({ id, value, disabled, onChange }: TextFieldProps) {
  if (value.length <= 80 && !value.includes("\n")) {
    return (
      <input
        id={id}
        value={value}
        dir="auto"
        disabled={disabled}
        aria-describedby={`${id}-from`}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <textarea
      id={id}
      value={value}
      dir="auto"
      rows={Math.min(12, value.split("\n").length + 2)}
      disabled={disabled}
      aria-describedby={`${id}-from`}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
