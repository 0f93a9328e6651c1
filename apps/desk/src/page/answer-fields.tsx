import { useId } from "react";
import type { AnswerField, AnswerValues } from "./answer-form.ts";

interface AnswerFieldsProps {
  readonly fields: readonly AnswerField[];
  readonly values: AnswerValues;
  readonly disabled: boolean;
  onChange(name: string, value: string | boolean): void;
}

/** The fields of an answer: choices to pick, text to write, boxes to tick. */
export function AnswerFields({ fields, values, disabled, onChange }: AnswerFieldsProps) {
  return (
    <div className="fields">
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={values[field.name]}
          disabled={disabled}
          onChange={(value) => onChange(field.name, value)}
        />
      ))}
    </div>
  );
}

interface OneFieldProps {
  readonly field: AnswerField;
  readonly value: string | boolean | undefined;
  readonly disabled: boolean;
  onChange(value: string | boolean): void;
}

function OneField({ field, value, disabled, onChange }: OneFieldProps) {
  const id = useId();
  const text = typeof value === "string" ? value : "";
  if (field.kind === "choice") {
    return (
      <fieldset className="choices" disabled={disabled}>
        <legend className={field.label === field.name ? "visually-hidden" : undefined}>{field.label}</legend>
        {field.choices.map((choice) => (
          <label key={choice} className="choice">
            <input
              type="radio"
              name={id}
              checked={value === choice}
              required={field.required}
              onChange={() => onChange(choice)}
            />
            {choice}
          </label>
        ))}
      </fieldset>
    );
  }
  if (field.kind === "yes-no") {
    return (
      <label className="check">
        <input
          type="checkbox"
          checked={value === true}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
        />
        {field.label}
      </label>
    );
  }
  return (
    <div className="answer">
      <label htmlFor={id}>
        {field.label}
        {field.required ? "" : " (optional)"}
      </label>
      {field.kind === "number" ? (
        <input
          id={id}
          type="number"
          step="any"
          value={text}
          required={field.required}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <textarea
          id={id}
          rows={field.kind === "json" ? 4 : 2}
          value={text}
          dir="auto"
          required={field.required}
          disabled={disabled}
          spellCheck={field.kind !== "json"}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  );
}
