import { useId, useMemo, useState } from "react";
import { count, plural } from "../format.ts";
import { CopyButton } from "./copy-button.tsx";

/** Number of levels that are open at first. */
const openLevels = 2;

/** Number of entries of one list or object that are shown at once. */
const entriesAtOnce = 50;

/** Number of characters of a text that are shown at once. */
const charactersAtOnce = 600;

/** Minimum length, in characters, of a value that gets a search field. */
const searchFrom = 400;

/** A JSON value that folds, searches and copies. */
export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  const [search, setSearch] = useState("");
  const id = useId();
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? "undefined", [value]);
  const wanted = search.trim().toLowerCase();
  return (
    <div className="json">
      <div className="json-bar">
        <span className="json-label">{label}</span>
        {text.length > searchFrom && (
          <>
            <label className="visually-hidden" htmlFor={id}>
              Search in {label}
            </label>
            <input
              id={id}
              type="search"
              placeholder="Search"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          </>
        )}
        <CopyButton text={typeof value === "string" ? value : text} label={`Copy ${label}`} />
      </div>
      <div className="json-body" tabIndex={0} role="group" aria-label={label}>
        <JsonNode value={value} level={0} wanted={wanted} />
      </div>
    </div>
  );
}

interface NodeProps {
  readonly name?: string | undefined;
  readonly value: unknown;
  readonly level: number;
  readonly wanted: string;
}

function JsonNode({ name, value, level, wanted }: NodeProps) {
  const [open, setOpen] = useState(level < openLevels);
  const [shown, setShown] = useState(entriesAtOnce);
  const key = name === undefined ? null : <Marked text={`${name}: `} wanted={wanted} className="json-key" />;
  if (typeof value !== "object" || value === null) {
    return (
      <div className="json-line">
        {key}
        <Leaf value={value} wanted={wanted} />
      </div>
    );
  }
  const entries = Object.entries(value);
  const [first, last] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) {
    return (
      <div className="json-line">
        {key}
        {first}
        {last}
      </div>
    );
  }
  const isOpen = open || (wanted !== "" && holds(value, wanted));
  return (
    <div className="json-node">
      <button type="button" className="json-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {key}
        {isOpen ? first : <Preview value={value} />}
      </button>
      {isOpen && (
        <div className="json-children">
          {entries.slice(0, shown).map(([entry, inner]) => (
            <JsonNode key={entry} name={entry} value={inner} level={level + 1} wanted={wanted} />
          ))}
          {entries.length > shown && (
            <button type="button" className="quiet" onClick={() => setShown(shown * 4)}>
              Show more of {count(entries.length)}
            </button>
          )}
        </div>
      )}
      {isOpen && <div className="json-line">{last}</div>}
    </div>
  );
}

/** Number of entries that a folded value names. */
const entriesInPreview = 3;

/** Number of characters of a text in a folded value. */
const charactersInPreview = 24;

/** A folded value in one line: its size and its beginning. */
function Preview({ value }: { readonly value: object }) {
  if (Array.isArray(value)) return <span>{`[ ${plural(value.length, "item")} ]`}</span>;
  const entries = Object.entries(value);
  const begun = entries.slice(0, entriesInPreview).map(([name, inner]) => `${name}: ${brief(inner)}`);
  const rest = entries.length - begun.length;
  return <span>{`{ ${begun.join(", ")}${rest > 0 ? `, ${count(rest)} more` : ""} }`}</span>;
}

function brief(value: unknown): string {
  if (Array.isArray(value)) return "[…]";
  if (typeof value === "object" && value !== null) return "{…}";
  const text = String(value);
  return text.length > charactersInPreview ? `${text.slice(0, charactersInPreview).toWellFormed()}…` : text;
}

function Leaf({ value, wanted }: { readonly value: unknown; readonly wanted: string }) {
  const [whole, setWhole] = useState(false);
  if (typeof value !== "string") return <span className="json-atom">{String(value)}</span>;
  const cut = !whole && value.length > charactersAtOnce && !(wanted !== "" && value.toLowerCase().includes(wanted));
  return (
    <>
      <Marked text={cut ? value.slice(0, charactersAtOnce) : value} wanted={wanted} className="json-text" />
      {cut && (
        <button type="button" className="quiet" onClick={() => setWhole(true)}>
          Show all {count(value.length)} characters
        </button>
      )}
    </>
  );
}

/** A text with the search matches marked. */
export function Marked({
  text,
  wanted,
  className,
}: {
  readonly text: string;
  readonly wanted: string;
  readonly className?: string;
}) {
  const at = wanted === "" ? -1 : text.toLowerCase().indexOf(wanted);
  if (at < 0) return <span className={className}>{text}</span>;
  return (
    <span className={className}>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + wanted.length)}</mark>
      {text.slice(at + wanted.length)}
    </span>
  );
}

function holds(value: unknown, wanted: string): boolean {
  if (typeof value !== "object" || value === null) return String(value).toLowerCase().includes(wanted);
  return Object.entries(value).some(([name, inner]) => name.toLowerCase().includes(wanted) || holds(inner, wanted));
}
