import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { MemoryEntry } from "@bailiwick/core";
import { api } from "../api.ts";
import { failureOf } from "../failure-of.ts";
import { ago, fullTime } from "../format.ts";
import { FilterField } from "../parts/filter-field.tsx";
import { PendingButton } from "../parts/pending-button.tsx";
import { readerWords } from "../parts/reader-words.ts";
import { Empty, Failed, Loading, TrustBadge } from "../parts/states.tsx";
import { useTitle } from "../use-title.ts";

/** Memories of one owner at a time. */
export function MemoryPage() {
  useTitle("Memory");
  const [user, setUser] = useState("");
  const [tenant, setTenant] = useState("");
  const [agent, setAgent] = useState("");
  const [text, setText] = useState("");
  const owner = new URLSearchParams({ user, tenant, agent }).toString();
  const memories = useQuery({
    queryKey: ["memories", owner, text],
    queryFn: () => api.memories(`${owner}&${new URLSearchParams({ text })}`),
    placeholderData: (before) => before,
  });
  const failure = failureOf(memories);
  const newest = useQuery({ queryKey: ["runs", "users"], queryFn: () => api.runs({}, undefined), staleTime: 60_000 });
  const users = [...new Set(newest.data?.runs.flatMap(({ userId }) => userId ?? []))].toSorted();
  return (
    <div className="page narrow">
      <div className="page-head">
        <h1>Memory</h1>
      </div>
      <div className="filters" role="search">
        <FilterField live label="User" value={user} onChange={setUser} offers={users} />
        <FilterField live label="Tenant" value={tenant} onChange={setTenant} />
        <FilterField live label="Agent" value={agent} onChange={setAgent} />
        <FilterField live label="Words" value={text} onChange={setText} />
      </div>
      <p className="soft small">
        A memory belongs to one user of one tenant, and it may belong to one agent. Enter a user to see their memories;
        without one, the page shows the memories that belong to no user.
      </p>
      {memories.isPending && <Loading />}
      {failure !== undefined && <Failed error={failure} />}
      {memories.isSuccess && memories.data.memories.length === 0 && (
        <Empty icon="memory" title={emptyTitle(user, text)}>
          <p>
            {user === ""
              ? "Enter the user id of a run to see what the agents remember about this user."
              : "Memories appear here when an agent with memory has finished a run of this user."}
          </p>
        </Empty>
      )}
      <ul className="stack plain">
        {memories.data?.memories.map((entry) => (
          <Memory key={entry.id} entry={entry} owner={owner} />
        ))}
      </ul>
    </div>
  );
}

function emptyTitle(user: string, text: string): string {
  if (text !== "") return "No memory has these words";
  return user === "" ? "No memories without a user" : `No memories of ${user}`;
}

function Memory({ entry, owner }: { readonly entry: MemoryEntry; readonly owner: string }) {
  const queries = useQueryClient();
  const [text, setText] = useState<string>();
  const editButton = useRef<HTMLButtonElement>(null);
  const leave = (): void => {
    setText(undefined);
    editButton.current?.focus();
  };
  const [isOpen, setOpen] = useState(false);
  const onSettled = (): Promise<void> => queries.invalidateQueries({ queryKey: ["memories"] });
  const forget = useMutation({ mutationFn: () => api.forget(entry.id, owner), onSettled });
  const edit = useMutation({
    mutationFn: (edited: string) => api.editMemory(entry.id, owner, edited),
    onSuccess: leave,
    onSettled,
  });
  const error = forget.error ?? edit.error;
  return (
    <li className="card">
      {text === undefined ? (
        <p dir="auto">{entry.text}</p>
      ) : (
        <form
          className="stack"
          onKeyDown={({ key }) => {
            if (key === "Escape") leave();
          }}
          onSubmit={(event) => {
            event.preventDefault();
            edit.mutate(text);
          }}
        >
          <textarea
            aria-label="Text of the memory"
            rows={3}
            required
            autoFocus
            dir="auto"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <p className="soft small">
            The new text keeps this label: an edit does not make an untrusted memory trusted. The earlier text stays in
            the history.
          </p>
          <div className="actions">
            <button type="submit" className="primary" disabled={edit.isPending}>
              Save
            </button>
            <button type="button" onClick={leave}>
              Cancel
            </button>
          </div>
        </form>
      )}
      <div className="memory-foot">
        {entry.name !== undefined && <strong>{entry.name}</strong>}
        <span className="badge">{entry.kind}</span>
        <TrustBadge integrity={entry.label.integrity} />
        <span className="soft small">
          {entry.label.readers === "public" ? "every person may read it" : readerWords(entry.label.readers)}
        </span>
        <span className="soft small">
          written {ago(entry.recordedAt)} by{" "}
          <Link
            to="/runs/$runId"
            params={{ runId: entry.source.runId }}
            search={{ tab: "records", record: entry.source.seq }}
          >
            a run
          </Link>
        </span>
        <span className="actions">
          <button type="button" className="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            History
          </button>
          <PendingButton ref={editButton} pending={text !== undefined} onClick={() => setText(entry.text)}>
            Edit
          </PendingButton>
          <button
            type="button"
            className="danger"
            disabled={forget.isPending}
            onClick={() => {
              if (confirm("Delete this memory, its history and everything derived from it?")) forget.mutate();
            }}
          >
            Delete
          </button>
        </span>
      </div>
      {isOpen && <History id={entry.id} owner={owner} />}
      {error !== null && (
        <p className="field-error" role="alert">
          {error.message}
        </p>
      )}
    </li>
  );
}

function History({ id, owner }: { readonly id: string; readonly owner: string }) {
  const history = useQuery({ queryKey: ["memories", "history", id], queryFn: () => api.history(id, owner) });
  const failure = failureOf(history);
  if (failure !== undefined) return <Failed error={failure} />;
  if (history.data === undefined) return <Loading lines={2} />;
  if (history.data.history.length === 0) return <p className="soft small">This is the first text.</p>;
  return (
    <ol className="stack">
      {history.data.history.map((entry) => (
        <li key={entry.id} className="soft small">
          <time dateTime={new Date(entry.recordedAt).toISOString()}>{fullTime(entry.recordedAt)}</time>{" "}
          <del dir="auto">{entry.text}</del>
        </li>
      ))}
    </ol>
  );
}
