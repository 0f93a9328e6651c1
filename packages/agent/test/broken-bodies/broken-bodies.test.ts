import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { answerText, everyDamage, forms, type Damaged, type FormName } from "./damaged-answers.test.helper.ts";
import { damagingServer } from "./damaging-server.test.helper.ts";

interface Outcome {
  readonly text?: string;
  readonly code?: unknown;
  readonly retryable?: unknown;
  readonly message?: unknown;
}

const isWhole = process.env["BAILIWICK_WHOLE"] !== undefined;
const clients = ["fetch-node", "platform"] as const;

/** Draws the same number of cases for each form and damage; the same cases for the same seed. */
function drawn(all: readonly Damaged[], each: number): readonly Damaged[] {
  let state = Number(process.env["BAILIWICK_PROPERTY_SEED"] ?? 1) >>> 0;
  const below = (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
  const groups = new Map<string, Damaged[]>();
  for (const one of all) {
    const name = `${one.form} ${one.damage}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: each }, () => group[below(group.length)] as Damaged),
  );
}

/** Asks for each answer in a separate process, which has to end by itself. */
async function outcomesOf(
  port: number,
  client: (typeof clients)[number],
  asked: readonly { readonly name: string; readonly isStream: boolean }[],
): Promise<readonly Outcome[]> {
  const program = fileURLToPath(new URL("./ask-damaged.fixture.ts", import.meta.url));
  const flags = ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning"];
  const child = await new Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>(
    (resolve) => {
      const args = [...flags, program, String(port), client, JSON.stringify(asked)];
      execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
      );
    },
  );
  expect({ code: child.code, stderr: child.stderr }).toEqual({ code: 0, stderr: "" });
  const outcomes = JSON.parse(child.stdout) as readonly Outcome[];
  expect(outcomes).toHaveLength(asked.length);
  return outcomes;
}

/** An error that a program can handle: it has a code, and says if the same request may be repeated. */
function isTyped({ code, retryable, message }: Outcome): boolean {
  return typeof code === "string" && /^(MODEL|CONTEXT)_/.test(code) && typeof retryable === "boolean" && message !== "";
}

test.each(clients)(
  "an answer that is cut or corrupted at any byte is a typed error over %s, and the process continues [providers.http.damaged]",
  async (client) => {
    const all = everyDamage();
    const cases = isWhole ? all : drawn(all, 6);
    const server = await damagingServer(cases);
    try {
      // One process for a limited number of answers, so that its arguments stay short.
      for (let from = 0; from < cases.length; from += 1000) {
        const part = cases.slice(from, from + 1000);
        const asked = part.map(({ form }, index) => ({
          name: String(from + index),
          isStream: forms[form].isStream === true,
        }));
        const outcomes = await outcomesOf(server.port, client, asked);
        const wrong = outcomes.flatMap((outcome, index) => {
          const isAnswer = outcome.text !== undefined;
          // Other bytes may be another answer; fewer bytes never are.
          const isRight = isAnswer
            ? part[index]?.damage === "corrupt" || outcome.text === answerText
            : isTyped(outcome);
          return isRight ? [] : [{ ...part[index], ...outcome }];
        });
        expect(wrong).toEqual([]);
      }
    } finally {
      await server.close();
    }
  },
);

test.each(clients)(
  "a server that falls silent at any byte is left without a trace over %s [providers.http.silent]",
  async (client) => {
    const server = await damagingServer([]);
    try {
      const asked = (Object.keys(forms) as FormName[]).flatMap((form) =>
        [0, 5, 40, 90, 130, 200].map((bytes) => ({
          name: encodeURIComponent(`silent-${form}-${bytes}`),
          isStream: forms[form].isStream === true,
        })),
      );
      const outcomes = await outcomesOf(server.port, client, asked);
      expect(outcomes.map(({ code }) => code)).toEqual(asked.map(() => "MODEL_ABORTED"));
    } finally {
      await server.close();
    }
  },
);
