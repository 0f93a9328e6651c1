import { sealedBlobs } from "../../journal/sealed-blobs.ts";
import { READ_RESULT } from "../../tools/read-result.ts";
import { writeSpilled } from "../../tools/spilled-result.ts";
import { byteLength } from "./cut-text.ts";
import { withText } from "../../tools/content-text.ts";
import type { Presentation } from "./presentation.ts";

/**
 * Stores the whole text beside the journal, sealed where there is a key, and shows the model its beginning with a handle.
 * A handle is only given when the tool that reads it can be called.
 *
 * @param limit - What may be shown, in bytes.
 * @param shorten - Makes the preview.
 */
export async function spill(
  presentation: Presentation,
  text: string,
  limit: number,
  shorten: (room: number) => string,
): Promise<void> {
  const { run } = presentation.call;
  const { catalogue, definition, journal } = run;
  const show = (note: string): void => {
    presentation.content = withText(presentation.content, shorten(limit - byteLength(note)) + note);
  };
  if (catalogue.get(READ_RESULT) === undefined) {
    show(`\n[Shortened: the whole has ${text.length} characters. Ask for a smaller part to read the rest.]`);
    return;
  }
  const blobs = sealedBlobs(definition.store, definition.sealer);
  const handle = await writeSpilled(blobs, text, run.context);
  presentation.spilled = handle;
  const promoted = catalogue.promote([READ_RESULT]);
  if (promoted.length > 0) journal.record({ type: "catalogue.promoted", toolNames: promoted, by: "spill" });
  show(
    `\n[Shortened: the whole has ${text.length} characters. Read any part of it with ${READ_RESULT}({"handle":"${handle}","offset":0}).]`,
  );
}
