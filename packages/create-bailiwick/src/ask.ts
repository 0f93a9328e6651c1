import { cancel, isCancel, select, text } from "@clack/prompts";
import { CreateError } from "./create-project.ts";
import { templates } from "./templates.ts";

/** Asks for the folder of the project. */
export async function askFolder(): Promise<string> {
  return given(
    await text({ message: "Where should the project be?", placeholder: "./my-agent", defaultValue: "my-agent" }),
  );
}

/** Asks for the template. */
export async function askTemplate(): Promise<string> {
  const options = templates.map(({ name, title }) => ({ value: name, label: title }));
  return given(await select({ message: "What do you build?", options }));
}

function given(answer: string | symbol): string {
  if (typeof answer === "string" && !isCancel(answer)) return answer;
  cancel("Nothing was created.");
  throw new CreateError("Nothing was created.");
}
