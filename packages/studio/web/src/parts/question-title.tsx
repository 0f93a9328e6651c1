import { shortTitle } from "./short-title.ts";

/** The heading of a question. A long sentence is cut, and shown whole on hover and below. */
export function QuestionTitle({ title }: { readonly title: string }) {
  const short = shortTitle(title);
  if (short === title) return <h2 dir="auto">{title}</h2>;
  return (
    <>
      <h2 dir="auto" title={title}>
        {short}
      </h2>
      <details className="whole-title small">
        <summary>The whole sentence</summary>
        <p dir="auto">{title}</p>
      </details>
    </>
  );
}
