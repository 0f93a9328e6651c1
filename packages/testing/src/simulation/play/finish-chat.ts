import type { Message, UserMessage } from "@bailiwick/core";
import { modelReadings } from "../components/simulated-model.ts";
import { inProcess } from "../routing/routed-process.ts";
import { pause, type Stage } from "./stage.ts";
import { SimulationError } from "../simulation-error.ts";
import { largestRequest } from "./chat-network.ts";
import type { CheckedChat, PageMessage, SimulatedPage } from "../page/page-kind.ts";
import { ask as request, chatId, lookMs, readChat, type Tab } from "./tab.ts";

/** Longest time that a page may be at work, in milliseconds, and attempts to leave an error. */
const longestWorkMs = 120_000;
const mostRetries = 5;
/** Time until a user tries again, in milliseconds. */
const againMs = 1_000;
/** Largest request without files, in characters. */
const largestShortRequest = 4_000;

/**
 * Ends a chat: in each tab the user retries what failed, and sends one more message. Adds to the stage what the pages show.
 *
 * @param stage - The play; its faults have ended.
 * @param chat - The chat.
 * @param tabs - Its tabs.
 */
export async function finishChat(stage: Stage, chat: CheckedChat, tabs: readonly Tab[]): Promise<void> {
  const until = stage.world.time + longestWorkMs;
  while (tabs.some(({ acting }) => acting.size > 0) && stage.world.time < until) await pause(lookMs);
  for (const tab of tabs) await finishTab(stage, chat, tab);
  const { branches } = (await request(chat, "GET", `/chat/${chatId}/branches`)) as {
    readonly branches: readonly { readonly id: string }[];
  };
  const stored: PageMessage[] = [];
  for (const { id } of branches) {
    await request(chat, "PATCH", `/chat/${chatId}`, { branch: id });
    stored.push(...(await readChat(chat)).messages);
  }
  const everRead = [...new Set(modelReadings(stage.world).flatMap(readTexts))];
  const inBranches = [...new Set(shownTexts(stored))].filter((text) => everRead.includes(text));
  const calls = new Set(stored.flatMap(({ parts }) => parts.map(({ toolCallId }) => toolCallId)));
  stage.pages.push({
    name: "the chat with all of its branches",
    shown: inBranches,
    read: inBranches,
    sent: everRead,
    unseenEffects: stage.requests
      .filter((effect) => effect.calls.length > 0 && !effect.calls.some(({ toolCallId }) => calls.has(toolCallId)))
      .map(({ name, id }) => `The effect ${name} ${id}`),
  });
}

async function finishTab(stage: Stage, chat: CheckedChat, tab: Tab): Promise<void> {
  const last = `${chat.texts[0] ?? ""} (${tab.number}.end)`;
  const inTab = <Result>(run: (page: SimulatedPage) => Result): Result => {
    const { page, process } = tab;
    if (page === undefined || process === undefined) throw new Error(`${tab.name} shows no page.`);
    return inProcess(process, () => run(page));
  };
  let asked = 0;
  /** Does what the user asks for, and waits until the page has sent it. */
  const ask = async (run: (page: SimulatedPage) => Promise<void>): Promise<void> => {
    asked += 1;
    const end = (): void => void (asked -= 1);
    inTab((page) => void run(page).then(end, end));
    await pause(againMs);
  };
  const rest = async (): Promise<void> => {
    const until = stage.world.time + longestWorkMs;
    // A page can be ready while its request is under way: another stream has ended meanwhile.
    while ((asked > 0 || inTab(isAtWork)) && stage.world.time < until) await pause(lookMs);
  };
  const leaveError = async (): Promise<void> => {
    for (let tries = 0; tries < mostRetries; tries += 1) {
      await rest();
      if (inTab(({ status }) => status) !== "error") return;
      stage.world.tell(tab.name, "tries again what failed.");
      await ask((page) => page.retry());
    }
    await rest();
  };
  await leaveError();
  const look = inTab((page) => page.look?.().catch(() => undefined));
  if (look !== undefined) await look;
  await leaveError();
  stage.world.tell(tab.name, `sends "${last}".`);
  await ask((page) => page.send({ text: last }));
  await leaveError();

  const { messages, error, status } = inTab((page) => ({
    messages: page.messages,
    error: page.error,
    status: page.status,
  }));
  const shown = shownTexts(messages);
  const reading = modelReadings(stage.world).findLast((one) => readTexts(one).at(-1) === last);
  if (reading === undefined && stage.world.events > 0 && modelReadings(stage.world).length === 0)
    throw new SimulationError(
      "SIMULATION_EMPTY",
      "No simulated model was called, so the simulation cannot tell what the model reads. Give the agents simulatedModel().",
    );
  const stuck = status === "submitted" || status === "streaming" ? "it is still at work" : undefined;
  const loaded = (await readChat(chat)).messages;
  const size = largestRequest(stage, tab.name);
  stage.pages.push(
    {
      name: tab.name,
      shown,
      read: reading === undefined ? [] : readTexts(reading),
      sent: [last],
      error: error?.message ?? stuck,
      // A page without live updates shows what other people did after a reload.
      unseenEffects: unseen(stage, look === undefined ? loaded : messages),
      ...(chat.page.hasShortRequests && { request: { size, limit: largestShortRequest } }),
    },
    { name: `${tab.name} after a reload`, shown: shownTexts(loaded), read: shown, sent: [last] },
  );
}

/** Effects of the answers that a page shows, whose calls it does not show as ended. */
function unseen(stage: Stage, messages: readonly PageMessage[]): readonly string[] {
  const shownRuns = new Map(messages.map((message) => [message.id, message]));
  return stage.requests.flatMap(({ name, id, calls }) => {
    const own = calls.filter(({ runId }) => shownRuns.has(runId));
    const isSeen = own.some(({ runId, toolCallId }) =>
      shownRuns
        .get(runId)
        ?.parts.some((part) => part.toolCallId === toolCallId && (part.state ?? "").startsWith("output-")),
    );
    return own.length === 0 || isSeen ? [] : [`The effect ${name} ${id}`];
  });
}

function isAtWork({ status }: SimulatedPage): boolean {
  return status === "submitted" || status === "streaming";
}

/** The user's texts that a page shows. */
function shownTexts(messages: readonly PageMessage[]): readonly string[] {
  return messages.flatMap(({ role, parts }) =>
    role === "user" ? numbered(parts.map(({ text }) => text ?? "").join("")) : [],
  );
}

/** The user's texts that a model read. */
function readTexts(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => (message.role === "user" ? numbered(contentText(message.content)) : []));
}

function contentText(content: UserMessage["content"]): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Texts with their numbers, without what a server adds. */
function numbered(text: string): readonly string[] {
  return text.match(/[^()\n]* \(\d+\.\w+\)/gu) ?? [];
}
