import type { DeskConfig } from "../desk-api.ts";

/** Always shows if a real model or the embedded one is active. */
export function ModelBadge({ config }: { readonly config: DeskConfig | undefined }) {
  if (config === undefined) return null;
  if (config.model.kind !== "demo")
    return (
      <p className="model" title={config.model.label}>
        Model: {config.model.label}
      </p>
    );
  return (
    <details className="model demo">
      <summary>
        <span className="wide">Embedded </span>demo model
      </summary>
      <div className="about">
        <p>
          This desk runs without a key. In place of a language model, a small program reads the mails by patterns and
          plays the part; the agent framework, the database and the approvals are real. It follows instructions it finds
          in mails, on purpose.
        </p>
        <p>
          For a real model, start the desk with <code>OPENAI_API_KEY</code>, or with <code>BAILIWICK_BASE_URL</code> and{" "}
          <code>BAILIWICK_MODEL</code>.
        </p>
      </div>
    </details>
  );
}
