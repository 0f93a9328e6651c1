import { isToolUIPart, type UIMessage } from "ai";
import type { ReactNode } from "react";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

/** An answer loads nothing by itself: a picture becomes a link. */
const components: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  ),
  img: ({ src, alt }) => (
    <a href={typeof src === "string" ? src : undefined} target="_blank" rel="noreferrer">
      {alt || "picture"}
    </a>
  ),
};

const plugins = [remarkGfm];

const ends: Readonly<Record<string, string>> = {
  "output-available": "done",
  "output-error": "failed",
  "output-denied": "rejected",
  "approval-requested": "waits for you",
};

/** One part of a message: a text, a file, or a tool call, which is folded. */
function Part({ part, isOwn }: { readonly part: UIMessage["parts"][number]; readonly isOwn: boolean }) {
  if (part.type === "text")
    return (
      <div className={isOwn ? "plain" : "markdown"} dir="auto">
        {isOwn ? (
          part.text
        ) : (
          <Markdown remarkPlugins={plugins} components={components}>
            {part.text}
          </Markdown>
        )}
      </div>
    );
  if (part.type === "file")
    return part.mediaType.startsWith("image/") ? (
      <img className="picture" src={part.url} alt={part.filename ?? "Attached picture"} />
    ) : (
      <span className="file">{part.filename ?? part.mediaType}</span>
    );
  if (!isToolUIPart(part)) return null;
  const name = part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length);
  return (
    <details className="call" data-state={part.state}>
      <summary>
        <span className="dot" aria-hidden="true" />
        {name.replaceAll("_", " ")}
        <span className="state">{ends[part.state] ?? "at work"}</span>
      </summary>
      <pre tabIndex={0}>
        {JSON.stringify({ input: part.input, ...("output" in part && { output: part.output }) }, null, 2)}
      </pre>
    </details>
  );
}

/** A message of the chat. */
export function Message({ message: { role, parts } }: { readonly message: UIMessage }): ReactNode {
  const isOwn = role === "user";
  return (
    <article className={`message ${role}`} aria-label={isOwn ? "You" : "Desk"}>
      {parts.map((part, index) => (
        <Part key={index} part={part} isOwn={isOwn} />
      ))}
    </article>
  );
}
