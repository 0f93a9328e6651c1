import { pause, type Stage } from "./stage.ts";
import { draw } from "../world/draw.ts";
import { hasText, type FaultParts, type PageAction } from "../world/fault.ts";
import type { Network, SimulatedProcess } from "../world/simulated-process.ts";
import { closeConnections } from "./chat-network.ts";
import { ask, lookMs, openPage, type Tab } from "./tab.ts";
import type { CheckedChat, PageMessage, PagePart, SimulatedPage } from "../page/page-kind.ts";
import { finishChat } from "./finish-chat.ts";

/** Longest time between two actions of a user, in milliseconds. */
const longestThoughtMs = 2_000;

const image =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Opens the tabs of a chat, and plays their users. */
export function startTabs(stage: Stage, chat: CheckedChat, network: Network, fail: (error: unknown) => void): void {
  const { world } = stage;
  const tabs = Array.from({ length: chat.tabs }, (_, index): Tab => ({
    number: index + 1,
    name: `tab${index + 1}`,
    turn: 0,
    page: undefined,
    process: undefined,
    acting: new Set(),
  }));
  const isActing = (): boolean => tabs.some(({ turn, page }) => turn < chat.steps || page === undefined);
  const open = (tab: Tab): void => {
    const process = world.start(tab.name, { run: () => void show(process).catch(fail) });
    process.network = network;
    tab.process = process;
    process.onDeath = (reason) => {
      if (reason === "crash")
        fail(new Error(`The page of ${tab.name} threw an error that nothing caught.`, { cause: process.uncaught }));
      closeConnections(stage, process);
      tab.page = undefined;
      tab.acting.clear();
      world.kill(process, () => open(tab));
    };
    const show = async (own: SimulatedProcess): Promise<void> => {
      tab.page = await openPage(chat);
      while (tab.turn < chat.steps) {
        tab.turn += 1;
        act(stage, chat, tab, tab.page, own);
        if (own.isDead) return;
        await pause(1 + draw(world.randomSeed, `${tab.name} thinks ${tab.turn}`) * longestThoughtMs);
      }
      if (tab.number > 1) return;
      while (isActing()) await pause(lookMs);
      world.calm();
      await finishChat(stage, chat, tabs);
      stage.isWorkDone = true;
    };
  };
  for (const tab of tabs) open(tab);
}

/** Takes the action of a turn, if there is one and the page allows it. */
function act(stage: Stage, chat: CheckedChat, tab: Tab, page: SimulatedPage, process: SimulatedProcess): void {
  const { world } = stage;
  const point = `${tab.name}/user.act#${tab.turn}`;
  const possible = possibleActions(page);
  const chosen = world.faultAt(
    point,
    chat.actions.filter((action) => possible.includes(action)),
    1,
  );
  if (chosen === undefined || !possible.includes(chosen.kind as PageAction)) return;
  const text = textOf(chat, chosen, `${tab.number}.${tab.turn}`);
  world.tell(tab.name, sentenceOf(chosen.kind as PageAction, text));
  world.log(tab.name, `${point} ${chosen.kind} ${text}`);
  if (chosen.kind === "reload") return process.onDeath?.("die");
  // The user does not wait for the page; what fails is shown by it.
  const acting = perform(chat, page, chosen, text)
    .catch((error: unknown) => process.log("warn", ["The page rejects:", error]))
    .finally(() => tab.acting.delete(acting));
  tab.acting.add(acting);
}

function possibleActions(page: SimulatedPage): readonly PageAction[] {
  const { status, messages } = page;
  if (status === "submitted" || status === "streaming") return ["stop", "reload"];
  const isAsked = openQuestion(messages) !== undefined;
  const hasUser = messages.some(({ role }) => role === "user");
  return [
    "send",
    "attach",
    "reload",
    ...(status === "error" ? (["retry"] as const) : []),
    ...(hasUser && status === "ready" ? (["edit"] as const) : []),
    ...(hasUser && status === "ready" && !isAsked ? (["regenerate"] as const) : []),
    ...(isAsked && status === "ready" ? (["approve", "reject", "approveElsewhere", "rejectElsewhere"] as const) : []),
  ];
}

async function perform(chat: CheckedChat, page: SimulatedPage, { kind }: FaultParts, text: string): Promise<void> {
  const last = page.messages.findLast(({ role }) => role === "user");
  const question = openQuestion(page.messages);
  if (kind === "send") return page.send({ text });
  if (kind === "attach") return page.send({ text, files: [{ type: "file", mediaType: "image/png", url: image }] });
  if (kind === "edit") return page.send({ text }, last?.id);
  if (kind === "regenerate") return page.regenerate();
  if (kind === "retry") return page.retry();
  if (kind === "stop") return page.stop();
  if (question === undefined) return;
  if (kind === "approve" || kind === "reject") return page.decide(question, kind === "approve");
  await decideElsewhere(chat, question.runId, kind === "approveElsewhere");
}

/** Decides a question on another surface, such as a mail. */
async function decideElsewhere(chat: CheckedChat, runId: string, isApproved: boolean): Promise<void> {
  const { interruptions = [] } = (await ask(chat, "GET", `/runs/${runId}/interruptions`)) as {
    readonly interruptions?: readonly { readonly id: string; readonly token?: string }[];
  };
  const decisions = interruptions.map(({ id, token }) => ({
    type: isApproved ? "approve" : "reject",
    id,
    ...(token !== undefined && { token }),
    ...(isApproved && { acknowledged: "suspicious" }),
  }));
  if (decisions.length > 0) await ask(chat, "POST", `/runs/${runId}/decisions`, { decisions });
}

/** The question that the last answer waits for. */
function openQuestion(
  messages: readonly PageMessage[],
): { readonly id: string; readonly runId: string; readonly partId: string } | undefined {
  const last = messages.at(-1);
  const part = last?.parts.findLast((one: PagePart) => one.state === "approval-requested");
  if (last?.role !== "assistant" || part?.approval === undefined) return undefined;
  const partId = part.approval.id;
  return { id: partId.replace(/~suspicious$/u, ""), runId: last.id, partId };
}

/** Text of a message, with a number that no other message has. */
function textOf(chat: CheckedChat, { kind, ms }: FaultParts, number: string): string {
  if (!hasText(kind)) return "";
  return `${chat.texts[Math.abs(Math.round(ms)) % chat.texts.length] ?? ""} (${number})`;
}

function sentenceOf(action: PageAction, text: string): string {
  const sentences: Readonly<Record<PageAction, string>> = {
    send: `sends "${text}".`,
    attach: `sends "${text}" with an image.`,
    edit: `edits its last message to "${text}".`,
    regenerate: "asks for another answer.",
    retry: "tries again what failed.",
    stop: "stops the answer.",
    reload: "is reloaded.",
    approve: "approves the call.",
    reject: "rejects the call.",
    approveElsewhere: "waits, and the call is approved on another surface.",
    rejectElsewhere: "waits, and the call is rejected on another surface.",
  };
  return sentences[action];
}
