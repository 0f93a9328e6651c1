import { useId, useState, type FormEvent } from "react";
import { AnswerFields } from "./answer-fields.tsx";
import { readAnswerForm, type AnswerValues } from "./answer-form.ts";
import { fullTime } from "./format.ts";
import type { InterruptionProps } from "./interruption-card.tsx";
import { useDecision } from "./use-decision.ts";

/** A tool's question to the person: its text, and a field for each part of the answer. */
export function QuestionCard({ interruption, onDecided }: InterruptionProps) {
  const { busy, error, decide } = useDecision(interruption, onDecided);
  const [values, setValues] = useState<AnswerValues>({});
  const heading = useId();
  const form = readAnswerForm(interruption.answerJsonSchema);
  const answer = form.answerOf(values);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (answer.ok) void decide({ type: "answer", value: answer.value });
  };
  return (
    <section className="approval question" aria-labelledby={heading} data-tool={interruption.toolName}>
      <h3 id={heading} dir="auto">
        {interruption.question.title}
      </h3>
      <p className="asks">
        {interruption.agentPath.length > 1 ? (
          <>
            The specialist <strong>{interruption.agentName}</strong> asks
          </>
        ) : (
          "The agent asks"
        )}{" "}
        with <code>{interruption.toolName}</code>, and waits for your answer.
      </p>
      <form onSubmit={send}>
        <AnswerFields
          fields={form.fields}
          values={values}
          disabled={busy}
          onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
        />
        {error !== undefined && (
          <p className="banner" role="alert">
            {error}
          </p>
        )}
        <div className="buttons">
          <button type="submit" className="primary" disabled={busy || !answer.ok}>
            Answer
          </button>
          <span className="expires">
            {answer.ok ? `open until ${fullTime(interruption.expiresAt)}` : answer.missing}
          </span>
        </div>
      </form>
    </section>
  );
}
