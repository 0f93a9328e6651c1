import { plannerAnswer } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";

import { plannerModel, plannerSettings } from "./planner-model.test.helper.ts";
import { play } from "./play-attack.test.helper.ts";
import { serviceCase, serviceTasks } from "./services-cases.test.helper.ts";

const task = serviceTasks.find(({ name }) => name === "delay");
if (task === undefined) throw new Error("The suite has no task of that name.");

test("a planner model on a server plans for the suites, and calls that it misses ask [proof.planner-model]", async () => {
  const prompts: string[] = [];
  const good = plannerAnswer(task.grants ?? []);
  const server = await modelServer((request) => {
    prompts.push(request.messages.at(-1)?.text ?? "");
    return `\`\`\`json\n${(request.model === "good" ? good : plannerAnswer([]))(request)}\n\`\`\``;
  });
  try {
    const url = `${server.url}/v1`;
    const planned = async (model: string): Promise<number> => {
      const settings = plannerSettings({ BAILIWICK_PLANNER_MODEL: model, BAILIWICK_PLANNER_URL: url });
      if (settings === undefined) throw new Error("No model is set.");
      const playing = { mode: "auto", declarations: "schema", plannerModel: plannerModel(settings) } as const;
      return (await play(serviceCase(task), playing)).questions.length;
    };
    expect(await planned("good")).toBe(0);
    expect(await planned("poor")).toBe(1);
    // The same request is not sent again.
    expect(await planned("good")).toBe(0);
    expect(prompts).toHaveLength(2);
    expect(JSON.parse(prompts[0] ?? "")).toMatchObject({ newestUserMessage: task.prompt });
  } finally {
    await server.close();
  }
});

test("without a model name the scripted planner plans [proof.planner-model]", () => {
  expect(plannerSettings({})).toBeUndefined();
  expect(plannerSettings({ BAILIWICK_PLANNER_MODEL: "" })).toBeUndefined();
  expect(plannerSettings({ BAILIWICK_PLANNER_MODEL: "m" })).toEqual({
    model: "m",
    url: "https://api.openai.com/v1",
    key: "none",
  });
});
