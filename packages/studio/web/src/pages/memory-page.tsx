import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { MemoryEntry } from "@bailiwick/core";
import { api } from "../api.ts";
import { ago } from "../format.ts";
import { Empty, Failed, Loading, TrustBadge } from "../parts/states.tsx";
import { useTitle } from "../use-title.ts";

/** Memories of one owner at a time. */
export function MemoryPage() {
  useTitle("Memory");
  const [user, setUser] = useState("");
  const [tenant, setTenant] = useState("");
  const [text, setText] = useState("");
  const owner = new URLSearchParams({ user, tenant }).toString();
  const memories = useQuery({
    queryKey: ["memories", owner, text],
    queryFn: () => api.memories(`${owner}&${new URLSearchParams({ text })}`),
    placeholderData: (before) => before,
  });
  return (
    <div className="page narrow">
      <div className="page-head">
        <h1>Memory</h1>
      </div>
      <div className="filters" role="search">
        <Field label="User" value={user} onChange={setUser} />
        <Field label="Tenant" value={tenant} onChange={setTenant} />
        <Field label="Words" value={text} onChange={setText} />
      </div>
      <p className="soft small">
        A memory belongs to one user of one tenant. Enter a user to see their memories; without one, the page shows the
        memories that belong to no user.
      </p>
      {memories.isPending && <Loading />}
      {memories.isError && <Failed error={memories.error} />}
      {memories.isSuccess && memories.data.memories.length === 0 && (
        <Empty icon="memory" title="No memories for this user" />
      )}
      <ul className="stack plain">
        {memories.data?.memories.map((entry) => (
          <Memory key={entry.id} entry={entry} owner={owner} />
        ))}
      </ul>
    </div>
  );
}

function Memory({ entry, owner }: { readonly entry: MemoryEntry; readonly owner: string }) {
  const queries = useQueryClient();
  const forget = useMutation({
    mutationFn: () => api.forget(entry.id, owner),
    onSettled: () => queries.invalidateQueries({ queryKey: ["memories"] }),
  });
  return (
    <li className="card">
      <p dir="auto">{entry.text}</p>
      <div className="memory-foot">
        <span className="badge">{entry.kind}</span>
        <TrustBadge integrity={entry.label.integrity} />
        {entry.name !== undefined && <code>{entry.name}</code>}
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
        <button
          type="button"
          className="danger"
          disabled={forget.isPending}
          onClick={() => {
            if (confirm("Delete this memory and what was made of it?")) forget.mutate();
          }}
        >
          Delete
        </button>
      </div>
      {forget.isError && (
        <p className="field-error" role="alert">
          {forget.error.message}
        </p>
      )}
    </li>
  );
}

function Field({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <label className="choice word">
      <span className="visually-hidden">{label}</span>
      <input placeholder={label} value={value} onChange={({ target }) => onChange(target.value)} />
    </label>
  );
}
