import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { SandboxJob } from "../driver.ts";
import { encodeFrame } from "../frames.ts";
import type { SandboxFrame } from "../frames.ts";
import type { SandboxEnd, SandboxLink } from "./sandbox-link.ts";
import { runCall } from "./run-call.ts";

/** A sandbox that sends what a test specifies. */
function saying(
  script: (say: {
    frame(frame: SandboxFrame): void;
    bytes(text: string): void;
    print(count: number): void;
    end(end: SandboxEnd): void;
  }) => void,
): {
  readonly link: SandboxLink;
  readonly kills: () => number;
} {
  let kills = 0;
  let onFrames: (bytes: Uint8Array) => void = () => undefined;
  let onPrinted: (count: number) => void = () => undefined;
  let end: (end: SandboxEnd) => void = () => undefined;
  const ended = new Promise<SandboxEnd>((resolve) => {
    end = resolve;
  });
  const bytes = (text: string): void => onFrames(new TextEncoder().encode(text));
  return {
    kills: () => kills,
    link: {
      ended,
      onFrames: (listener) => {
        onFrames = listener;
      },
      onPrinted: (listener) => {
        onPrinted = listener;
      },
      send: (line) => {
        const { kind, nonce } = JSON.parse(line) as { readonly kind: string; readonly nonce: string };
        if (kind !== "start") return;
        script({ bytes, print: (count) => onPrinted(count), end, frame: (frame) => bytes(encodeFrame(nonce, frame)) });
      },
      kill: () => {
        kills += 1;
        end({ code: null, signal: "SIGKILL", lastWords: "" });
      },
    },
  };
}

const job: SandboxJob = {
  entry: { module: new URL("file:///tool.js"), export: "run" },
  moduleHash: "",
  input: {},
  context: { toolCallId: "c", toolName: "t", runId: "r", step: 1, attempt: 1, metadata: {} },
  hostCalls: {},
  rights: { network: "none", loopback: false, files: "none", env: {} },
  limits: { timeoutMs: 120_000, memoryMB: 64, outputBytes: 10_000 },
  signal: new AbortController().signal,
};

const settled = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => ({ value }),
    (error: { readonly code?: string; readonly message: string }) => ({ code: error.code, message: error.message }),
  );

test("the first settlement of a sandbox counts, and it is killed once [sandbox.framed-results] [sandbox.every-exit-settles]", async () => {
  const frames = fc.constantFrom<SandboxFrame>(
    { kind: "result", value: 1 },
    { kind: "result", value: 2 },
    { kind: "error", error: { message: "failed" } },
    { kind: "call", id: 1, name: "none", args: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(frames, { maxLength: 6 }), async (said) => {
      const { link, kills } = saying(({ frame, bytes, end }) => {
        bytes("\n");
        for (const one of said) frame(one);
        end({ code: 0, signal: null, lastWords: "" });
      });
      const first = said.find(({ kind }) => kind !== "call");
      const expected =
        first === undefined
          ? { code: "SANDBOX_ENDED" }
          : first.kind === "result"
            ? { value: first.value }
            : { code: "TOOL_ERROR", message: "failed" };
      expect(await settled(runCall("os", link, job))).toMatchObject(expected);
      expect(kills()).toBe(1);
    }),
  );
});

test("the outcome of a call is its first settlement [sandbox.every-exit-settles]", async () => {
  const endOf = (end: SandboxEnd, ready = "\n"): Promise<unknown> =>
    settled(
      runCall(
        "os",
        saying((say) => {
          if (ready !== "") say.bytes(ready);
          say.end(end);
        }).link,
        job,
      ),
    );
  const none = { code: null, signal: null, lastWords: "" };
  expect(await endOf({ ...none, code: 0 })).toMatchObject({
    code: "SANDBOX_ENDED",
    message: expect.stringContaining("exited with code 0") as string,
  });
  expect(await endOf({ ...none, code: 139 })).toMatchObject({
    message: expect.stringContaining("SIGSEGV ended it") as string,
  });
  expect(await endOf({ ...none, signal: "SIGKILL" })).toMatchObject({
    message: expect.stringContaining("SIGKILL ended it") as string,
  });
  expect(await endOf({ ...none, signal: "SIGXCPU" })).toMatchObject({ code: "SANDBOX_TIMEOUT" });
  expect(await endOf({ ...none, code: 134, lastWords: "JavaScript heap out of memory" })).toMatchObject({
    code: "SANDBOX_MEMORY_EXCEEDED",
  });
  expect(await endOf({ ...none, code: 1, lastWords: "bwrap: no" }, "")).toMatchObject({
    code: "SANDBOX_SPAWN_FAILED",
    message: expect.stringContaining("bwrap: no") as string,
  });
});

test("a call of a function that the host does not have is refused, and inherited members are unreachable [sandbox.framed-results]", async () => {
  for (const name of ["none", "constructor", "__proto__", "toString"]) {
    const answers: unknown[] = [];
    const { link } = saying(({ frame }) => frame({ kind: "call", id: 7, name, args: [] }));
    const call = runCall(
      "os",
      {
        ...link,
        send: (line) => {
          const said = JSON.parse(line) as { readonly kind: string };
          if (said.kind !== "start") {
            answers.push(said);
            link.kill();
          }
          link.send(line);
        },
      },
      job,
    );
    await settled(call);
    expect(answers, name).toMatchObject([{ kind: "refusal", id: 7 }]);
  }
});

test("printed output counts towards the size limit of the result [sandbox.every-exit-settles]", async () => {
  const { link } = saying(({ bytes, print, frame }) => {
    bytes("\n");
    print(9_999);
    frame({ kind: "result", value: 1 });
  });
  expect(await settled(runCall("process", link, job))).toMatchObject({ code: "SANDBOX_OUTPUT_EXCEEDED" });
});

test("a call cancelled before its start is not started [sandbox.every-exit-settles]", async () => {
  let started = false;
  const { link, kills } = saying(() => {
    started = true;
  });
  const signal = AbortSignal.abort(new Error("given up"));
  await expect(runCall("os", link, { ...job, signal })).rejects.toThrow("given up");
  expect([started, kills()]).toEqual([false, 1]);
});
