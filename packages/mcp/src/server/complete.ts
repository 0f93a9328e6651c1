import type { CompleteRequest, CompleteResult } from "@modelcontextprotocol/server";
import type { ServedPrompt } from "./prompts.ts";
import type { ServedResource } from "./resources.ts";

/** Maximum number of values in an answer, from the protocol. */
const most = 100;

/** Answers a request for suggestions. An argument without a function gets none. */
export async function completionOf(
  { ref, argument, context }: CompleteRequest["params"],
  served: { readonly prompts: readonly ServedPrompt[]; readonly resources: readonly ServedResource[] },
): Promise<CompleteResult> {
  const complete =
    ref.type === "ref/prompt"
      ? served.prompts.find(({ name }) => name === ref.name)?.arguments?.find(({ name }) => name === argument.name)
          ?.complete
      : served.resources.find(({ uri }) => uri === ref.uri)?.complete?.[argument.name];
  const values = (await complete?.(argument.value, context?.arguments ?? {})) ?? [];
  return { completion: { values: values.slice(0, most), total: values.length, hasMore: values.length > most } };
}
