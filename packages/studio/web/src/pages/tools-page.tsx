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
  decides: "decides what happens to whom",
  sends: "decides where data goes",
  payload: "content",
  free: "free",
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
          {explanation.gated && <span className="badge wait">asks after untrusted text</span>}
          {explanation.grave && explanation.effect === "writer" && (
            <span className="badge bad">money, access or destruction</span>
          )}
          {explanation.outward && <span className="badge">reaches others</span>}
          {isGuessed && <span className="badge calm">guessed</span>}
        </span>
        <span className="tool-numbers soft">
          {tool.calls === 0 ? (
            "not called"
          ) : (
            <>
              {count(tool.calls)} {tool.calls === 1 ? "call" : "calls"}
              {tool.errors > 0 && <span className="bad-text"> · {count(tool.errors)} failed</span>}
              {tool.rejections > 0 && <> · {count(tool.rejections)} rejected</>}
              {tool.p50 !== undefined && <> · half within {duration(tool.p50)}</>}
              {tool.p95 !== undefined && <>, 95 % within {duration(tool.p95)}</>}
            </>
          )}
        </span>
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
