import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { StudioTool } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { count, duration } from "../format.ts";
import { Icon } from "../icons.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Empty, Failed, Loading, TrustBadge } from "../parts/states.tsx";
import { useTitle } from "../use-title.ts";

const roles = {
  decides: "decides what the call does",
  sends: "decides where data goes",
  payload: "content",
  free: "free",
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

/** Tools with their rights, the reason of the flow rules, and numbers of their calls. */
export function ToolsPage() {
  useTitle("Tools");
  const tools = useQuery({ queryKey: ["tools"], queryFn: api.tools });
  if (tools.isPending) return <Loading lines={8} />;
  if (tools.isError) return <Failed page error={tools.error} retry={() => void tools.refetch()} />;
  const agents = Map.groupBy(tools.data.tools, ({ agentId }) => agentId);
  return (
    <div className="page">
      <div className="page-head">
        <h1>Tools</h1>
        <span className="soft">Numbers of the newest {count(tools.data.overRuns)} runs</span>
      </div>
      {tools.data.failures.map(({ agentId, message }) => (
        <p key={agentId} className="note warn">
          <strong>{agentId}</strong> {message}
        </p>
      ))}
      {agents.size === 0 && tools.data.failures.length === 0 && (
        <Empty icon="tools" title="No agent is here">
          <p>
            Pass your agents with <code>{"studio({ store, agents: [agent] })"}</code> to see their tools.
          </p>
        </Empty>
      )}
      {[...agents].map(([agentId, list]) => (
        <section key={agentId} className="stack">
          <h2>{agentId}</h2>
          <ul className="tool-list">
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
          <code>{explanation.name}</code>
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
          {isGuessed && <span className="badge calm">guessed</span>}
        </span>
        <ToolNumbers tool={tool} />
      </button>
      {open && (
        <div className="tool-body">
          <p>{explanation.why}</p>
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

/** Statistics of a tool; a column is empty until there is something to count. */
function ToolNumbers({ tool }: { readonly tool: StudioTool }) {
  const numbers = [
    ["Calls", count(tool.calls), ""],
    ["Errors", count(tool.errors), tool.errors > 0 ? "bad-text" : ""],
    ["Rejected", count(tool.rejections), tool.rejections > 0 ? "wait-text" : ""],
    ["p50", duration(tool.p50) || "–", ""],
    ["p95", duration(tool.p95) || "–", ""],
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
