import { messagesWire } from "./anthropic-messages/messages-wire.ts";
import { generateWire } from "./google-generate/generate-wire.ts";
import { ollamaWire } from "./ollama-chat/ollama-wire.ts";
import { chatWire } from "./openai-chat/chat-wire.ts";
import { responsesWire } from "./openai-responses/responses-wire.ts";
import type { Wire } from "./wire.ts";

/** The supported wires. */
export const wires: readonly Wire[] = [responsesWire, chatWire, messagesWire, generateWire, ollamaWire];
