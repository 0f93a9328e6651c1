import type { WireEvent } from "./wire.ts";
import type { ModelServerWire } from "./wire-name.ts";

/** The bytes of one stream event, in the framing of the wire's vendor. */
export function frameEvent(wire: ModelServerWire, { event, data }: WireEvent): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  const line = `data: ${text}`;
  switch (wire) {
    case "openai-responses":
    case "anthropic-messages":
      return event === undefined ? `${line}\n\n` : `event: ${event}\n${line}\n\n`;
    case "openai-chat":
      return `${line}\n\n`;
    case "google-generate":
      return `${line}\r\n\r\n`;
    case "ollama-chat":
      return `${text}\n`;
  }
}

/** The content type of a stream. */
export function streamType(wire: ModelServerWire): string {
  return wire === "ollama-chat" ? "application/x-ndjson" : "text/event-stream; charset=utf-8";
}
