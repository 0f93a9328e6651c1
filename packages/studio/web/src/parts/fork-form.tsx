import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { StudioRunDetail } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { failureOf } from "../failure-of.ts";
import { Failed, Loading } from "./states.tsx";

/** True if the studio can fork a run: it has the agent, and the run is not inside a call of another run. */
export const isForkable = ({ drivable, run }: Pick<StudioRunDetail, "drivable" | "run">): boolean =>
  drivable && run.parentRunId === undefined;

interface ForkFormProps {
  readonly runId: string;
  readonly seq: number;
}

/** Starts another run after a record, with another message, and with new texts of the user's messages. */
export function ForkForm({ runId, seq }: ForkFormProps) {
  const navigate = useNavigate();
  const [message, setMessage] = useState("");
  const [isEditing, setEditing] = useState(false);
  const [edits, setEdits] = useState<Readonly<Record<string, string>>>({});
  const fork = useMutation({
    mutationFn: () => api.fork(runId, seq, message, edits),
    onSuccess: ({ runId: forked }) => navigate({ to: "/runs/$runId", params: { runId: forked }, search: {} }),
  });
  return (
    <form
      className="fork"
      onSubmit={(event) => {
        event.preventDefault();
        fork.mutate();
      }}
    >
      <label>
        <span className="visually-hidden">Message of the fork after record {seq}</span>
        <input
          placeholder="Another message (optional)"
          value={message}
          onChange={({ target }) => setMessage(target.value)}
        />
      </label>
      <button type="button" aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
        Edit messages
      </button>
      <button type="submit" disabled={fork.isPending}>
        Fork here
      </button>
      {isEditing && <EditedMessages runId={runId} seq={seq} edits={edits} onChange={setEdits} />}
      {fork.isError && (
        <p className="field-error" role="alert">
          {fork.error.message}
        </p>
      )}
    </form>
  );
}

interface EditedMessagesProps extends ForkFormProps {
  /** New texts by message id; an unchanged message is absent. */
  readonly edits: Readonly<Record<string, string>>;
  readonly onChange: (edits: Readonly<Record<string, string>>) => void;
}

function EditedMessages({ runId, seq, edits, onChange }: EditedMessagesProps) {
  const asked = useQuery({ queryKey: ["fork", runId, seq], queryFn: () => api.forkMessages(runId, seq) });
  const failure = failureOf(asked);
  if (failure !== undefined) return <Failed error={failure} />;
  if (asked.data === undefined) return <Loading lines={2} />;
  const { messages } = asked.data;
  const edit = (id: string, before: string, after: string): void => {
    const { [id]: _former, ...others } = edits;
    onChange(after === before ? others : { ...others, [id]: after });
  };
  if (messages.length === 0) return <p className="faint">There is no message of the user up to this record.</p>;
  return (
    <ol className="messages">
      {messages.map(({ id, text }, index) => (
        <li key={id} className="message user">
          <textarea
            aria-label={`Text of the user’s message ${index + 1}`}
            dir="auto"
            rows={Math.min(12, Math.max(2, Math.ceil(text.length / 60)))}
            value={edits[id] ?? text}
            onChange={({ target }) => edit(id, text, target.value)}
          />
        </li>
      ))}
    </ol>
  );
}
