import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { StudioQuestion } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { CopyButton } from "./copy-button.tsx";

/** The person to whom a question is assigned, and its link for a colleague. */
export function Assignment({ question }: { readonly question: StudioQuestion }) {
  const { run, interruption, assignee = "" } = question;
  const info = useQuery({ queryKey: ["info"], queryFn: api.info });
  const queries = useQueryClient();
  const [name, setName] = useState<string>();
  const assign = useMutation({
    mutationFn: (to: string) => api.assign(run.runId, interruption.id, assignee, to),
    onSettled: () => {
      setName(undefined);
      return queries.invalidateQueries({ queryKey: ["inbox"] });
    },
  });
  const link = new URL(`i/${encodeURIComponent(interruption.id)}`, document.baseURI.split("#")[0]).href;
  const me = info.data?.userId;
  return (
    <div className="assignment">
      {info.data?.assigns === true &&
        (name === undefined ? (
          <>
            <span className="soft small">{assignee === "" ? "Not assigned" : `Assigned to ${assignee}`}</span>
            {me !== undefined && me !== assignee && (
              <button type="button" className="quiet" disabled={assign.isPending} onClick={() => assign.mutate(me)}>
                Take it
              </button>
            )}
            <button type="button" className="quiet" onClick={() => setName(assignee)}>
              Assign…
            </button>
          </>
        ) : (
          <form
            className="actions"
            onKeyDown={({ key }) => {
              if (key === "Escape") setName(undefined);
            }}
            onSubmit={(event) => {
              event.preventDefault();
              assign.mutate(name.trim());
            }}
          >
            <input
              aria-label="Assign to"
              placeholder="Name, empty for no one"
              autoFocus
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
            <button type="submit" disabled={assign.isPending}>
              Assign
            </button>
            <button type="button" className="quiet" onClick={() => setName(undefined)}>
              Cancel
            </button>
          </form>
        ))}
      <CopyButton text={link} label="Copy link to this question">
        Copy link
      </CopyButton>
      {assign.isError && (
        <p className="field-error" role="alert">
          {assign.error.message}
        </p>
      )}
    </div>
  );
}
