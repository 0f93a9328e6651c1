import { modelServer } from "@bailiwick/testing/model-server";
import { demoModel } from "../src/demo-model/index.ts";

/** A demo model outside of the desk's processes, which keeps a run from ending. */
export interface HeldModel extends AsyncDisposable {
  /** Environment of the desk's programs. */
  readonly env: Readonly<Record<string, string>>;
  /** From now on each request is answered. Requests that were held stay without an answer: their process is killed. */
  release(): void;
}

/**
 * Starts a demo model that holds each request with a result of a tool: a process can be killed in mid-run, however fast
 * it is.
 *
 * @param toolName - Name of the tool.
 */
export async function heldModel(toolName: string): Promise<HeldModel> {
  let isHeld = true;
  const server = await modelServer((request) =>
    isHeld && request.toolResults.some((result) => result.toolName === toolName)
      ? new Promise<never>(() => undefined)
      : demoModel(request),
  );
  return {
    env: { BAILIWICK_BASE_URL: server.baseURL("openai"), BAILIWICK_MODEL: "demo" },
    release: () => void (isHeld = false),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
