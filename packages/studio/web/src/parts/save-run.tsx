import { useMutation } from "@tanstack/react-query";
import { api } from "../api.ts";

const kinds = [
  { kind: "test", label: "Save as a test" },
  { kind: "case", label: "Save as a case" },
] as const;

/** Saves a run as a test with the recorded answers of its model, or as a case for an evaluation. */
export function SaveRun({ runId }: { readonly runId: string }) {
  const save = useMutation({
    mutationFn: async (kind: "test" | "case") => {
      const { name, text } = await api.exported(runId, kind);
      const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
      const link = document.createElement("a");
      link.href = url;
      link.download = name;
      link.click();
      URL.revokeObjectURL(url);
      return name;
    },
  });
  return (
    <>
      {kinds.map(({ kind, label }) => (
        <button key={kind} type="button" disabled={save.isPending} onClick={() => save.mutate(kind)}>
          {label}
        </button>
      ))}
      {save.isSuccess && (
        <span className="soft small" role="status">
          Saved {save.data}
        </span>
      )}
      {save.isError && (
        <span className="field-error" role="alert">
          {save.error.message}
        </span>
      )}
    </>
  );
}
