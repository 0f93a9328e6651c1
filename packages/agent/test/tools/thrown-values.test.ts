import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent, tool } from "../../src/index.ts";

const fail = (): never => {
  throw new Error("in the getter");
};

/** Values whose reading throws. */
const values: Readonly<Record<string, () => unknown>> = {
  "an object with a getter for its message": () => ({
    get message() {
      return fail();
    },
  }),
  "an error with a getter for its code": () => Object.defineProperty(new Error("x"), "code", { get: fail }),
  "an error with a getter for its cause": () => Object.defineProperty(new Error("x"), "cause", { get: fail }),
  "an error with a getter for its message": () => Object.defineProperty(new Error("x"), "message", { get: fail }),
  "a proxy that answers nothing": () => new Proxy({}, { get: fail, has: fail, getPrototypeOf: fail }),
  "a function with a getter": () => Object.defineProperty(() => undefined, "message", { get: fail }),
  "an object without a prototype": () => Object.create(null),
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
};

test.each(["at once", "later"])(
  "a tool that throws a value which cannot be read %s fails its call, and the run continues [tool.error.unreadable]",
  async (when) => {
    for (const [name, make] of Object.entries(values)) {
      const bad = tool({
        name: "bad",
        description: "Fails.",
        inputSchema: z.object({}),
        sideEffectClass: "read-only",
        execute: (): Promise<string> => {
          const thrown = make();
          if (when === "later") return Promise.reject(thrown);
          throw thrown;
        },
      });
      const model = scriptedModel([{ toolCalls: [{ name: "bad" }] }, "Done."]);
      const output = await new Agent({ name: "a", logger: quiet, model, tools: [bad] }).run("Go.");
      expect(output, name).toMatchObject({ status: "completed", text: "Done." });
      expect(output.toolCalls, name).toMatchObject([{ isError: true, error: { kind: "execution_failed" } }]);
    }
  },
);
