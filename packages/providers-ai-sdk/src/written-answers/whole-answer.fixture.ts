import type { Fields, WrittenAnswer } from "./written-answer.fixture.ts";

type Draft = Record<string, unknown>;

/** The body in which the vendor would send a streamed answer at once; `undefined` if it fails before its end. */
export function wholeAnswer({ wire, events = [] }: WrittenAnswer): Fields | undefined {
  switch (wire) {
    case "anthropic-messages":
      return wholeMessage(events);
    case "openai-responses":
      return events.at(-1)?.["response"] as Fields | undefined;
    case "google-generate":
      return wholeGeneration(events);
    case "openai-chat":
      return wholeCompletion(events);
  }
}

function wholeMessage(events: readonly Fields[]): Fields {
  let message: Draft = {};
  const blocks: Draft[] = [];
  const inputs: string[] = [];
  for (const event of events) {
    const index = event["index"] as number;
    const delta = (event["delta"] ?? {}) as Draft;
    const block = blocks[index];
    if (event["type"] === "message_start") message = { ...(event["message"] as Draft) };
    else if (event["type"] === "message_delta") {
      const usage = { ...(message["usage"] as Draft), ...(event["usage"] as Draft) };
      const { container = message["container"], ...ends } = delta;
      message = { ...message, ...ends, usage, ...(container === undefined ? {} : { container }) };
    } else if (event["type"] === "content_block_start") blocks[index] = { ...(event["content_block"] as Draft) };
    else if (block !== undefined && delta["type"] === "input_json_delta")
      inputs[index] = (inputs[index] ?? "") + text(delta["partial_json"]);
    else if (block !== undefined) growBlock(block, delta);
  }
  for (const [index, input] of inputs.entries()) {
    const block = blocks[index];
    if (block !== undefined && input) block["input"] = parsed(input);
  }
  return { ...message, content: blocks };
}

function growBlock(block: Draft, { type: _type, citation, ...delta }: Draft): void {
  if (citation !== undefined) block["citations"] = [...((block["citations"] ?? []) as unknown[]), citation];
  for (const [key, value] of Object.entries(delta))
    block[key] = typeof value === "string" && key !== "signature" ? text(block[key]) + value : value;
}

function wholeGeneration(events: readonly Fields[]): Fields {
  let whole: Draft = {};
  const candidates = new Map<number, Draft>();
  for (const event of events) {
    const { candidates: news = [], ...top } = event as { candidates?: readonly Draft[] };
    whole = { ...whole, ...top };
    for (const { content, ...more } of news) {
      const index = (more["index"] ?? 0) as number;
      const before = candidates.get(index) ?? {};
      const parts = [...partsOf(before["content"]), ...partsOf(content)];
      candidates.set(index, { ...before, ...more, content: { role: "model", parts } });
    }
  }
  return candidates.size === 0 ? whole : { ...whole, candidates: [...candidates.values()] };
}

function partsOf(content: unknown): readonly Draft[] {
  return ((content as Draft | undefined)?.["parts"] ?? []) as readonly Draft[];
}

function wholeCompletion(events: readonly Fields[]): Fields | undefined {
  let whole: Draft = {};
  const choices = new Map<number, Draft>();
  for (const event of events) {
    if (event["error"] !== undefined) return event;
    const { choices: news = [], ...top } = event as { choices?: readonly Draft[] };
    whole = { ...whole, ...top };
    for (const { delta, message: _so, ...more } of news) {
      const index = more["index"] as number;
      const before = choices.get(index) ?? { message: {} };
      choices.set(index, { ...before, ...more, message: grown(before["message"] as Draft, (delta ?? {}) as Draft) });
    }
  }
  return { ...whole, object: "chat.completion", choices: [...choices.values()] };
}

/** Texts are joined, entries with an index are joined at it, and other values are replaced. */
function grown(before: Draft, delta: Draft): Draft {
  const result = { ...before };
  for (const [key, value] of Object.entries(delta)) {
    const known = result[key];
    if (value === null || value === undefined) result[key] = known ?? value;
    else if (
      typeof value === "string" &&
      typeof known === "string" &&
      !["id", "type", "role", "name", "format"].includes(key)
    )
      result[key] = known + value;
    else if (Array.isArray(value) || Array.isArray(known)) result[key] = joined(known, value);
    else if (typeof value === "object" && typeof known === "object" && known !== null)
      result[key] = grown(known as Draft, value as Draft);
    else if (value !== "" || known === undefined) result[key] = value;
  }
  return result;
}

function joined(known: unknown, value: unknown): unknown {
  const list = (one: unknown): Draft[] =>
    Array.isArray(one) ? (one as Draft[]) : typeof one === "string" && one !== "" ? [{ type: "text", text: one }] : [];
  const entries = list(known);
  for (const entry of list(value)) {
    const at = entries.findIndex(
      (one) => typeof entry["index"] === "number" && one["index"] === entry["index"] && !isAnother(one, entry),
    );
    const before = entries[at];
    if (before === undefined) entries.push(entry);
    else entries[at] = "output" in entry || "arguments" in entry ? { ...before, ...entry } : grown(before, entry);
  }
  return entries;
}

function isAnother(one: Draft, entry: Draft): boolean {
  if (one["type"] !== undefined && entry["type"] !== undefined && one["type"] !== entry["type"]) return true;
  return text(entry["id"]) !== "" && text(one["id"]) !== "" && one["id"] !== entry["id"];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return { INVALID_JSON: input };
  }
}
