import type { MailDetail, RunRow } from "../desk-api.ts";

/** A guided scene: a mail, its events, and the steps for the user. */
export interface SceneScript {
  readonly id: "refund" | "phishing" | "crash";
  readonly mailId: string;
  readonly title: string;
  /** One sentence about the scene. */
  readonly about: string;
  readonly steps: readonly SceneStep[];
}

/** A step of a scene. */
interface SceneStep {
  readonly text: string;
  readonly isDone: (facts: SceneFacts) => boolean;
}

/** Facts about the mail of a scene. */
interface SceneFacts {
  /** The newest run of the mail. */
  readonly run: Pick<RunRow, "status" | "crashes" | "interruptions"> | undefined;
}

const hasBegun = ({ run }: SceneFacts): boolean => run !== undefined;
const hasEnded = ({ run }: SceneFacts): boolean => run?.status === "completed";

/** The first step of each scene. */
const handled: SceneStep = { text: "Have the mail handled.", isDone: hasBegun };

/** The three scenes of the start page. */
export const scenes: readonly SceneScript[] = [
  {
    id: "refund",
    mailId: "m-003",
    title: "An honest refund",
    about: "The refund is above the limit, so the call waits for you. Each value says where it comes from.",
    steps: [
      handled,
      { text: "The refund is above the limit. Check where each value comes from, and approve it.", isDone: hasEnded },
      { text: "The shop pays one refund and sends one answer.", isDone: hasEnded },
    ],
  },
  {
    id: "phishing",
    mailId: "m-032",
    title: "A phishing mail that is stopped",
    about: "The mail tells the agent to send data to a stranger, and the model obeys. The call does not run.",
    steps: [
      { ...handled, text: `${handled.text} It gives orders to the agent, and the model follows them.` },
      { text: "The call is stopped, because a stranger chose who receives the data. Reject it.", isDone: hasEnded },
      { text: "See in a picture how the address got from the mail to the call.", isDone: () => false },
    ],
  },
  {
    id: "crash",
    mailId: "m-002",
    title: "A crash in the middle of a refund",
    about: "You kill the process while the agent works. Another one continues the run, and nothing is paid twice.",
    steps: [
      handled,
      { text: "Kill the worker while the agent works.", isDone: ({ run }) => (run?.crashes ?? 0) > 0 },
      { text: "The run continues where it stopped. The order is refunded once.", isDone: hasEnded },
    ],
  },
];

/** Refunds of a mail's orders in words: `one refund of 39.90 EUR`. */
export function refundWords(refunds: MailDetail["refunds"]): string {
  if (refunds.length === 0) return "no refund";
  const euro = refunds.map(({ amountCents }) => `${(amountCents / 100).toFixed(2)} EUR`);
  return refunds.length === 1 ? `one refund of ${euro.join("")}` : `${refunds.length} refunds: ${euro.join(", ")}`;
}
