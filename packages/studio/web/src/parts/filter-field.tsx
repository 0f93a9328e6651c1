import { useEffect, useState } from "react";

interface FilterFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Searches on each letter; otherwise on Enter, and when the viewer leaves the field. */
  readonly live?: boolean;
  /** Values that the browser suggests. */
  readonly offers?: readonly string[];
}

/** A search field with its name in front, which stays visible when the field is filled. */
export function FilterField({ label, value, onChange, live = false, offers = [] }: FilterFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const commit = (): void => {
    if (text !== value) onChange(text);
  };
  const list = `offers-${label}`;
  return (
    <label className={value === "" ? "choice word" : "choice word set"}>
      <span className="choice-name">{label}</span>
      <input
        value={text}
        list={offers.length > 0 ? list : undefined}
        placeholder="Any"
        onChange={({ target }) => {
          setText(target.value);
          if (live) onChange(target.value);
        }}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
        }}
      />
      {offers.length > 0 && (
        <datalist id={list}>
          {offers.map((offer) => (
            <option key={offer} value={offer} />
          ))}
        </datalist>
      )}
    </label>
  );
}

interface FilterChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string | undefined) => void;
}

/** A choice of a search with its name in front. */
export function FilterChoice({ label, value, options, onChange }: FilterChoiceProps) {
  return (
    <label className={value === undefined ? "choice" : "choice set"}>
      <span className="choice-name">{label}</span>
      <select value={value ?? ""} onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}>
        <option value="">Any</option>
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
