import { tool, type Tool } from "@bailiwick/core";
import { backgroundText } from "./changing-tools.ts";
import { builtIn } from "./reading-tools.ts";
import { fields, fromCopy, told, type CopyOf } from "./tool-kit.ts";

export function bashOutputTool(copyOf: CopyOf): Tool {
  return builtIn(
    tool({
      name: "bash_output",
      description: "Returns the new output of a background process of bash.",
      inputSchema: fields(
        {
          bash_id: { type: "string" },
          filter: { type: "string", maxLength: 200, description: "Only lines that have this text." },
        },
        ["bash_id"],
      ),
      sideEffectClass: "read-only",
      output: { integrity: "untrusted" },
      inboundSanitization: "detect-and-wrap",
      execute: (input, ctx) =>
        told(async () => {
          const { bash_id, filter } = input as { readonly bash_id: string; readonly filter?: string };
          const copy = copyOf(ctx);
          const text = await backgroundText(await copy.sandbox(), bash_id, false);
          if (filter === undefined) return fromCopy(copy, text);
          const [status = "", ...lines] = text.split("\n");
          return fromCopy(copy, [status, ...lines.filter((line) => line.includes(filter))].join("\n"));
        }),
    }),
  );
}
