import { firstFound } from "../first-found.ts";
import { jsonSchemaProblem } from "../json-schema-problem.ts";
import { isObject, objectOf, objectsOf, textOf, type JsonObject } from "../json.ts";
import type { Refusal } from "../refusal.ts";
import { invalid } from "./anthropic-error.ts";
import { blocksOf, isThinking } from "./blocks.ts";

const wires = ["anthropic-messages"] as const;
const toolUse = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools";
const caching = "https://platform.claude.com/docs/en/build-with-claude/prompt-caching";

/** Refusals of the Messages API about tools, schemas and cache breakpoints. */
export const messagesToolRefusals: readonly Refusal[] = [
  {
    id: "anthropic.tool-name-invalid",
    wires,
    when: "A tool's name is not 1 to 64 letters, digits, `_` or `-`, or is there twice.",
    source: toolUse,
    find: ({ body }) => {
      const tools = objectsOf(body["tools"]);
      const names = tools.map((tool) => textOf(tool["name"]));
      const wrong = names.findIndex(
        (name, index) => isCustom(tools[index] ?? {}) && !/^[a-zA-Z0-9_-]{1,64}$/.test(name),
      );
      if (wrong !== -1)
        return invalid(`tools.${wrong}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`);
      return new Set(names).size === names.length ? undefined : invalid("tools: Tool names must be unique.");
    },
  },
  {
    id: "anthropic.tool-schema-invalid",
    wires,
    when: "A tool's `input_schema` is missing, is not of type object, or has a composition at its root.",
    source: toolUse,
    find: ({ body }) =>
      firstFound(objectsOf(body["tools"]), (tool, index) => {
        if (!isCustom(tool)) return undefined;
        const schema = tool["input_schema"];
        const at = `tools.${index}.custom.input_schema`;
        if (!isObject(schema)) return invalid(`${at}: Field required`);
        if (schema["type"] === undefined) return invalid(`${at}.type: Field required`);
        if (schema["type"] !== "object") return invalid(`${at}.type: Input should be 'object'`);
        return ["oneOf", "allOf", "anyOf"].some((name) => name in schema)
          ? invalid(`${at}: input_schema does not support oneOf, allOf, or anyOf at the top level`)
          : undefined;
      }),
  },
  {
    id: "anthropic.tool-schema-not-json-schema",
    wires,
    when: "A tool's `input_schema` is not valid JSON Schema of draft 2020-12.",
    source: "https://github.com/anthropics/claude-code/issues/1690",
    find: ({ body }) =>
      firstFound(objectsOf(body["tools"]), (tool, index) =>
        isCustom(tool) && jsonSchemaProblem(objectOf(tool["input_schema"])) !== undefined
          ? invalid(
              `tools.${index}.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://docs.claude.com/en/docs/tool-use.`,
            )
          : undefined,
      ),
  },
  {
    id: "anthropic.tool-argument-name-invalid",
    wires,
    when: "An argument of a tool has a name that is not 1 to 64 letters, digits, `_`, `.` or `-`.",
    source: "https://github.com/anthropics/claude-code/issues/79418",
    find: ({ body }) =>
      firstFound(objectsOf(body["tools"]), (tool, index) =>
        isCustom(tool) &&
        Object.keys(objectOf(objectOf(tool["input_schema"])["properties"])).some(
          (name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name),
        )
          ? invalid(
              `tools.${index}.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`,
            )
          : undefined,
      ),
  },
  {
    id: "anthropic.strict-schema-invalid",
    wires,
    when: "The schema of the answer or of a strict tool has an object without `additionalProperties: false`.",
    source: "https://platform.claude.com/docs/en/build-with-claude/structured-outputs",
    find: ({ body }) => {
      const format = objectOf(objectOf(body["output_config"])["format"]);
      const schemas = [
        ...(format["type"] === "json_schema"
          ? [["output_config.format.schema", objectOf(format["schema"])] as const]
          : []),
        ...objectsOf(body["tools"]).flatMap((tool, index) =>
          tool["strict"] === true ? [[`tools.${index}.custom`, objectOf(tool["input_schema"])] as const] : [],
        ),
      ];
      return firstFound(schemas, ([at, schema]) =>
        isClosed(schema)
          ? undefined
          : invalid(`${at}: For 'object' type, 'additionalProperties' must be explicitly set to false`),
      );
    },
  },
  {
    id: "anthropic.tool-choice-without-tools",
    wires,
    when: "`tool_choice` is sent without tools, or names a missing tool.",
    source: toolUse,
    find: ({ body, request: { toolChoice, tools } }) => {
      if (body["tool_choice"] === undefined) return undefined;
      if (tools.length === 0)
        return invalid("tool_choice: `tool_choice` may only be specified while providing `tools`.");
      return typeof toolChoice === "string" || tools.some((tool) => tool.name === toolChoice.toolName)
        ? undefined
        : invalid(`Tool '${toolChoice.toolName}' not found in provided tools`);
    },
  },
  {
    id: "anthropic.cache-breakpoints-too-many",
    wires,
    when: "More than 4 blocks have `cache_control`.",
    source: caching,
    find: ({ body }) => {
      const found = breakpoints(body).length;
      return found <= 4
        ? undefined
        : invalid(`A maximum of 4 blocks with cache_control may be provided. Found ${found}.`);
    },
  },
  {
    id: "anthropic.cache-breakpoint-order",
    wires,
    when: "A breakpoint of 1 hour comes after one of 5 minutes, in the order tools, system, messages.",
    source: caching,
    find: ({ body }) => {
      const lifetimes = breakpoints(body).map((block) => textOf(objectOf(block["cache_control"])["ttl"]) || "5m");
      const short = lifetimes.indexOf("5m");
      return short === -1 || !lifetimes.slice(short).includes("1h")
        ? undefined
        : invalid(
            "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
          );
    },
  },
  {
    id: "anthropic.cache-breakpoint-on-thinking",
    wires,
    when: "A thinking block has `cache_control`.",
    source: caching,
    find: ({ body }) =>
      firstFound(objectsOf(body["messages"]), (message, index) =>
        firstFound(blocksOf(message["content"]), (block, at) =>
          isThinking(block) && "cache_control" in block
            ? invalid(
                `messages.${index}.content.${at}.${textOf(block["type"])}.cache_control: Extra inputs are not permitted`,
              )
            : undefined,
        ),
      ),
  },
];

function isCustom(tool: JsonObject): boolean {
  return tool["type"] === undefined || tool["type"] === "custom";
}

function breakpoints(body: JsonObject): readonly JsonObject[] {
  const messages = objectsOf(body["messages"]).flatMap((message) => blocksOf(message["content"]));
  const blocks = [
    ...objectsOf(body["tools"]),
    ...objectsOf(body["system"]),
    ...messages.flatMap((block) => [...objectsOf(block["content"]), block]),
  ];
  return blocks.filter((block) => block["cache_control"] != null);
}

function isClosed(schema: JsonObject): boolean {
  if (schema["type"] === "object" && schema["additionalProperties"] !== false) return false;
  const children = [
    ...Object.values(objectOf(schema["properties"])),
    ...Object.values(objectOf(schema["$defs"])),
    schema["items"],
    ...objectsOf(schema["anyOf"]),
  ];
  return children.filter(isObject).every(isClosed);
}
