import type { DiffLine } from "../line-diff.ts";

/** Number of unchanged lines that are shown around a change. */
const around = 2;

const marks = { same: " ", gone: "−", added: "+" } as const;
const words = { same: "", gone: "removed: ", added: "added: " } as const;

/** Two texts line by line; parts without changes fold. */
export function TextDiff({ label, lines }: { readonly label: string; readonly lines: readonly DiffLine[] }) {
  const changed = lines.flatMap(({ kind }, index) => (kind === "same" ? [] : [index]));
  if (changed.length === 0) return <p className="soft small">{label}: no difference.</p>;
  const near = (index: number): boolean => changed.some((at) => Math.abs(at - index) <= around);
  return (
    <section className="diff" aria-label={label}>
      <p className="diff-title">{label}</p>
      <div className="diff-lines" tabIndex={0} role="group" aria-label={`Changed lines of ${label}`}>
        {lines.map(({ kind, text }, index) =>
          near(index) ? (
            <div key={index} className={`diff-line ${kind}`}>
              <span aria-hidden="true">{marks[kind]}</span>
              <span>
                <span className="visually-hidden">{words[kind]}</span>
                {text}
              </span>
            </div>
          ) : near(index - 1) ? (
            <div key={index} className="diff-line fold">
              …
            </div>
          ) : null,
        )}
      </div>
    </section>
  );
}
