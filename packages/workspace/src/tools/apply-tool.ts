import { ToolError, tool, type Tool } from "@bailiwick/core";
import { flagsOf } from "../apply/flags.ts";
import { diffText, shownPath } from "../tree/changes.ts";
import { builtIn } from "./reading-tools.ts";
import { fields, fromCopy, told, type CopyOf } from "./tool-kit.ts";

/**
 * The only way out of the workspace: shows the diff, asks once, and writes exactly what was shown.
 *
 * @param folder - Path of the user's folder, for the question.
 */
export function applyTool(copyOf: CopyOf, folder: string): Tool {
  return builtIn(
    tool({
      name: "apply_changes",
      description:
        "Asks the user to write the changes of the workspace into their folder. The user sees the whole diff. Call it when the work is done.",
      inputSchema: fields(
        { summary: { type: "string", maxLength: 1_000, description: "What the changes do, in one sentence." } },
        ["summary"],
      ),
      sideEffectClass: "side-effecting",
      executionMode: "sequential",
      idempotencyKey: "call",
      needsApproval: true,
      flow: { payload: ["summary"] },
      output: { integrity: "untrusted" },
      inboundSanitization: "detect-and-wrap",
      timeoutMs: 600_000,
      describeCall: () => `Write the changes into ${folder}?`,
      preview: (_, ctx) =>
        told(async () => {
          const copy = copyOf(ctx);
          return copy.alone(async () => {
            const { base, tree, changes } = await copy.pending();
            if (changes.length === 0)
              throw new ToolError("Nothing has changed in the workspace, so there is nothing to apply.");
            return {
              text: `${changes.length} ${changes.length === 1 ? "file" : "files"}: ${changes
                .slice(0, 20)
                .map(({ path }) => shownPath(path))
                .join(", ")}`,
              diff: diffText(changes, copy.store),
              facts: flagsOf(changes, copy.store),
              digest: `${base}:${tree}`,
              exact: true,
            };
          });
        }),
      execute: (_, ctx) =>
        told(async () => {
          const copy = copyOf(ctx);
          const [base, tree] = ctx.preview?.digest.split(":") ?? [];
          if (base === undefined || tree === undefined)
            throw new ToolError("The changes were not shown to anyone, so nothing was written.");
          return copy.alone(async () => {
            const changes = await copy.apply(base, tree, ctx.idempotencyKey ?? ctx.toolCallId);
            return fromCopy(
              copy,
              `Wrote ${changes.length} ${changes.length === 1 ? "file" : "files"} into the user's folder: ${changes
                .slice(0, 50)
                .map(({ path }) => shownPath(path))
                .join(", ")}.`,
            );
          });
        }),
    }),
  );
}
