import type { BrokenPromise, RecordedHistory, RecordedPage } from "./recorded-history.ts";

/** A page shows what the model read and each effect, loses no message, stays in no error, and its requests do not grow. */
export function driftedPages({ pages = [] }: RecordedHistory): readonly BrokenPromise[] {
  return pages.flatMap((page) => {
    const problems: BrokenPromise[] = [];
    const broken = (text: string): void => void problems.push({ promise: "page", text, proof: [page] });
    const drift = firstDrift(page);
    if (drift !== undefined) broken(drift);
    for (const sent of new Set(page.sent)) {
      const times = page.shown.filter((shown) => shown === sent).length;
      const wanted = page.sent.filter((one) => one === sent).length;
      if (times < wanted) broken(`The message ${JSON.stringify(sent)} disappeared from ${page.name}.`);
      else if (times > wanted) broken(`${page.name} shows the message ${JSON.stringify(sent)} ${times} times.`);
    }
    for (const effect of page.unseenEffects ?? []) broken(`${effect} was made, and ${page.name} does not show it.`);
    if (page.request !== undefined && page.request.size > page.request.limit)
      broken(
        `A request of ${page.name} has ${page.request.size} characters beside its message: it grows with the chat.`,
      );
    if (page.error !== undefined) broken(`${page.name} stays in an error: ${page.error}.`);
    return problems;
  });
}

function firstDrift({ name, shown, read }: RecordedPage): string | undefined {
  for (let index = 0; index < Math.max(shown.length, read.length); index += 1) {
    const [page, model] = [shown[index], read[index]];
    if (page === model) continue;
    if (page === undefined) return `The model read ${JSON.stringify(model)}, and ${name} does not show it.`;
    if (model === undefined) return `${name} shows ${JSON.stringify(page)}, and the model never read it.`;
    return `${name} shows ${JSON.stringify(page)} where the model read ${JSON.stringify(model)}.`;
  }
  return undefined;
}
