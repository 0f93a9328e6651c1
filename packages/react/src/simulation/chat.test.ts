import { simulate } from "@bailiwick/testing/simulation";
import { expect, test } from "vitest";
import { clerkChat, pageKinds } from "./chat.test.helper.ts";

/** Histories of each kind of page: `pnpm test:whole` plays many more, with other seeds. */
const seeds = Number(process.env["BAILIWICK_CHAT_SEEDS"] ?? 10);
const from = Number(process.env["BAILIWICK_CHAT_FROM"] ?? 1);

/** Histories that broke a promise once. */
const known: readonly string[] = [
  // Two tabs send the first message at once: the second message continued the first.
  "tab1/user.act#1=send:0; tab2/user.act#1=attach:0",
  // A page that is opened resumed the run of a message that another tab had sent meanwhile.
  "order=46; tab1/user.act#7=attach:1; tab2/user.act#7=reload",
  "order=28; tab2/user.act#6=send:1; tab1/user.act#6=send:1; tab2/user.act#7=attach:0; tab1/user.act#7=reload; tab2/user.act#8=edit:1",
  // An effect that was approved on another surface stayed out of view.
  "tab2/user.act#5=attach:1; tab2/user.act#7=approveElsewhere",
  "order=13; tab1/user.act#3=send:1; tab1/user.act#5=reject; tab1/user.act#7=regenerate; tab1/user.act#8=approveElsewhere; tab1/server.GET /api/runs/:id/interruptions#2=away:1500",
];

test.each([
  ["useChat", 1],
  ["useChat with chatRequestBody", 1],
  ["useChat with chatRequestBody", 2],
  ["useAgentChat", 1],
  ["useAgentChat", 2],
] as const)("sequences of a chat's actions break no promise: %s, tabs: %i [simulation.chat]", async (kind, tabs) => {
  const simulation = clerkChat(pageKinds[kind], { tabs, known });
  const { broken, text } = await simulate(simulation, { seeds, from, single: false, most: 3 });
  expect(broken.length, text).toBe(0);
});

test("a page that does not show a message breaks a promise in the shortest list of actions [simulation.chat.notices]", async () => {
  const { open } = pageKinds.useAgentChat;
  const forgetful = clerkChat(
    {
      hasShortRequests: true,
      open(host) {
        const page = open(host);
        return {
          ...page,
          get messages() {
            return page.messages.filter(({ role }, index) => role !== "user" || index % 4 !== 2);
          },
          get status() {
            return page.status;
          },
          get error() {
            return page.error;
          },
        };
      },
    },
    { tabs: 1 },
  );
  const { broken } = await simulate(forgetful, { seeds: 5, single: false, most: 1 });
  expect(broken).toMatchObject([{ promise: "page" }]);
  expect(broken[0]?.historyText).toMatch(/^(?:order=\d+; )?tab1\/user\.act#\d=(?:send|attach):\d$/u);
  expect(broken[0]?.text).toContain("tab1 does not show it");
});

test("chatSimulation() refuses an unknown action and a page that cannot be opened [simulation.input]", () => {
  expect(() => clerkChat(pageKinds.useChat, { actions: ["dance" as never] })).toThrow(/"dance" is not an action/u);
  expect(() => clerkChat({} as never)).toThrow(/"page" must be a kind of page/u);
  expect(() => clerkChat(pageKinds.useChat, { tabs: 0 })).toThrow(/"tabs" must be a whole number/u);
});
