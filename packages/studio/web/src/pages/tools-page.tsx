import { useQuery } from "@tanstack/react-query";
import { Fragment, useRef, useState } from "react";
import type { StudioTool } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { failureOf } from "../failure-of.ts";
import { count, duration, plural } from "../format.ts";
import { Icon } from "../icons.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { Empty, Failed, Loading, TrustBadge } from "../parts/states.tsx";
import { moveFocus, useKeys } from "../use-keys.ts";
import { useTitle } from "../use-title.ts";

const roles = {
  decides: "decides what the call does",
  sends: "decides where data goes",
  payload: "content",
  free: "free",
} as const;

const classWords = {
  pure: "It computes from its arguments alone, and changes nothing.",
  "read-only": "It reads, and changes nothing.",
  "side-effecting": "It changes state that only this agent reads.",
  "external-stateful": "It changes something outside of the program, such as an order or a mailbox.",
} as const;

const approvals = {
  always: "each call",
  sometimes: "where a function asks for it",
  never: "only where the flow rules ask",
} as const;

const sources = {
  declared: "declared",
  source: "by its source",
  guessed: "guessed from its name",
  default: "assumed",
} as const;

/** Tools with their rights, the reason of the flow rules, and statistics of their calls. */
export function ToolsPage() {
  useTitle("Tools");
  const tools = useQuery({ queryKey: ["tools"], queryFn: api.tools });
  const [words, setWords] = useState("");
  const [isUndeclared, setUndeclared] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useKeys({
    "/": (event) => {
      event.preventDefault();
      field.current?.focus();
    },
    j: () => moveFocus(".tool-head", 1),
    k: () => moveFocus(".tool-head", -1),
  });
  const failure = failureOf(tools);
  if (failure !== undefined) return <Failed page error={failure} retry={() => void tools.refetch()} />;
  if (tools.data === undefined) return <Loading lines={8} />;
  const undeclared = tools.data.tools.filter(({ explanation }) => explanation.declaration !== undefined).length;
  const wanted = words.trim().toLowerCase();
  const shown = tools.data.tools.filter(
    ({ explanation: { name, declaration } }) =>
      name.toLowerCase().includes(wanted) && (!isUndeclared || declaration !== undefined),
  );
  const agents = Map.groupBy(shown, ({ agentId }) => agentId);
  return (
    <div className="page">
      <div className="page-head">
        <h1>Tools</h1>
        <span className="soft">
          {plural(tools.data.tools.length, "tool")}, with the numbers of the newest {plural(tools.data.overRuns, "run")}
        </span>
      </div>
      {tools.data.tools.length > 0 && (
        <div className="filters" role="search">
          <SearchBox field={field} label="Search the names of tools" value={words} onChange={setWords} />
          <button
            type="button"
            className={isUndeclared ? "toggle on" : "toggle"}
            aria-pressed={isUndeclared}
            onClick={() => setUndeclared(!isUndeclared)}
          >
            Not fully declared <span className="tab-count">{count(undeclared)}</span>
          </button>
        </div>
      )}
      {tools.data.failures.map(({ agentId, message }) => (
        <p key={agentId} className="note warn">
          <strong>{agentId}</strong> {message}
        </p>
      ))}
      {shown.length === 0 && tools.data.tools.length > 0 && <Empty icon="tools" title="No tool fits this search" />}
      {tools.data.tools.length === 0 && tools.data.failures.length === 0 && (
        <Empty icon="tools" title="No agent is here">
          <p>
            Pass your agents with <code>{"studio({ store, agents: [agent] })"}</code> to see their tools.
          </p>
        </Empty>
      )}
      {[...agents].map(([agentId, list]) => (
        <section key={agentId} className="stack">
          <h2>
            {agentId} <span className="soft">{count(list.length)}</span>
          </h2>
          <ul className="tool-list">
            <li className="tool-columns" aria-hidden="true">
              <span>Tool</span>
              <span>Rules</span>
              <span className="tool-numbers">
                {columns.map((name) => (
                  <span key={name}>{name}</span>
                ))}
              </span>
            </li>
            {list.map((tool) => (
              <ToolItem key={tool.explanation.name} tool={tool} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function ToolItem({ tool }: { readonly tool: StudioTool }) {
  const [open, setOpen] = useState(false);
  const { explanation } = tool;
  const isGuessed = explanation.declaration !== undefined;
  return (
    <li className="tool">
      <button type="button" className="tool-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className="tool-name">
          <Icon name="right" size={12} />
          <code>
            <Breakable name={explanation.name} />
          </code>
        </span>
        <span className="badges">
          <span className={`badge ${explanation.effect === "writer" ? "busy" : ""}`}>
            {explanation.effect === "writer" ? "writes" : "reads"}
          </span>
          {explanation.approval !== "never" && (
            <span className="badge wait">
              {explanation.approval === "always" ? "asks each time" : "asks sometimes"}
            </span>
          )}
          {explanation.gated && explanation.approval !== "always" && (
            <span className="badge wait">asks after untrusted text</span>
          )}
          {explanation.grave && explanation.effect === "writer" && (
            <span className="badge bad">money, access or destruction</span>
          )}
          {explanation.outward && <span className="badge">reaches others</span>}
          {isGuessed && <span className="badge calm">not fully declared</span>}
        </span>
        <ToolNumbers tool={tool} />
      </button>
      {open && (
        <div className="tool-body">
          <p>{explanation.by === "declared" ? classWords[explanation.sideEffectClass] : explanation.why}</p>
          <dl className="facts small">
            <div className="fact">
              <dt>Effect</dt>
              <dd>
                {explanation.effect}, {sources[explanation.by]}
              </dd>
            </div>
            <div className="fact">
              <dt>Class</dt>
              <dd>
                <code>{explanation.sideEffectClass}</code>
              </dd>
            </div>
            <div className="fact">
              <dt>Approval</dt>
              <dd>{approvals[explanation.approval]}</dd>
            </div>
            <div className="fact">
              <dt>Sandbox</dt>
              <dd>{explanation.sandbox === "none" ? "none, runs in the process" : explanation.sandbox}</dd>
            </div>
            <div className="fact">
              <dt>Secrets</dt>
              <dd>{explanation.secrets.length === 0 ? "none" : explanation.secrets.join(", ")}</dd>
            </div>
            <div className="fact">
              <dt>Output</dt>
              <dd>
                <TrustBadge integrity={explanation.output.integrity} /> {sources[explanation.output.by]}
              </dd>
            </div>
          </dl>
          {explanation.arguments.length > 0 && (
            <ul className="argument-roles">
              {explanation.arguments.map((argument) => (
                <li key={argument.path}>
                  <code>{argument.path}</code> {roles[argument.role]}{" "}
                  <span className="faint">{sources[argument.by]}</span>
                </li>
              ))}
            </ul>
          )}
          {explanation.declaration !== undefined && (
            <>
              <p className="soft small">Declare it, so that nothing is guessed:</p>
              <div className="code-line">
                <code>{explanation.declaration}</code>
                <CopyButton text={explanation.declaration} label={`Copy the declaration of ${explanation.name}`} />
              </div>
            </>
          )}
        </div>
      )}
    </li>
  );
}

/** A name that breaks between its words. */
function Breakable({ name }: { readonly name: string }) {
  const parts = name.split(/(?<=[_.\-/])/u);
  return parts.map((part, index) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
}

const columns = ["Calls", "Errors", "Rejected", "p50", "p95"] as const;

/** Statistics of a tool; a column is empty until there is something to count. */
function ToolNumbers({ tool }: { readonly tool: StudioTool }) {
  const numbers = [
    [columns[0], count(tool.calls), ""],
    [columns[1], count(tool.errors), tool.errors > 0 ? "bad-text" : ""],
    [columns[2], count(tool.rejections), tool.rejections > 0 ? "wait-text" : ""],
    [columns[3], duration(tool.p50) || "–", ""],
    [columns[4], duration(tool.p95) || "–", ""],
  ] as const;
  return (
    <span className={tool.calls === 0 ? "tool-numbers unused" : "tool-numbers"}>
      {tool.calls === 0 ? (
        <span>Not called</span>
      ) : (
        numbers.map(([name, value, tone]) => (
          <span key={name} className="tool-number">
            <span className="tool-number-name">{name}</span> <span className={tone}>{value}</span>
          </span>
        ))
      )}
    </span>
  );
}
