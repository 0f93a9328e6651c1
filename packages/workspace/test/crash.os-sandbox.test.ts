import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { contentOf, filesIn, temporaryFolder } from "./project.test.helper.ts";

const fixture = fileURLToPath(new URL("./crash-run.fixture.ts", import.meta.url));
const kills = process.env["BAILIWICK_WHOLE"] === undefined ? 3 : 300;
const mostStarts = 40;

/** Starts the run; kills the process after a while, if given. */
function start(
  args: readonly string[],
  killAfterMs: number | undefined,
): Promise<{ readonly killed: boolean; readonly output: string }> {
  const child = spawn(
    process.execPath,
    ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning", fixture, ...args],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let output = "";
  let timer: NodeJS.Timeout | undefined;
  // Counts from the first sign of work, because the start of a process takes most of the time.
  child.stdout.on("data", (piece: Buffer) => void (output += piece.toString()));
  if (killAfterMs !== undefined) timer = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  return new Promise((resolve) =>
    child.once("close", (_, signal) => {
      clearTimeout(timer);
      resolve({ killed: signal === "SIGKILL", output });
    }),
  );
}

const expected = `first\nzero\n0b\n${[1, 2, 3, 4, 5].map((number) => `${number}a\n${number}b\n`).join("")}`;

test(`after ${kills} kills in commands and edits, the files equal those of a run without kills, with one question [workspace.crash]`, async () => {
  let [done, seed, repeated] = [0, 7, 0];
  while (done < kills) {
    const [folder, keep] = [temporaryFolder(), temporaryFolder()];
    filesIn(folder, { "log.txt": "" });
    const args = [folder, keep, join(keep, "runs.db")];
    let last = "";
    for (let starts = 0; starts < mostStarts; starts += 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      const more = done < kills;
      const { killed, output } = await start(args, more ? 1_500 + (seed % 2_500) : undefined);
      if (killed) done += 1;
      else {
        last = output;
        break;
      }
      expect(output).not.toContain("unknown_outcome");
    }
    expect(last).toContain("completed");
    repeated += Number(/repeated (\d+)/u.exec(last)?.[1]);
    expect(contentOf(folder)).toEqual({ "log.txt": expected });
  }
  if (kills > 100) expect(repeated).toBeGreaterThan(0);
}, 3_600_000);
