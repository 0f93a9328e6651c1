import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { StudioSpan } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { failureOf } from "../failure-of.ts";
import { CompareCalls } from "./compare-calls.tsx";
import { JsonView } from "./json-view.tsx";
import { Messages } from "./message-list.tsx";
import { RequestView, useRequest } from "./request-view.tsx";
import { Failed, Loading } from "./states.tsx";

interface ModelCallViewProps {
  readonly runId: string;
  readonly span: StudioSpan;
  /** The other model calls of the run. */
  readonly others: readonly StudioSpan[];
}

const views = ["Request", "Response", "Compare", "JSON"] as const;

/** A model call: the request that was sent, the response, and the difference to another call. */
export function ModelCallView({ runId, span, others }: ModelCallViewProps) {
  const seq = span.records[0] ?? 0;
  const call = useQuery({
    queryKey: ["model", runId, seq, span.endAt],
    queryFn: () => api.modelCall(runId, seq),
    // The view of a call stays while the answer is loaded after its end.
    placeholderData: (before) => before,
  });
  const [view, setView] = useState<(typeof views)[number]>("Request");
  const request = useRequest(runId, call.data);
  const failure = failureOf(call);
  if (failure !== undefined) return <Failed error={failure} />;
  if (call.data === undefined) return <Loading lines={4} />;
  const { messages, tools, response, provider, model, requestHash } = call.data;
  return (
    <div className="model-call">
      <div className="segments" role="group" aria-label="Part of the call">
        {views.map((name) => (
          <button key={name} type="button" aria-pressed={view === name} onClick={() => setView(name)}>
            {name}
          </button>
        ))}
      </div>
      {view === "Request" && <RequestView runId={runId} call={call.data} />}
      {view === "Response" &&
        (response === undefined ? (
          <p className="soft">The model has not answered.</p>
        ) : (
          <>
            {response.error !== undefined && (
              <p className="note bad">
                <strong>{response.error.code}</strong> {response.error.message}
              </p>
            )}
            {response.warnings?.map((warning) => (
              <p key={`${warning.code} ${warning.message}`} className="note">
                {warning.message}
              </p>
            ))}
            <Messages messages={[response.message]} />
          </>
        ))}
      {view === "Compare" && <CompareCalls runId={runId} call={call.data} others={others} />}
      {view === "JSON" && (
        <JsonView
          value={{ requestHash, provider, model, request: request.data ?? { messages, tools }, response }}
          label="Model call"
        />
      )}
    </div>
  );
}
