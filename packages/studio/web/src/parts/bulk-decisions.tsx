import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { StudioQuestion } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { plural } from "../format.ts";

/** True if a question can be decided together with others: an approval that is not suspicious. */
export function isBulk({ interruption, drivable }: StudioQuestion): boolean {
  return drivable && interruption.kind === "approval" && interruption.question.level !== "suspicious";
}

interface BulkDecisionsProps {
  /** Questions that can be decided together. */
  readonly questions: readonly StudioQuestion[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (ids: ReadonlySet<string>) => void;
}

/** Decides several questions at once. A suspicious call is decided alone, with its second step. */
export function BulkDecisions({ questions, chosen, onChoose }: BulkDecisionsProps) {
  const queries = useQueryClient();
  const wanted = questions.filter(({ interruption }) => chosen.has(interruption.id));
  const decide = useMutation({
    mutationFn: async (type: "approve" | "reject") => {
      for (const { run, interruption } of wanted) {
        const { id, token } = interruption;
        await api.decide(run.runId, { id, type, ...(token !== undefined && { token }) });
      }
    },
    onSettled: async () => {
      onChoose(new Set());
      await queries.invalidateQueries();
    },
  });
  const all = questions.length > 0 && wanted.length === questions.length;
  return (
    <div className="bulk" role="group" aria-label="Several questions">
      <label className="check">
        <input
          type="checkbox"
          checked={all}
          onChange={() => onChoose(new Set(all ? [] : questions.map(({ interruption }) => interruption.id)))}
        />
        Select all that are not suspicious
      </label>
      {wanted.length > 0 && (
        <>
          <span className="soft small">{plural(wanted.length, "question")} selected</span>
          <button
            type="button"
            data-bulk="approve"
            disabled={decide.isPending}
            onClick={() => decide.mutate("approve")}
          >
            Approve {wanted.length}
          </button>
          <button
            type="button"
            className="danger"
            data-bulk="reject"
            disabled={decide.isPending}
            onClick={() => decide.mutate("reject")}
          >
            Reject {wanted.length}
          </button>
        </>
      )}
      {decide.isError && (
        <p className="field-error" role="alert">
          {decide.error.message}
        </p>
      )}
    </div>
  );
}
