import { firstFound } from "../first-found.ts";
import { isObject, objectOf, objectsOf, textOf, type JsonObject } from "../json.ts";
import { schemasIn } from "../json-schema-problem.ts";
import { invalidRequest } from "../openai/openai-error.ts";
import type { Refusal, RefusalContext } from "../refusal.ts";
import type { WireError } from "../wire-error.ts";

const wires = ["openai-chat"] as const;

/** A rule for one schema: what is wrong with it; `path` is its place below the root, which is empty. */
type SchemaRule = (schema: JsonObject, path: string) => string | undefined;

/** The first schema of a request's tools that breaks a rule. */
function brokenSchema({ body }: RefusalContext, rule: SchemaRule): string | undefined {
  return firstFound(objectsOf(body["tools"]), (tool) => broken(objectOf(objectOf(tool["function"])["parameters"]), ""));
  function broken(schema: JsonObject, path: string): string | undefined {
    return (
      rule(schema, path) ??
      firstFound(schemasIn(schema), ([step, child]) =>
        isObject(child) ? broken(child, path === "" ? step : `${path}/${step}`) : undefined,
      )
    );
  }
}

const kimiRule: SchemaRule = (schema, path) => {
  const reference = schema["$ref"];
  const at = `At path '${path === "" ? "root" : path}'`;
  if (typeof reference === "string") {
    if (!reference.startsWith("#/$defs/")) return `${at}: references must start with #/$defs/`;
    const other = Object.keys(schema).find((name) => name !== "$ref");
    return other === undefined ? undefined : `${at}: conflicting keywords found after $ref expansion: ${other}`;
  }
  if (schema["anyOf"] === undefined) return schema["type"] === undefined ? `${at}: type is not defined` : undefined;
  return schema["type"] === undefined
    ? undefined
    : `${at}: when using anyOf, type should be defined in anyOf items instead of the parent schema`;
};

const groqRule: SchemaRule = ({ required, properties }) =>
  Array.isArray(required) && required.length > 0 && !isObject(properties)
    ? "'required' present but 'properties' is missing"
    : undefined;

/** Maximum repetition that the rule leaves to a grammar: the server's limit counts nested repetitions together. */
const longest = 100;
const grammarRule: SchemaRule = (schema, path) => {
  const pattern = textOf(schema["pattern"]);
  if (pattern !== "" && !(pattern.startsWith("^") && pattern.endsWith("$")))
    return "JSON schema conversion failed:\nPattern must start with '^' and end with '$'";
  const repeats = ["minLength", "maxLength", "minItems", "maxItems"].some((name) => Number(schema[name]) > longest);
  return repeats || (pattern !== "" && /(^|\/)items(\/|$)/.test(path))
    ? "Failed to initialize samplers: failed to parse grammar"
    : undefined;
};

/** The tools of a Moonshot model, also behind a gateway. */
function ofKimi(context: RefusalContext, find: () => WireError | undefined): WireError | undefined {
  return /kimi|moonshot/.test(context.request.model) ? find() : undefined;
}

function said(problem: string | undefined, error: (problem: string) => WireError): WireError | undefined {
  return problem === undefined ? undefined : error(problem);
}

/** Refusals of servers other than OpenAI about the tools that a request offers. */
export const serverSchemaRefusals: readonly Refusal[] = [
  {
    id: "moonshot.tool-schema",
    wires,
    servers: ["moonshot", "openrouter"],
    when: "A tool of a request to a Kimi model has a schema without a type, a type beside `anyOf`, or a reference with neighbours or to another place than `#/$defs/`.",
    source: "https://github.com/abhigyanpatwari/GitNexus/issues/2703",
    find: (context) =>
      ofKimi(context, () =>
        said(brokenSchema(context, kimiRule), (problem) =>
          invalidRequest(
            `tools.function.parameters is not a valid moonshot flavored json schema, details: <${problem}>`,
          ),
        ),
      ),
  },
  {
    id: "moonshot.tool-name",
    wires,
    servers: ["moonshot"],
    when: "The name of a tool begins with a digit, and the model is a Kimi.",
    source: "https://github.com/MoonshotAI/kimi-cli/issues/2531",
    find: (context) =>
      ofKimi(context, () =>
        objectsOf(context.body["tools"]).some((tool) => /^\d/.test(textOf(objectOf(tool["function"])["name"])))
          ? invalidRequest("Invalid request: function name is invalid, must start with a letter")
          : undefined,
      ),
  },
  {
    id: "groq.tool-schema",
    wires,
    servers: ["groq"],
    when: "A schema of a tool has `required` without `properties`.",
    source: "https://github.com/usestrix/strix/issues/1088",
    find: (context) =>
      said(brokenSchema(context, groqRule), (problem) => invalidRequest(`invalid JSON schema for tool: ${problem}`)),
  },
  {
    id: "servers.tool-grammar",
    wires,
    servers: ["llamacpp", "lmstudio"],
    when: `A schema of a tool has a pattern without anchors or inside of a list, or a repetition over ${longest}: the server makes a grammar of it.`,
    source: "https://github.com/ggml-org/llama.cpp/issues/26930",
    find: (context) => said(brokenSchema(context, grammarRule), (problem) => invalidRequest(problem)),
  },
  {
    id: "minimax.thinking",
    wires,
    servers: ["minimax"],
    when: "`thinking.type` is neither `adaptive` nor `disabled`.",
    source: "https://github.com/CherryHQ/cherry-studio/issues/16431",
    find: ({ body }) => {
      const type = objectOf(body["thinking"])["type"];
      return body["thinking"] === undefined || type === "adaptive" || type === "disabled"
        ? undefined
        : invalidRequest(
            `invalid params, invalid thinking.type: ${JSON.stringify(type)} (allowed: adaptive, disabled) (2013)`,
          );
    },
  },
  {
    id: "minimax.parameters-missing",
    wires,
    servers: ["minimax"],
    when: "A function has no `parameters`.",
    source: "https://github.com/QwenLM/qwen-code/issues/11834",
    find: ({ body }) =>
      objectsOf(body["tools"]).some((tool) => objectOf(tool["function"])["parameters"] === undefined)
        ? invalidRequest("invalid params, function parameters is empty (2013)")
        : undefined,
  },
];
