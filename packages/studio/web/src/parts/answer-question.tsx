import { useId, useState } from "react";
import { ArgumentField, firstValue, readField, type FieldSchema } from "./argument-form.tsx";
import type { AnswersProps } from "./answer.ts";

/** The answer of a person to a question, or the output of a client tool. */
export function AnswerQuestion({ interruption, pending, answer }: AnswersProps) {
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const id = useId();
  const schema = interruption.answerJsonSchema as
    | {
        readonly type?: string;
        readonly enum?: readonly unknown[];
        readonly properties?: Readonly<Record<string, FieldSchema>>;
      }
    | undefined;
  const choices = schema?.type === "boolean" ? [true, false] : schema?.enum;
  if (choices !== undefined) {
    return (
      <div className="actions">
        {choices.map((choice) => (
          <button
            key={String(choice)}
            type="button"
            disabled={pending}
            onClick={() => answer({ type: "answer", value: choice })}
          >
            {choice === true ? "Yes" : choice === false ? "No" : String(choice)}
          </button>
        ))}
      </div>
    );
  }
  if (schema?.type === "object" && schema.properties !== undefined)
    return <FieldsAnswer properties={schema.properties} {...{ interruption, pending, answer }} />;
  const isText = schema?.type === undefined || schema.type === "string";
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        try {
          answer({ type: "answer", value: isText ? text : (JSON.parse(text) as unknown) });
          setError("");
        } catch {
          setError("This is not JSON. Write a value such as 12, or an object.");
        }
      }}
    >
      <label htmlFor={id}>{isText ? "Your answer" : "Your answer, as JSON"}</label>
      <textarea id={id} rows={2} required value={text} onChange={({ target }) => setText(target.value)} />
      {error !== "" && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <div className="actions">
        <button type="submit" className="primary" disabled={pending}>
          {interruption.kind === "client_tool" ? "Give its output" : "Answer"}
        </button>
        {interruption.kind === "client_tool" && (
          <button
            type="button"
            disabled={pending}
            onClick={() => answer({ type: "fail", reason: text || "It failed." })}
          >
            It failed
          </button>
        )}
      </div>
    </form>
  );
}

/** An answer of several fields. The server checks it against the whole schema. */
function FieldsAnswer({
  properties,
  interruption,
  pending,
  answer,
}: AnswersProps & { readonly properties: Readonly<Record<string, FieldSchema>> }) {
  const [error, setError] = useState("");
  const isClient = interruption.kind === "client_tool";
  const fields = Object.entries(properties).map(([name, schema]) => ({ name, schema, first: firstValue(schema) }));
  return (
    <form
      className="stack arguments"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        const value: Record<string, unknown> = {};
        for (const { name, first } of fields) {
          const entry = form.get(name);
          const read = readField(typeof entry === "string" ? entry : null, first);
          if (read === undefined) {
            setError(`"${name}" is not JSON. Correct it.`);
            return;
          }
          value[name] = read.value;
        }
        setError("");
        answer({ type: "answer", value });
      }}
    >
      {fields.map(({ name, schema, first }) => (
        <ArgumentField key={name} name={name} schema={schema} value={first} isAsked={false} />
      ))}
      {error !== "" && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <div className="actions">
        <button type="submit" className="primary" disabled={pending}>
          {isClient ? "Give its output" : "Answer"}
        </button>
        {isClient && (
          <button type="button" disabled={pending} onClick={() => answer({ type: "fail", reason: "It failed." })}>
            It failed
          </button>
        )}
      </div>
    </form>
  );
}
