import type { QuestionView, ViewCall, ViewQuote } from "@bailiwick/core/questions";
import { useId, type JSX, type ReactNode } from "react";
import { cardStyles } from "./card-styles.ts";

/** Styles of the cards, once on a page with React 19; before, once a card. */
export function CardStyles({ nonce }: { readonly nonce?: string | undefined }): JSX.Element {
  return (
    <style href="bailiwick-cards" precedence="low" nonce={nonce}>
      {cardStyles}
    </style>
  );
}

/** Options that all cards have. */
export interface CardOptions {
  /** Class of the card, in addition to its own. */
  readonly className?: string | undefined;
  /** Nonce of the card's styles, for pages with a content security policy. */
  readonly nonce?: string | undefined;
}

interface CardFrameProps extends CardOptions {
  readonly view: QuestionView;
  /** The answers. */
  readonly children: ReactNode;
}

/** The facts of a question: level, title, reasons, and each value with its source. */
export function CardFrame({ view, className = "", nonce, children }: CardFrameProps): JSX.Element {
  const { level, levelName, title, sentences, more, request, asker, calls } = view;
  const heading = useId();
  return (
    <section className={`bw-card bw-${level} ${className}`} aria-labelledby={heading} data-level={level}>
      <CardStyles nonce={nonce} />
      <p className="bw-head">
        {levelName !== "" && (
          <strong className="bw-level">
            {level === "normal" ? "" : "⚠ "}
            {levelName}
          </strong>
        )}
        <span>{asker}</span>
      </p>
      <h2 className="bw-title" id={heading} dir="auto">
        {title}
      </h2>
      {sentences.length > 0 && (
        <ul className="bw-why" aria-label="Why you are asked">
          {sentences.map((text) => (
            <li key={text} dir="auto">
              {text}
            </li>
          ))}
        </ul>
      )}
      {request !== undefined && (
        <p className="bw-request">
          You asked: <q dir="auto">{request}</q>
        </p>
      )}
      {calls.length === 1 ? calls.map((call) => <Values key={call.id} call={call} />) : <BatchList calls={calls} />}
      {more.length > 0 && (
        <details>
          <summary>More facts</summary>
          <ul>
            {more.map((text) => (
              <li key={text} dir="auto">
                {text}
              </li>
            ))}
          </ul>
        </details>
      )}
      {children}
    </section>
  );
}

/** The calls of a batch, each with its values. */
function BatchList({ calls }: { readonly calls: readonly ViewCall[] }): JSX.Element {
  return (
    <ol>
      {calls.map((call) => (
        <li key={call.id}>
          <p dir="auto">{call.title}</p>
          <Values call={call} />
        </li>
      ))}
    </ol>
  );
}

function Values({ call: { values, content, preview } }: { readonly call: ViewCall }): JSX.Element {
  return (
    <>
      <dl className="bw-values">
        {values.map(({ path, name, shown, doubtful, trusted, source, quoteParts }) => (
          <div key={path} className={`bw-value ${doubtful ? "bw-doubtful" : ""}`}>
            <dt>{name}</dt>
            <dd>
              <span className="bw-shown" dir="auto">
                {shown}
              </span>
              <span className="bw-source">
                {trusted ? "" : "⚠ untrusted, "}
                {source}
              </span>
              {quoteParts !== undefined && <Quote parts={quoteParts} />}
            </dd>
          </div>
        ))}
      </dl>
      {preview?.text !== undefined && <pre dir="auto">{preview.text}</pre>}
      {preview?.diff !== undefined && (
        <pre dir="auto" aria-label="Difference">
          {preview.diff}
        </pre>
      )}
      {content !== undefined && (
        <details>
          <summary>Content</summary>
          <pre dir="auto">{typeof content === "string" ? content : JSON.stringify(content, null, 2)}</pre>
        </details>
      )}
    </>
  );
}

/** The words around a value in its source, with the value marked. */
function Quote({ parts: { before, value, after } }: { readonly parts: ViewQuote }): JSX.Element {
  return (
    <blockquote className="bw-quote" dir="auto">
      {before}
      {value !== "" && <mark>{value}</mark>}
      {after}
    </blockquote>
  );
}
