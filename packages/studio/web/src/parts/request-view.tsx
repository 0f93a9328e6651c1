import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { StudioModelCall, StudioModelRequest } from "../../../src/views/view-types.ts";
import { api, StudioApiError } from "../api.ts";
import { failureOf } from "../failure-of.ts";
import { plural } from "../format.ts";
import { CopyButton } from "./copy-button.tsx";
import { JsonView } from "./json-view.tsx";
import { MessageItem, Messages } from "./message-list.tsx";
import { Failed, Loading } from "./states.tsx";

interface RequestViewProps {
  readonly runId: string;
  readonly call: StudioModelCall;
}

/** Loads the request of a model call, rebuilt by the agent's code. */
export function useRequest(runId: string, call: Pick<StudioModelCall, "seq" | "purpose"> | undefined) {
  const isTurn = call !== undefined && (call.purpose ?? "turn") === "turn";
  return useQuery({
    queryKey: ["request", runId, call?.seq],
    queryFn: () => api.modelRequest(runId, call?.seq ?? 0),
    enabled: isTurn,
    staleTime: 60_000,
    retry: false,
  });
}

/** The request of a model call: system prompt, messages, tools and settings, and what the compiler changed. */
export function RequestView({ runId, call }: RequestViewProps) {
  const request = useRequest(runId, call);
  const isTurn = (call.purpose ?? "turn") === "turn";
  const failure = failureOf(request);
  if (!isTurn || failure !== undefined) {
    const isMissing = failure instanceof StudioApiError && failure.code === "AGENT_MISSING";
    return (
      <>
        {isTurn && !isMissing && <Failed error={failure} />}
        <p className="note">
          {isTurn
            ? "The studio was opened without the code of this agent. The conversation comes from the journal; instructions and settings are not in it."
            : "This call was made beside the conversation. Its prompt is made by the framework and is not journaled."}
        </p>
        {call.notes.map((note) => (
          <p key={note} className="note">
            {note}
          </p>
        ))}
        <Messages messages={call.messages} />
      </>
    );
  }
  if (request.data === undefined) return <Loading lines={4} />;
  return <Request request={request.data} runId={runId} seq={call.seq} />;
}

function Request({
  request,
  runId,
  seq,
}: {
  readonly request: StudioModelRequest;
  readonly runId: string;
  readonly seq: number;
}) {
  const { exact, changed, system, messages, tools, settings, compiled, warnings } = request;
  return (
    <>
      {exact ? (
        <p className="note good">This is the request that was sent: its hash is the recorded one.</p>
      ) : (
        <p className="note warn">
          <strong>Not the request that was sent: the hash differs.</strong>{" "}
          {changed.length > 0
            ? `Changed since: ${changed.join(", ")}.`
            : "The instructions read something that changes, or the run had its own settings, which are not journaled."}
        </p>
      )}
      {system !== "" && (
        <section className="prompt" aria-label="System prompt">
          <div className="prompt-head">
            <h3>System prompt</h3>
            <CopyButton text={system} label="Copy the system prompt" />
          </div>
          <div className="message-text" dir="auto" tabIndex={0} role="group" aria-label="Text of the system prompt">
            {system}
          </div>
        </section>
      )}
      <h3>{plural(messages.length, "message")}</h3>
      <Messages messages={messages} />
      {tools.length > 0 && (
        <details>
          <summary>{plural(tools.length, "tool")}</summary>
          {tools.map((tool) => (
            <JsonView key={tool.name} value={tool} label={tool.name} />
          ))}
        </details>
      )}
      <JsonView value={settings} label="Settings" />
      {(compiled.length > 0 || warnings.length > 0) && (
        <details>
          <summary>The compiler changed {plural(compiled.length, "message")} for this model</summary>
          {warnings.map((warning) => (
            <p key={warning} className="note">
              {warning}
            </p>
          ))}
          <ol className="messages">
            {compiled.flatMap(({ before, after }, index) => [
              ...(before === undefined ? [] : [<MessageItem key={`b${index}`} message={before} tone="gone" />]),
              ...(after === undefined ? [] : [<MessageItem key={`a${index}`} message={after} tone="added" />]),
            ])}
          </ol>
        </details>
      )}
      <p>
        <Link to="/playground" search={{ run: runId, seq }} className="button">
          Edit and run again
        </Link>
      </p>
    </>
  );
}
