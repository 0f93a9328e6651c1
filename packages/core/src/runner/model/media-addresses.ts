import type { ModelProvider } from "../../contracts/model-provider.ts";
import { judgeMedia } from "../../history/media-rules.ts";
import { lazyPart } from "../../loading/lazy-part.ts";
import { toBase64, typeOfBytes } from "../../providers/media.ts";
import type { Run } from "../run.ts";

const downloads = lazyPart("The download of media", () => import("./download-media.ts"));

/**
 * Downloads the media of the conversation that are at addresses, where the model's server takes their bytes only.
 *
 * @returns true if the conversation changed.
 */
export async function downloadMedia(run: Run, model: ModelProvider, turn: number): Promise<boolean> {
  const { messages } = run.journal.state;
  if (model.capabilities.media === undefined) return false;
  const holdsMedia = messages.some(
    ({ role, content }) =>
      (role === "user" || role === "tool") &&
      typeof content !== "string" &&
      content.some(({ type }) => type !== "text"),
  );
  if (!holdsMedia) return false;
  return downloads(({ downloadAll }) => downloadAll(run, model, turn, { judgeMedia, toBase64, typeOfBytes }));
}
