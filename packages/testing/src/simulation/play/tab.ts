import { SimulationError } from "../simulation-error.ts";
import type { SimulatedProcess } from "../world/simulated-process.ts";
import { chatOrigin } from "./chat-network.ts";
import type { CheckedChat, PageMessage, SimulatedPage } from "../page/page-kind.ts";
import { pause } from "./stage.ts";

/** Id of the chat that all tabs show. */
export const chatId = "chat-of-the-simulation";

/** Time between two looks at a page, in milliseconds. */
export const lookMs = 20;

/** A tab of a browser. It outlives the page that it shows. */
export interface Tab {
  readonly number: number;
  readonly name: string;
  /** Actions so far. */
  turn: number;
  /** The page that it shows now, and its process. */
  page: SimulatedPage | undefined;
  process: SimulatedProcess | undefined;
  /** Actions that have not ended. */
  readonly acting: Set<Promise<void>>;
}

/** Loads the chat as a page does, again until the server answers, and opens the page. */
export async function openPage(chat: CheckedChat): Promise<SimulatedPage> {
  const loaded = await readChat(chat);
  return chat.page.open({
    api: `${chatOrigin}${chat.api}`,
    chatId,
    messages: loaded.messages,
    isActive: loaded.activeStreamId !== null,
  });
}

/** The chat as the server has it. */
export async function readChat(
  chat: CheckedChat,
): Promise<{ readonly messages: readonly PageMessage[]; readonly activeStreamId: string | null }> {
  const answer = (await ask(chat, "GET", `/chat/${chatId}`)) as Partial<Awaited<ReturnType<typeof readChat>>>;
  if (answer.messages !== undefined) return answer as Awaited<ReturnType<typeof readChat>>;
  throw new SimulationError(
    "SIMULATION_EMPTY",
    `The application refused the history of the chat: ${JSON.stringify(answer).slice(0, 300)}. Serve runRoutes() at "${chat.api}" with an authorize() that accepts the requests of ${chatOrigin}.`,
  );
}

/** Sends a request of a page, again until the server answers. */
export async function ask(chat: CheckedChat, method: string, path: string, body?: object): Promise<unknown> {
  for (;;) {
    try {
      const response = await fetch(`${chatOrigin}${chat.api}${path}`, {
        method,
        ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      });
      if (response.status < 500) return await response.json();
    } catch {
      // Lost: the page asks again.
    }
    await pause(250);
  }
}
