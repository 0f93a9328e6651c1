import type { WireEvent } from "./wire.ts";
import type { ModelServerWire } from "./wire-name.ts";

/** The bytes of one stream event, in the framing of the wire's vendor. */
export function frameEvent(wire: ModelServerWire, { event, data }: WireEvent): string {
  const line = `data: ${typeof data === "string" ? data : JSON.stringify(data)}`;
  switch (wire) {
    case "openai-responses":
    case "anthropic-messages":
      return event === undefined ? `${line}\n\n` : `event: ${event}\n${line}\n\n`;
    case "openai-chat":
      return `${line}\n\n`;
    case "google-generate":
      return `${line}\r\n\r\n`;
  }
}
