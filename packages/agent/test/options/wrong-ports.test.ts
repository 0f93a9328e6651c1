import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { Agent, type SecurityPorts } from "../../src/index.ts";

/** The compiler checks that no port is missing. */
const ports: Readonly<Record<keyof Required<SecurityPorts>, true>> = {
  secrets: true,
  sanitizer: true,
  flow: true,
  sandbox: true,
  download: true,
  signer: true,
  sealer: true,
};

test("an agent is not made without a protection: a port that is null, false or a text is refused by its name", () => {
  for (const name of Object.keys(ports))
    for (const wrong of [null, false, 0, "off"])
      expect(() => new Agent({ name: "a", model: scriptedModel([]) }, { [name]: wrong }), `${name}: ${wrong}`).toThrow(
        expect.objectContaining({
          code: "INVALID_OPTION",
          message: expect.stringContaining(`the ports of an agent: ${name} must be `) as string,
        }),
      );
  expect(() => new Agent({ name: "a", model: scriptedModel([]) }, { sanitizer: undefined })).not.toThrow();
});
