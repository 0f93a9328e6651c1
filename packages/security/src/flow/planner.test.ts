import type { ResolvedTool } from "@bailiwick/core";
import { expect, test } from "vitest";

import { plannerPrompt } from "./planner.ts";
import { mcpServer, resolved } from "./resolved.test.helper.ts";

const schema = {
  type: "object",
  description: "WORDS",
  properties: { title: { type: "string", title: "WORDS" }, tags: { type: "array", items: [{ default: "WORDS" }] } },
  patternProperties: { title: { examples: ["WORDS"] } },
  $defs: { title: { $comment: "WORDS" } },
  required: ["title"],
  additionalProperties: false,
  minProperties: 1,
  const: null,
};

function facts(tool: ResolvedTool): Readonly<Record<string, unknown>> {
  const { tools } = JSON.parse(plannerPrompt("", { userWords: [] }, [tool])) as { tools: [Record<string, unknown>] };
  return tools[0];
}

test("[grants.planner.sees-only] a server's own words stay out, names and types of its schemas do not", () => {
  const server = { ...resolved({}, mcpServer), __inputJsonSchema: schema, __outputJsonSchema: schema } as ResolvedTool;
  expect(JSON.stringify(facts(server))).not.toContain("WORDS");
  const bare = {
    type: "object",
    properties: { title: { type: "string" }, tags: { type: "array", items: [{}] } },
    patternProperties: { title: {} },
    $defs: { title: {} },
    required: ["title"],
    additionalProperties: false,
    minProperties: 1,
    const: null,
  };
  expect(facts(server)).toMatchObject({ input: bare, output: bare });
  expect(facts(server)).not.toHaveProperty("description");
  const own = {
    ...resolved({ description: "WORDS" }),
    __inputJsonSchema: schema,
    __outputJsonSchema: schema,
  } as ResolvedTool;
  expect(facts(own)).toMatchObject({ description: "WORDS", input: schema, output: schema });
});

test("[grants.planner.sees-only] it is told what a tool declares", () => {
  const flow = { authority: ["to"], payload: ["body"], egress: ["host"] };
  expect(facts({ ...resolved(), flow })).toMatchObject(flow);
  expect(facts(resolved({ output: { integrity: "verified" } }))).toMatchObject({ trustedFields: "all" });
  const fields = { id: { integrity: "verified" }, note: { integrity: "untrusted" } };
  const mixed = { ...resolved(), output: { integrity: "untrusted", fields } } as unknown as ResolvedTool;
  expect(facts(mixed)).toMatchObject({ trustedFields: ["id"] });
});
