import { scriptedModel } from "@bailiwick/testing";
import type { ScriptRequest, ScriptedModel } from "@bailiwick/testing";

/** The settings of a planner model: a server that speaks Chat Completions, and one of its models. */
export interface PlannerModelSettings {
  readonly model: string;
  readonly url: string;
  readonly key: string;
}

/** The settings in the environment: `BAILIWICK_PLANNER_MODEL`, `BAILIWICK_PLANNER_URL` and `BAILIWICK_PLANNER_KEY`. */
export function plannerSettings(env: Readonly<Record<string, string | undefined>>): PlannerModelSettings | undefined {
  const {
    BAILIWICK_PLANNER_MODEL: model,
    BAILIWICK_PLANNER_URL: url = "https://api.openai.com/v1",
    BAILIWICK_PLANNER_KEY: key = "none",
  } = env;
  return model === undefined || model === "" ? undefined : { model, url, key };
}

/** Cached by request, because a suite asks for the same plan many times. */
const known = new Map<string, Promise<string>>();

/** A planner that asks a model, once per request. */
export function plannerModel(settings: PlannerModelSettings): ScriptedModel {
  return scriptedModel((request) => {
    const body = JSON.stringify(bodyOf(request, settings));
    const key = `${settings.url} ${body}`;
    const answer = known.get(key) ?? ask(body, settings);
    known.set(key, answer);
    return answer;
  });
}

function bodyOf({ system, messages, outputSchema }: ScriptRequest, { model }: PlannerModelSettings): object {
  const schema = JSON.stringify(outputSchema ?? {});
  return {
    model,
    messages: [
      { role: "system", content: `${system}\nAnswer with one JSON object of this schema and nothing else: ${schema}` },
      ...messages.filter(({ role }) => role === "user").map(({ text }) => ({ role: "user", content: text })),
    ],
  };
}

async function ask(body: string, { url, key }: PlannerModelSettings): Promise<string> {
  const answer = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body,
  });
  if (!answer.ok) throw new Error(`The planner model answered ${answer.status}: ${await answer.text()}`);
  const { choices } = (await answer.json()) as {
    readonly choices: readonly { readonly message: { content: string } }[];
  };
  const text = choices[0]?.message.content ?? "";
  // Some models put a fence around JSON.
  return text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
}
