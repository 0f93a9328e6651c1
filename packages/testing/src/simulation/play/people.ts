import type { Decision, Interruption, JsonSchema } from "@bailiwick/core";
import type { WorldView } from "../options.ts";

/**
 * A truthful person: approves, gives an answer of the form that is asked for, and answers a question about an unknown
 * outcome by what the receivers counted.
 */
export function truthfulPerson(question: Interruption, world: WorldView): Decision {
  switch (question.kind) {
    case "approval":
      return question.approve();
    case "question":
    case "client_tool":
      return question.answer(sampleOf(question.answerJsonSchema));
    case "unknown_outcome": {
      const [made] = world.effectsOf(question);
      if (made === undefined) return question.itDidNotHappen();
      const { name, id, key, number } = made;
      return question.itHappened({ name, id, ...(key !== undefined && { key }), number });
    }
  }
}

/** A value of a JSON Schema. */
function sampleOf(schema: JsonSchema | undefined): unknown {
  const given: Readonly<Record<string, unknown>> = schema ?? {};
  if (Array.isArray(given["enum"])) return (given["enum"] as readonly unknown[])[0];
  if ("const" in given) return given["const"];
  const options = given["anyOf"] ?? given["oneOf"];
  if (Array.isArray(options)) return sampleOf(options[0] as JsonSchema);
  switch (given["type"]) {
    case "object": {
      const properties = (given["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
      const required = (given["required"] ?? []) as readonly string[];
      return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name])]));
    }
    case "array":
      return [];
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    default:
      return "yes";
  }
}
