import { useId, useState } from "react";
import type { AnswersProps } from "./answer.ts";

/** The answer of a person to a question, or the output of a client tool. */
export function AnswerQuestion({ interruption, pending, answer }: AnswersProps) {
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const id = useId();
  const schema = interruption.answerJsonSchema as
    | { readonly type?: string; readonly enum?: readonly unknown[] }
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
