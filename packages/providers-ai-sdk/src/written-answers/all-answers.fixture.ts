import { anthropicTurns } from "./anthropic-turns.fixture.ts";
import { anthropicAnswers } from "./anthropic.fixture.ts";
import { chatDialects } from "./chat-dialects.fixture.ts";
import { chatGateways } from "./chat-gateways.fixture.ts";
import { chatsAnswers } from "./chat.fixture.ts";
import { googleParts } from "./google-parts.fixture.ts";
import { googlesAnswers } from "./google.fixture.ts";
import { responsesItems } from "./responses-items.fixture.ts";
import { responsesAnswers } from "./responses.fixture.ts";
import type { WrittenAnswer } from "./written-answer.fixture.ts";

/** All written answers, by name. */
export const answers: Readonly<Record<string, WrittenAnswer>> = {
  ...anthropicAnswers,
  ...anthropicTurns,
  ...responsesAnswers,
  ...responsesItems,
  ...chatsAnswers,
  ...chatDialects,
  ...chatGateways,
  ...googlesAnswers,
  ...googleParts,
};
