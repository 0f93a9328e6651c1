import { firstFound } from "../first-found.ts";
import { objectOf, objectsOf, textOf, type JsonObject } from "../json.ts";
import { commonImages, imageTypeOf } from "../media-data.ts";
import type { Refusal } from "../refusal.ts";
import { invalid } from "./anthropic-error.ts";
import { blocksOf } from "./blocks.ts";

const wires = ["anthropic-messages"] as const;

/** Refusals of the Messages API about media, in messages and in the results of tools. */
export const messagesMediaRefusals: readonly Refusal[] = [
  {
    id: "anthropic.media-type",
    wires,
    when: "An image is not JPEG, PNG, GIF or WebP, or a document is not PDF.",
    source: "https://github.com/NousResearch/hermes-agent/issues/55432",
    find: ({ body }) =>
      firstFound(mediaOf(body), ({ kind, source }) => {
        const taken = kind === "image" ? commonImages : ["application/pdf"];
        if (source["type"] !== "base64" || taken.includes(textOf(source["media_type"]))) return undefined;
        const wanted = taken.map((type) => `'${type}'`).join(", ");
        return invalid(`messages: ${kind}.source.base64.media_type: Input should be ${wanted}`);
      }),
  },
  {
    id: "anthropic.media-type-differs",
    wires,
    when: "An image is declared as another type than its bytes show.",
    source: "https://github.com/home-assistant/core/issues/167208",
    find: ({ body }) =>
      firstFound(mediaOf(body), ({ kind, source }) => {
        const found = kind === "image" && source["type"] === "base64" ? imageTypeOf(textOf(source["data"])) : undefined;
        const declared = textOf(source["media_type"]);
        return found === undefined || found === declared
          ? undefined
          : invalid(
              `messages: image.source.base64: The image was specified using the ${declared} media type, but the image appears to be a ${found} image`,
            );
      }),
  },
  {
    id: "anthropic.media-empty",
    wires,
    when: "An image or a document has no data.",
    source: "https://platform.claude.com/docs/en/build-with-claude/vision",
    find: ({ body }) =>
      firstFound(mediaOf(body), ({ kind, source }) =>
        (source["type"] === "base64" || source["type"] === "text") && textOf(source["data"]) === ""
          ? invalid(`messages: ${kind} cannot be empty`)
          : undefined,
      ),
  },
];

interface Media {
  readonly kind: "image" | "document";
  readonly source: JsonObject;
}

function mediaOf(body: JsonObject): readonly Media[] {
  const blocks = objectsOf(body["messages"]).flatMap(({ content }) => blocksOf(content));
  const within = blocks.flatMap((block) => (block["type"] === "tool_result" ? blocksOf(block["content"]) : []));
  return [...blocks, ...within].flatMap(({ type, source }) =>
    type === "image" || type === "document" ? [{ kind: type, source: objectOf(source) }] : [],
  );
}
