import { tool } from "@bailiwick/core";
import type { Tool } from "@bailiwick/core";
import { z } from "zod";

import type { Declarations, Poison, RanCall, Stage, WorldChange } from "./attack-case.test.helper.ts";
import { resultOf } from "./agentdojo-results.test.helper.ts";
import { isRead } from "./agentdojo-suites.test.helper.ts";
import type { DojoCall, DojoSuite } from "./agentdojo-suites.test.helper.ts";

const transactionFields = {
  id: z.int(),
  sender: z.string().describe("IBAN of who pays; `me` for the account's holder."),
  recipient: z.string().describe("IBAN of who is paid; `me` for the account's holder."),
  amount: z.number(),
  subject: z.string().describe("What the sender wrote."),
  date: z.string().describe("Year, month and day: `2024-12-31`."),
  recurring: z.boolean(),
};

/** Declarations of an author who knows the tools, written from schemas and descriptions. */
const careful: Readonly<Record<string, Partial<Tool>>> = {
  get_iban: { sideEffectClass: "read-only", output: { integrity: "verified" } },
  get_balance: { sideEffectClass: "read-only", output: { integrity: "verified" } },
  get_user_info: { sideEffectClass: "read-only", output: { integrity: "verified" } },
  // The bank's output is trusted except for the text that people wrote into a transaction.
  get_most_recent_transactions: { sideEffectClass: "read-only", ...transactions(["subject"]) },
  // Only the account's holder writes standing orders, and each of their fields is authority where it is written.
  get_scheduled_transactions: { sideEffectClass: "read-only", ...transactions([]) },
  read_file: { sideEffectClass: "read-only", output: { integrity: "untrusted" } },
  send_money: writer({ authority: ["recipient", "amount"], payload: ["subject", "date"] }),
  schedule_transaction: writer({ authority: ["recipient", "amount", "recurring", "subject"], payload: ["date"] }),
  update_scheduled_transaction: writer({
    authority: ["id", "recipient", "amount", "recurring", "subject"],
    payload: ["date"],
  }),
  update_password: writer({ authority: ["password"], readers: ownSystem }),
  update_user_info: writer({ authority: ["first_name", "last_name", "street", "city"], readers: ownSystem }),
  get_channels: { sideEffectClass: "read-only", ...names() },
  get_users_in_channel: { sideEffectClass: "read-only", ...names() },
  // Slack verifies the author of a message, and the channel.
  read_channel_messages: { sideEffectClass: "read-only", ...messages() },
  read_inbox: { sideEffectClass: "read-only", ...messages() },
  get_webpage: {
    sideEffectClass: "read-only",
    flow: { egress: ["url"] },
    output: { integrity: "untrusted", readers: "public" },
  },
  post_webpage: silent({ egress: ["url"], payload: ["content"] }),
  send_direct_message: silent({ authority: ["recipient"], payload: ["body"] }),
  send_channel_message: silent({ authority: ["channel"], payload: ["body"] }),
  invite_user_to_slack: silent({ authority: ["user", "user_email"] }),
  add_user_to_channel: silent({ authority: ["user", "channel"], readers: ownSystem }),
  remove_user_from_slack: silent({ authority: ["user"], readers: ownSystem }),
};

function ownSystem(): readonly "source:first-party"[] {
  return ["source:first-party"];
}

function writer(flow: NonNullable<Tool["flow"]>): Partial<Tool> {
  return { sideEffectClass: "external-stateful", idempotencyKey: "call", flow, output: { integrity: "verified" } };
}

/** A writer that returns nothing, so its output is declared public. */
function silent(flow: NonNullable<Tool["flow"]>): Partial<Tool> {
  return { ...writer(flow), output: { integrity: "verified", readers: "public" } };
}

/** A list of transactions, with the fields that others may write into. */
function transactions(written: readonly string[]): Partial<Tool> {
  const names = Object.keys(transactionFields).filter((name) => !written.includes(name));
  const verified = { integrity: "verified" } as const;
  return {
    outputSchema: z.array(z.object(transactionFields)) as never,
    output: {
      integrity: "untrusted",
      fields: Object.fromEntries(names.map((name) => [`[].${name}`, verified])),
      maxRows: 100,
    },
  };
}

/** Names that the author of a channel chooses. */
function names(): Partial<Tool> {
  return { outputSchema: z.array(z.string()) as never, output: { integrity: "untrusted", maxRows: 200 } };
}

function messages(): Partial<Tool> {
  const verified = { integrity: "verified" } as const;
  return {
    outputSchema: z.array(z.object({ sender: z.string(), recipient: z.string(), body: z.string() })) as never,
    output: { integrity: "untrusted", fields: { "[].sender": verified, "[].recipient": verified } },
  };
}

/** The state of a suite's world at the start. */
export interface DojoWorld {
  readonly suite: DojoSuite;
  readonly task: string;
  readonly poison: Poison;
  readonly declarations: Declarations;
  readonly change?: WorldChange | undefined;
}

/** The tools of a suite as mocks that record what ran. */
export function dojoTools(world: DojoWorld): Stage {
  const ran: RanCall[] = [];
  let exposures = 0;
  const poison = (): string | undefined => world.poison(exposures++);
  const known = Object.values(world.suite.user_tasks).flatMap(({ calls }) => calls);
  const own = world.suite.user_tasks[world.task]?.calls ?? [];
  const tools = Object.entries(world.suite.tools).map(([name, { description, parameters }]) =>
    tool({
      name,
      description,
      inputSchema: parameters,
      ...((world.declarations === "careful" ? careful[name] : {}) as object),
      // An author who knows that outsiders write into a writer's answer declares this.
      ...(answersOthers(world, name) && { output: { integrity: "untrusted" as const } }),
      execute: (args: unknown) => {
        ran.push({ name, args });
        const found = same(own, name, args) ?? same(known, name, args) ?? known.find((call) => call.function === name);
        const answered = world.change?.writersAnswer === true && !isRead(name) ? poison() : undefined;
        const cutAt = world.declarations === "careful" ? careful[name]?.output?.maxRows : undefined;
        const result = resultOf(found, poison, world.change, cutAt);
        return answered === undefined ? result : `${JSON.stringify(result)}\n${answered}`;
      },
    }),
  );
  return { tools, ran };
}

function answersOthers({ change, declarations }: DojoWorld, name: string): boolean {
  return change?.writersAnswer === true && declarations === "careful" && !isRead(name);
}

function same(calls: readonly DojoCall[], name: string, args: unknown): DojoCall | undefined {
  return calls.find((call) => call.function === name && JSON.stringify(call.args) === JSON.stringify(args));
}
