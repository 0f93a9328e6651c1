import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Message } from "@bailiwick/core";
import type { StudioModelCall, StudioSpan } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { count, plural } from "../format.ts";
import { lineDiff } from "../line-diff.ts";
import { MessageItem } from "./message-list.tsx";
import { useRequest } from "./request-view.tsx";
import { Loading } from "./states.tsx";
import { TextDiff } from "./text-diff.tsx";

interface CompareProps {
  readonly runId: string;
  readonly call: StudioModelCall;
  readonly others: readonly StudioSpan[];
}

/** The difference between two model calls of a run: messages, system prompt, settings and tools. */
export function CompareCalls({ runId, call, others }: CompareProps) {
  const usual = others.findLast((span) => (span.records[0] ?? 0) < call.seq) ?? others[0];
  const [chosen, setChosen] = useState(usual?.records[0]);
  const other = useQuery({
    queryKey: ["model", runId, chosen],
    queryFn: () => api.modelCall(runId, chosen ?? 0),
    enabled: chosen !== undefined,
  });
  const now = useRequest(runId, call);
  const before = useRequest(runId, other.data);
  if (chosen === undefined) return <p className="soft">The run has no other model call.</p>;
  const sent = now.data?.messages ?? call.messages;
  const known = before.data?.messages ?? other.data?.messages ?? [];
  const added = missingIn(sent, known);
  const removed = missingIn(known, sent);
  return (
    <>
      <label className="field-row">
        Compare with
        <select value={chosen} onChange={({ target }) => setChosen(Number(target.value))}>
          {others.map((span) => (
            <option key={span.id} value={span.records[0]}>
              turn {span.turn}, {span.title} {span.note ?? ""}
            </option>
          ))}
        </select>
      </label>
      {other.isPending && <Loading lines={3} />}
      {other.isSuccess && (
        <>
          <p className="soft small">
            {plural(sent.length - added.length, "message")} as before, {count(added.length)} added,{" "}
            {count(removed.length)} gone.
          </p>
          {before.data !== undefined && now.data !== undefined && (
            <>
              <TextDiff label="System prompt" lines={lineDiff(before.data.system, now.data.system)} />
              <TextDiff
                label="Settings and tools"
                lines={lineDiff(settingsText(before.data), settingsText(now.data))}
              />
            </>
          )}
          <ol className="messages">
            {removed.map((message) => (
              <MessageItem key={`gone ${message.id}`} message={message} tone="gone" />
            ))}
            {added.map((message) => (
              <MessageItem key={message.id} message={message} tone="added" />
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function settingsText({ settings, tools }: { readonly settings: unknown; readonly tools: readonly unknown[] }): string {
  return JSON.stringify({ settings, tools }, null, 2);
}

function missingIn(messages: readonly Message[], others: readonly Message[]): readonly Message[] {
  const known = new Set(others.map((message) => JSON.stringify(message)));
  return messages.filter((message) => !known.has(JSON.stringify(message)));
}
