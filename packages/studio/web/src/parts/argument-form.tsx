import { useId, useState, type FormEvent } from "react";

interface ArgumentFormProps {
  readonly args: unknown;
  readonly pending: boolean;
  readonly onCancel: () => void;
  readonly onApprove: (args: unknown) => void;
}

type Fields = Readonly<Record<string, unknown>>;

/** Arguments of a call as fields. The server checks the edited call again, by its schema and its rules. */
export function ArgumentForm({ args, pending, onCancel, onApprove }: ArgumentFormProps) {
  const fields: Fields =
    typeof args === "object" && args !== null && !Array.isArray(args) ? (args as Fields) : { arguments: args };
  const isWhole = fields !== args;
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
  return (
    <form className="stack arguments" onSubmit={submit}>
      {Object.entries(fields).map(([name, value]) => (
        <ArgumentField key={name} name={name} value={value} />
      ))}
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

function ArgumentField({ name, value }: { readonly name: string; readonly value: unknown }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{name}</label>
      {typeof value === "boolean" ? (
        <input id={id} name={name} type="checkbox" defaultChecked={value} />
      ) : typeof value === "number" ? (
        <input id={id} name={name} type="number" step="any" required defaultValue={value} />
      ) : typeof value === "string" && value.length < 80 ? (
        <input id={id} name={name} defaultValue={value} />
      ) : (
        <textarea
          id={id}
          name={name}
          rows={4}
          defaultValue={typeof value === "string" ? value : JSON.stringify(value, null, 2)}
        />
      )}
    </div>
  );
}

function readField(entry: string | null, before: unknown): { readonly value: unknown } | undefined {
  if (typeof before === "boolean") return { value: entry !== null };
  if (typeof before === "number") return { value: Number(entry) };
  if (typeof before === "string") return { value: entry ?? "" };
  try {
    return { value: JSON.parse(entry ?? "null") as unknown };
  } catch {
    return undefined;
  }
}
