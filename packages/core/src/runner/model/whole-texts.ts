import type { CompactedView } from "../../context/compact.ts";
import type { ShortenedMessage } from "../../contracts/shortened-message.ts";
import { sealedBlobs } from "../../journal/sealed-blobs.ts";
import { textOfContent } from "../../tools/content-text.ts";
import { READ_RESULT, writeSpilled } from "../../tools/read-result.ts";
import type { Run } from "../run.ts";

/** Stands for a handle until the text is stored. */
const place = "0".repeat(64);

/** Share of the space for the conversation that the definition of the reading tool may take. */
const largestShare = 1 / 8;

/** Handles in a request, as far as they cost something. */
interface Handles {
  /** Stands for a handle; `undefined` if the model cannot read whole texts. */
  readonly handle: string | undefined;
  /** Tokens that the definition of the reading tool adds to the request. */
  readonly tokens: number;
}

const noHandles: Handles = { handle: undefined, tokens: 0 };

/**
 * The handles that a request has space for. An agent without tools gets none, since its model may not accept any; and a
 * request gets none in which the definition of the reading tool would take many of the tokens that the conversation may
 * take.
 */
export function handlesFor({ catalogue, estimate }: Run, room: number): Handles {
  const tool = catalogue.get(READ_RESULT);
  const advertised = catalogue.advertised();
  if (tool === undefined || advertised.length === 0) return noHandles;
  if (advertised.some(({ name }) => name === READ_RESULT)) return { handle: place, tokens: 0 };
  const { name, __advertisedDescription: description, __inputJsonSchema: inputSchema } = tool;
  const tokens = estimate.tools([{ type: "function", name, description, inputSchema }]);
  return tokens > room * largestShare ? noHandles : { handle: place, tokens };
}

/**
 * A view whose handles can be read: the whole of each message that is shortened now, and the text of the messages that are
 * left out now, are stored beside the journal.
 *
 * @param before - The view so far.
 * @param leftOut - Returns the text of the messages that are left out now.
 */
export async function storedViews(
  run: Run,
  view: CompactedView,
  before: CompactedView,
  leftOut: () => string,
): Promise<CompactedView> {
  const shortened = await Promise.all((view.shortened ?? []).map((one) => withHandle(run, one)));
  const earlier = before.leftOut === undefined ? "" : `Before this: read_result({"handle":"${before.leftOut}"})\n`;
  const handle = view.leftOut === place ? await store(run, `${earlier}${leftOut()}`) : view.leftOut;
  const stored = { ...view, ...(shortened.length > 0 && { shortened }), leftOut: handle };
  if (handle !== undefined || shortened.some((one) => one.handle !== undefined)) offer(run);
  return stored;
}

async function withHandle(run: Run, one: ShortenedMessage): Promise<ShortenedMessage> {
  if (one.handle !== place) return one;
  const message = run.journal.state.messages.find(({ id }) => id === one.messageId);
  const text = message === undefined ? "" : textOfContent(message.content);
  const { messageId, characters, withoutMedia } = one;
  const bound = { messageId, characters, ...(withoutMedia !== undefined && { withoutMedia }) };
  if (text.length <= characters) return bound;
  return { ...bound, handle: await store(run, text) };
}

function store({ agent, context }: Run, text: string): Promise<string> {
  return writeSpilled(sealedBlobs(agent.store, agent.sealer), text, context);
}

/** Offers the model the tool that reads the texts. */
function offer({ catalogue, journal }: Run): void {
  const promoted = catalogue.promote([READ_RESULT]);
  if (promoted.length > 0) journal.record({ type: "catalogue.promoted", toolNames: promoted, by: "spill" });
}
