import type { RefObject } from "react";
import { Icon } from "../icons.tsx";

interface SearchBoxProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The search field of a page, which the key `/` reaches. */
export function SearchBox({ field, label, value, onChange }: SearchBoxProps) {
  return (
    <label className="search-field">
      <Icon name="search" />
      <span className="visually-hidden">{label}</span>
      <input
        ref={field}
        type="search"
        placeholder={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}
