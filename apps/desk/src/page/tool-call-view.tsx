import { getToolName, type DynamicToolUIPart, type ToolUIPart } from "ai";
import { toolTitle } from "./format.ts";

type Part = ToolUIPart | DynamicToolUIPart;

/** The text and the colour of each state. */
const states: Readonly<Record<Part["state"], readonly [label: string, tone: "busy" | "waiting" | "good" | "bad"]>> = {
  "input-streaming": ["writing the call", "busy"],
  "input-available": ["running", "busy"],
  "approval-requested": ["waits for approval", "waiting"],
  "approval-responded": ["decided", "busy"],
  "output-available": ["done", "good"],
  "output-error": ["failed", "bad"],
  "output-denied": ["stopped, not run", "bad"],
};

const asking = ["waits for an answer", "waiting"] as const;

/** A tool call with its arguments, result and state. */
export function ToolCallView({ part, asks }: { readonly part: Part; readonly asks: boolean }) {
  const name = getToolName(part);
  const [label, tone] = asks && part.state === "input-available" ? asking : states[part.state];
  return (
    <details className="tool" data-tool={name} data-state={part.state}>
      <summary>
        <span className="title">{toolTitle(name)}</span>
        <code>{name}</code>
        <span className={`chip ${tone}`}>{label}</span>
        <span className="brief" dir="auto">
          {brief(part.input)}
        </span>
      </summary>
      <h4>Arguments</h4>
      <pre dir="auto">{pretty(part.input)}</pre>
      {part.state === "output-available" && (
        <>
          <h4>Result</h4>
          <pre dir="auto">{pretty(part.output)}</pre>
        </>
      )}
      {part.state === "output-error" && (
        <>
          <h4>Error</h4>
          <pre dir="auto">{part.errorText}</pre>
        </>
      )}
    </details>
  );
}

/** Short argument values, for the closed line. */
function brief(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  return Object.values(input)
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map((value) => String(value).replace(/\s+/g, " "))
    .map((value) => (value.length > 48 ? `${value.slice(0, 47)}…` : value))
    .join(" · ");
}

function pretty(value: unknown): string {
  if (value === undefined) return "…";
  if (typeof value !== "string") return JSON.stringify(value, null, 2);
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
