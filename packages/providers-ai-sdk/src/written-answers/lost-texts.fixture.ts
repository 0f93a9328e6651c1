import type { ModelResponse } from "@bailiwick/core";

/** Fields about an answer that are not part of its content. */
const beside = new Set(
  "type role object status id model logprobs finish_reason native_finish_reason stop_reason finishReason index format".split(
    " ",
  ),
);
/** Fields that are dropped on purpose, with the reason. */
const meant: readonly (readonly [path: RegExp, why: string])[] = [
  [/^(choices|candidates)\.[1-9]/, "only the first answer is used, with a warning"],
  [/jsonPath$/, "it says where a piece of the arguments belongs"],
  [/urlRetrievalStatus$/, "a page that was read is a source"],
  [/image_url\.url$/, "a data URL is kept as its data"],
  [
    /googleMapsWidgetContextToken$|imageUri$|safetyRatings|message\.(name$|provider_metadata)/,
    "it is read from the raw answer",
  ],
  [/annotations\.\d+\.file\./, "it is the file of the request"],
  [/^content\.[02]\.(signature|input)/, "another model took over, and a warning says so"],
];

/**
 * Texts in the content of an answer that are lost when it is read.
 *
 * @param body - The whole answer, as the vendor sends it.
 * @param response - As the adapter read it.
 * @returns The path and the text of each.
 */
export function lostTexts(body: unknown, { message, warnings }: ModelResponse): readonly string[] {
  const { choices, candidates, content, output } = body as Readonly<Record<string, unknown>>;
  const kept = textsIn([message, warnings], []).map(([, text]) => text);
  return textsIn({ choices, candidates, content, output }, [])
    .filter(([path, text]) => !kept.some((one) => one.includes(text)) && !meant.some(([lost]) => lost.test(path)))
    .map(([path, text]) => `${path}: ${text}`);
}

function textsIn(value: unknown, path: readonly string[]): readonly (readonly [path: string, text: string])[] {
  if (typeof value === "string") return value.trim().length < 3 ? [] : [[path.join("."), value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .filter(([key]) => path.length === 0 || !beside.has(key))
    .flatMap(([key, inner]) => textsIn(inner, [...path, key]));
}
