import type { ContentPart } from "../contracts/content-part.ts";
import { isObject } from "../errors/value-checks.ts";

/** True if the value is a part that a user's message or a tool's result may have. */
export function isContentPart(value: unknown): value is ContentPart {
  if (!isObject(value)) return false;
  switch (value["type"]) {
    case "text":
      return typeof value["text"] === "string";
    case "image":
      return isData(value["data"]) || typeof value["url"] === "string";
    case "audio":
      return isData(value["data"]) && typeof value["mimeType"] === "string";
    case "file":
      return (isData(value["data"]) || typeof value["url"] === "string") && typeof value["mimeType"] === "string";
    default:
      return false;
  }
}

function isData(value: unknown): boolean {
  return typeof value === "string" || value instanceof Uint8Array;
}
