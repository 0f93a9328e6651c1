/** Readers in words: `user:mia` is mia, and a tool may read its own results. */
export function readerWords(readers: readonly string[]): string {
  const names = readers.flatMap((reader) => (reader.startsWith("source:") ? [] : [reader.replace(/^user:/u, "")]));
  return names.length === 0 ? "No person may read it." : `Only for ${names.join(", ")}.`;
}
