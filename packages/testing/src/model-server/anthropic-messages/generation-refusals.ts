import { objectOf, objectsOf } from "../json.ts";
import type { Refusal } from "../refusal.ts";
import { invalid } from "./anthropic-error.ts";
import { alwaysThinks, refusesForcedTools } from "./claude-models.ts";

const wires = ["anthropic-messages"] as const;
const whatsNew = "https://platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5";
const version = "2026-10-21";

/** Refusals of options that newer models and the newer API version do not accept. */
export const messagesGenerationRefusals: readonly Refusal[] = [
  {
    id: "anthropic.sampling-removed",
    wires,
    when: "A sampling setting is sent under API version 2026-10-21.",
    source: "https://platform.claude.com/docs/en/api/migration-2026-10-21",
    find: ({ body, headers }) => {
      const name = ["temperature", "top_p", "top_k"].find((setting) => body[setting] !== undefined);
      return name !== undefined && headers["anthropic-version"] === version
        ? invalid(`${name}: Extra inputs are not permitted`)
        : undefined;
    },
  },
  {
    id: "anthropic.thinking-cannot-be-disabled",
    wires,
    when: "Thinking is disabled for a model that always thinks.",
    source: whatsNew,
    find: ({ body, request }) =>
      objectOf(body["thinking"])["type"] === "disabled" && alwaysThinks(request.model)
        ? invalid(
            '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
          )
        : undefined,
  },
  {
    id: "anthropic.forced-tool-unsupported",
    wires,
    when: "A tool is forced on a model that only chooses itself.",
    source: whatsNew,
    find: ({ request: { model, toolChoice } }) =>
      refusesForcedTools(model) && toolChoice !== "auto" && toolChoice !== "none"
        ? invalid("tool_choice: forced tool use is not supported for this model.")
        : undefined,
  },
  {
    id: "anthropic.strict-tools-too-many",
    wires,
    when: "More than 20 tools are strict.",
    source: "https://platform.claude.com/docs/en/build-with-claude/structured-outputs",
    find: ({ body }) => {
      const strict = objectsOf(body["tools"]).filter((tool) => tool["strict"] === true).length;
      return strict > 20
        ? invalid(`Too many strict tools (${strict}). The maximum number of strict tools supported is 20.`)
        : undefined;
    },
  },
];
