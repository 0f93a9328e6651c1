import { questionView } from "@bailiwick/core/questions";
import { useState, type JSX } from "react";
import type { OpenInterruption } from "../use-interruptions.ts";
import { CardFrame, type CardOptions } from "./card-frame.tsx";
import { useAnswer } from "./use-answer.ts";
import { ObjectFields, ValueField, type FieldSchema } from "./value-fields.tsx";

/** Properties of `QuestionCard`. */
export interface QuestionCardProps extends CardOptions {
  /** The question, one of `open.interruptions`: that of a tool, or one about a call whose outcome is not known. */
  readonly question: OpenInterruption;
}

/**
 * A question of a tool, with a form by its schema, or a question whether an uncertain effect happened.
 *
 * @param props - The question, and a class or a nonce of your own.
 * @example
 * ```tsx
 * import { QuestionCard, useAgentChat } from "@bailiwick/react";
 *
 * export function Questions({ id }: { id: string }) {
 *   const { open } = useAgentChat({ id });
 *   const asked = open.interruptions.filter(({ kind }) => kind === "question");
 *   return asked.map((one) => <QuestionCard key={one.id} question={one} />);
 * }
 * ```
 */
export function QuestionCard({ question, ...options }: QuestionCardProps): JSX.Element | null {
  const view = questionView(question);
  const { isBusy, error, send } = useAnswer();
  if (view === undefined) return null;
  return (
    <CardFrame view={view} {...options}>
      {question.kind === "unknown_outcome" ? (
        <div className="bw-actions">
          <button
            type="button"
            className="bw-button"
            disabled={isBusy}
            onClick={() => send(() => question.itHappened())}
          >
            It happened
          </button>
          <button
            type="button"
            className="bw-button"
            disabled={isBusy}
            onClick={() => send(() => question.itDidNotHappen())}
          >
            It did not happen
          </button>
          <button
            type="button"
            className="bw-button bw-quiet"
            disabled={isBusy}
            onClick={() => send(() => question.giveUp())}
          >
            It is not known
          </button>
        </div>
      ) : (
        <AnswerForm
          schema={question.answerJsonSchema}
          isBusy={isBusy}
          onAnswer={(value) => send(() => question.answer(value))}
        />
      )}
      {error !== undefined && (
        <p className="bw-error" role="alert">
          {error}
        </p>
      )}
    </CardFrame>
  );
}

interface AnswerSchema extends FieldSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>;
}

function AnswerForm({
  schema = {},
  isBusy,
  onAnswer,
}: {
  readonly schema: AnswerSchema | undefined;
  readonly isBusy: boolean;
  readonly onAnswer: (value: unknown) => void;
}): JSX.Element {
  const { properties } = schema;
  const [value, setValue] = useState<unknown>(() => (properties === undefined ? "" : emptyOf(properties)));
  const [problem, setProblem] = useState<string>();
  const choices = schema.type === "boolean" ? [true, false] : properties === undefined ? schema.enum : undefined;
  if (choices !== undefined)
    return (
      <div className="bw-actions">
        {choices.map((choice) => (
          <button
            key={String(choice)}
            type="button"
            className="bw-button"
            disabled={isBusy}
            onClick={() => onAnswer(choice)}
          >
            {choice === true ? "Yes" : choice === false ? "No" : String(choice)}
          </button>
        ))}
      </div>
    );
  const take = (next: unknown, wrong?: string): void => {
    setValue(next);
    setProblem(wrong);
  };
  return (
    <form
      className="bw-form"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(value);
      }}
    >
      {properties === undefined ? (
        <ValueField
          name="Your answer"
          value={value}
          schema={{ type: schema.type ?? "string", ...schema }}
          isDisabled={isBusy}
          onChange={take}
        />
      ) : (
        <ObjectFields
          value={Object(value) as Readonly<Record<string, unknown>>}
          schemas={properties}
          isDisabled={isBusy}
          onChange={take}
        />
      )}
      {problem !== undefined && (
        <p className="bw-error" role="alert">
          {problem}
        </p>
      )}
      <div className="bw-actions">
        <button type="submit" className="bw-button bw-primary" disabled={isBusy || problem !== undefined}>
          Answer
        </button>
      </div>
    </form>
  );
}

/** An unchecked box is an answer: false. */
function emptyOf(properties: Readonly<Record<string, FieldSchema>>): Readonly<Record<string, unknown>> {
  const empty: Readonly<Record<string, unknown>> = { boolean: false, string: "" };
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { type }]) =>
      typeof type === "string" && type in empty ? [[name, empty[type]]] : [],
    ),
  );
}
