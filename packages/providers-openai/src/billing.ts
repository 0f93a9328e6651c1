import { isJsonObject, jsonObjects, jsonText } from "@bailiwick/core/provider";
import type { TokenUsage } from "@bailiwick/core/provider";

type Fields = Readonly<Record<string, unknown>>;

/** Billed facts of an answer besides the tokens of its usage. */
export type Billing = Pick<TokenUsage, "serviceTier" | "hostedCalls" | "reportedUsd">;

/** Names of the standard tier: OpenAI's, Groq's, and the request's wish that some servers echo. */
const standardTiers = new Set(["", "default", "standard", "auto", "on_demand"]);

/**
 * Reads the tier that answered. OpenAI names it `priority` if the request asked for `fast` or `priority`.
 *
 * @param tier - `service_tier` of the answer.
 */
export function readTier(tier: unknown): Billing {
  const name = jsonText(tier);
  return standardTiers.has(name) ? {} : { serviceTier: name };
}

/**
 * Counts the calls of OpenAI's tools that are billed one by one. Steps of a search that only read a page are not; runs of
 * code are billed by container.
 *
 * @param items - Items of an answer of the Responses API.
 * @param tools - The tools as the answer repeats them: a preview of web search has another price.
 */
export function countHostedCalls(items: readonly Fields[], tools: unknown): Billing {
  const preview = jsonObjects(tools).some(({ type }) => jsonText(type).startsWith("web_search_preview"));
  const containers = new Set<unknown>();
  const calls: Record<string, number> = {};
  const add = (name: string): void => {
    calls[name] = (calls[name] ?? 0) + 1;
  };
  for (const { type, action, container_id: container } of items) {
    if (type === "web_search_call") {
      const isSearch = !isJsonObject(action) || action["type"] === undefined || action["type"] === "search";
      if (isSearch) add(preview ? "web_search_preview" : "web_search");
    }
    if (type === "file_search_call") add("file_search");
    if (type === "image_generation_call") add("image_generation");
    if (type === "code_interpreter_call") containers.add(container);
  }
  if (containers.size > 0) calls["code_interpreter"] = containers.size;
  return Object.keys(calls).length === 0 ? {} : { hostedCalls: calls };
}

/**
 * Reads the server's own bill: gateways report dollars, and searches that they made. With a key of your own, OpenRouter
 * bills its fee, and the vendor the rest.
 *
 * @param usage - The server's usage object.
 */
export function readBill(usage: Fields): Billing {
  const details = isJsonObject(usage["cost_details"]) ? usage["cost_details"] : undefined;
  const cost = usage["cost"];
  const upstream = details?.["upstream_inference_cost"];
  const vendors = usage["is_byok"] === true && typeof upstream === "number" ? upstream : 0;
  // A zero without details is the empty value of a server that reports no costs.
  const reported = typeof cost === "number" && cost >= 0 && (cost > 0 || details !== undefined);
  const server = isJsonObject(usage["server_tool_use_details"]) ? usage["server_tool_use_details"] : {};
  const searches = server["web_search_requests"] ?? usage["num_search_queries"];
  return {
    ...(reported ? { reportedUsd: cost + vendors } : {}),
    ...(typeof searches === "number" && searches > 0 ? { hostedCalls: { web_search: searches } } : {}),
  };
}
