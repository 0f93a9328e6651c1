import type { ImagePart } from "../../contracts/content-part.ts";
import type { Message } from "../../contracts/message.ts";
import type { ModelProvider } from "../../contracts/model-provider.ts";
import { ModelApiError } from "../../errors/model-errors.ts";
import { judgeMedia } from "../../history/media-rules.ts";

/**
 * The error for an image of the newest messages that is too large for a model; `undefined` if there is none. In older
 * messages a text takes the place of such an image, since the person cannot send it again.
 */
export function largeMediaError(messages: readonly Message[], model: ModelProvider): ModelApiError | undefined {
  const { capabilities, provider, modelId } = model;
  if (capabilities.media?.user.maxImageBytes === undefined) return undefined;
  const answered = messages.findLastIndex(({ role }) => role === "assistant");
  for (const { role, content } of messages.slice(answered + 1)) {
    if (role !== "user" || typeof content === "string") continue;
    const images = content.filter((part): part is ImagePart => part.type === "image");
    for (const image of images) {
      const verdict = judgeMedia(image, capabilities, "user");
      if (verdict.part !== undefined || verdict.tooLarge !== true) continue;
      return new ModelApiError(
        "MODEL_MEDIA_TOO_LARGE",
        `The image was not sent to ${modelId}: ${verdict.why}. Send a smaller one.`,
        { provider, model: modelId, retryable: false, mayHaveRun: false },
      );
    }
  }
  return undefined;
}
