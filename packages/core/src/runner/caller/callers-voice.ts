import type { ContentPart } from "../../contracts/content-part.ts";
import type { Message, UserMessage } from "../../contracts/message.ts";
import type { Caller } from "./caller.ts";

/**
 * What a calling model made up after it had read untrusted content is not the user's voice, although it stands where the
 * user's words stand in the run that it calls: its parts are marked. What the user said word for word stays the user's.
 */
export function asCalled<Given extends Message>(message: Given, caller: Caller | undefined): Given {
  if (message.role !== "user" || caller?.label?.integrity !== "untrusted") return message;
  const { content } = message;
  const parts: readonly ContentPart[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const said = caller.userMessages();
  const marked = parts.map((part) =>
    part.untrusted === true || isSaid(part, said) ? part : { ...part, untrusted: true },
  );
  return marked.every((part, index) => part === parts[index]) ? message : { ...message, content: marked };
}

/** Tells if the user of the calling run gave a part. */
export function isSaid(part: ContentPart, said: readonly UserMessage[]): boolean {
  return said.some(({ content }) => {
    if (typeof content === "string") return part.type === "text" && part.text === content;
    return content.some((one) => {
      if (one.untrusted === true && part.untrusted !== true) return false;
      return one === part || (one.type === "text" && part.type === "text" && one.text === part.text);
    });
  });
}
