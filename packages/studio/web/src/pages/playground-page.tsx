import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Message } from "@bailiwick/core";
import type { StudioPrompt } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { failureOf } from "../failure-of.ts";
import { ConversationEditor } from "../parts/conversation-editor.tsx";
import { Empty, Failed, Loading } from "../parts/states.tsx";
import { VariantColumn } from "../parts/variant-column.tsx";
import { editableText, newMessage, type Variant } from "../playground.ts";
import { useTitle } from "../use-title.ts";

const route = getRouteApi("/playground");

/** Maximum number of columns. */
const mostVariants = 4;

/** Talk to an agent, edit the data that it read, and compare prompts and models side by side. */
export function PlaygroundPage() {
  useTitle("Playground");
  const { agent, run: runId, seq } = route.useSearch();
  const info = useQuery({ queryKey: ["info"], queryFn: api.info });
  const from = useQuery({
    queryKey: ["playground", runId, seq],
    queryFn: () => startOf(runId ?? "", seq),
    enabled: runId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (info.isPending || (runId !== undefined && from.isPending)) return <Loading lines={8} />;
  const failure = failureOf(info) ?? failureOf(from);
  if (failure !== undefined) return <Failed page error={failure} />;
  if (info.data === undefined) return <Loading lines={8} />;
  const name = from.data?.agent ?? agent ?? info.data.agents[0];
  if (name === undefined || !info.data.agents.includes(name)) {
    return (
      <div className="page">
        <div className="page-head">
          <h1>Playground</h1>
        </div>
        <Empty icon="model" title={name === undefined ? "No agent is here" : `The code of ${name} is not here`}>
          <p>
            Pass your agents with <code>{"studio({ store, agents: [agent] })"}</code> to talk to them.
          </p>
        </Empty>
      </div>
    );
  }
  return (
    <PlaygroundOf
      key={`${name} ${runId ?? ""} ${seq ?? ""}`}
      agent={name}
      agents={info.data.agents}
      models={info.data.models}
      start={from.data}
    />
  );
}

/** The playground of an agent; the forks begin with its instructions. */
function PlaygroundOf(props: Omit<PlaygroundProps, "prompt" | "newest">) {
  const { agent, start } = props;
  const prompt = useQuery({
    queryKey: ["prompt", agent],
    queryFn: () => api.prompt(agent),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const failure = failureOf(prompt);
  if (failure !== undefined) return <Failed page error={failure} retry={() => void prompt.refetch()} />;
  if (prompt.data === undefined) return <Loading lines={8} />;
  return <Playground {...props} prompt={start?.instructions || prompt.data.text} newest={prompt.data.newest} />;
}

interface Start {
  readonly agent: string;
  readonly runId: string;
  readonly messages: readonly Message[];
  readonly instructions: string;
}

/** The conversation of a run: before one of its model calls, or whole. */
async function startOf(runId: string, seq: number | undefined): Promise<Start> {
  const { run, spans } = await api.run(runId);
  const models = spans.filter(({ kind, records }) => kind === "model" && records.length > 0);
  const at = seq ?? models.at(-1)?.records[0];
  if (at === undefined) return { agent: run.agentId, runId, messages: [newMessage(run.title)], instructions: "" };
  const [call, request] = await Promise.all([
    api.modelCall(runId, at),
    api.modelRequest(runId, at).catch(() => undefined),
  ]);
  const answer = seq === undefined && call.response?.error === undefined ? call.response?.message : undefined;
  return {
    agent: run.agentId,
    runId,
    messages: answer === undefined ? call.messages : [...call.messages, answer, newMessage("")],
    instructions: request?.system ?? "",
  };
}

interface PlaygroundProps {
  readonly agent: string;
  readonly agents: readonly string[];
  readonly models: readonly string[];
  readonly start: Start | undefined;
  /** Instructions of the run or the agent; `undefined` if they are a function, and no run shows them. */
  readonly prompt: string | undefined;
  /** The system prompt of the newest run of an agent whose instructions are a function. */
  readonly newest: StudioPrompt["newest"];
}

function Playground({ agent, agents, models, start, prompt, newest }: PlaygroundProps) {
  const navigate = route.useNavigate();
  const [messages, setMessages] = useState<readonly Message[]>(start?.messages ?? [newMessage("")]);
  const [simulated, setSimulated] = useState(true);
  const [variants, setVariants] = useState<readonly Variant[]>([{ id: 1, model: "", instructions: prompt ?? "" }]);
  const change = (id: number, next: Partial<Variant>): void =>
    setVariants((all) => all.map((one) => (one.id === id ? { ...one, ...next } : one)));
  const kept = messages.filter((message) => message.role !== "user" || editableText(message).trim() !== "");
  const last = kept.at(-1);
  // After an answer, it is the user's turn.
  const isReady =
    kept.some(({ role }) => role === "user") && !(last?.role === "assistant" && last.toolCalls.length === 0);
  const play = async (wanted: readonly Variant[]): Promise<void> => {
    await Promise.all(
      wanted.map(async ({ id, model, instructions }) => {
        change(id, { runId: undefined, error: undefined });
        try {
          const { runId } = await api.play(agent, {
            messages: kept,
            ...(model !== "" && { model }),
            ...(instructions.trim() !== "" && instructions !== prompt && { instructions }),
            effects: simulated ? "simulate" : "run",
            ...(start !== undefined && { fromRunId: start.runId }),
          });
          change(id, { runId });
        } catch (error) {
          change(id, { error: error instanceof Error ? error.message : String(error) });
        }
      }),
    );
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && isReady) void play(variants);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
  /** Continues from the answer of one column. */
  const continueFrom = async (runId: string): Promise<void> => {
    const next = await startOf(runId, undefined);
    setMessages(next.messages);
    setVariants((all) => all.map((one) => ({ ...one, runId: undefined, error: undefined })));
  };
  return (
    <div className="page playground">
      <div className="page-head">
        <h1>Playground</h1>
        <label className="field-row">
          Agent
          <select
            value={agent}
            onChange={({ target }) => void navigate({ search: { agent: target.value }, replace: true })}
          >
            {agents.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label className="field-row">
          Tools
          <select
            value={simulated ? "simulate" : "run"}
            onChange={({ target }) => setSimulated(target.value === "simulate")}
          >
            <option value="simulate">Simulate writers</option>
            <option value="run">Run every call</option>
          </select>
        </label>
        <div className="actions">
          {variants.length < mostVariants && (
            <button
              type="button"
              onClick={() =>
                setVariants([
                  ...variants,
                  {
                    id: Math.max(...variants.map(({ id }) => id)) + 1,
                    model: models[0] ?? "",
                    instructions: variants.at(-1)?.instructions ?? "",
                  },
                ])
              }
            >
              Add a fork
            </button>
          )}
          <button type="button" className="primary" disabled={!isReady} onClick={() => void play(variants)}>
            {variants.length === 1 ? "Run" : `Run ${variants.length} forks`}
          </button>
        </div>
      </div>
      {!simulated && (
        <p className="note warn">
          Every call runs: money is paid and mail is sent, as far as the rules and approvals of the agent allow it.
        </p>
      )}
      <div className="playground-split">
        <ConversationEditor messages={messages} onChange={setMessages} />
        <div className="variants" style={{ "--columns": variants.length } as React.CSSProperties}>
          {variants.map((variant) => (
            <VariantColumn
              key={variant.id}
              variant={variant}
              models={models}
              prompt={prompt}
              newest={newest}
              onChange={(next) => change(variant.id, next)}
              onRemove={
                variants.length === 1 ? undefined : () => setVariants(variants.filter(({ id }) => id !== variant.id))
              }
              onContinue={(runId) => void continueFrom(runId)}
              comparedWith={variants.find(({ id, runId }) => id !== variant.id && runId !== undefined)?.runId}
            />
          ))}
        </div>
      </div>
    </div>
  );
}
