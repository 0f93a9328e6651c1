/**
 * Paths in the index of a Git repository: files that Git tracks are copied also if `.gitignore` names them.
 *
 * @param bytes - Content of `.git/index`, in version 2, 3 or 4.
 * @returns No paths for an index in another form.
 */
export function trackedPaths(bytes: Uint8Array): readonly string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(0) !== 0x44495243) return [];
  const version = view.getUint32(4);
  const count = Math.min(view.getUint32(8), 1_000_000);
  if (version < 2 || version > 4) return [];
  const decoder = new TextDecoder();
  const paths: string[] = [];
  let at = 12;
  let before = "";
  for (let index = 0; index < count && at + 62 < bytes.length; index += 1) {
    const start = at;
    const isExtended = (view.getUint16(at + 60) & 0x4000) !== 0;
    at += isExtended && version > 2 ? 64 : 62;
    let kept = "";
    if (version === 4) {
      const [removed, next] = readOffset(bytes, at);
      kept = before.slice(0, Math.max(0, before.length - removed));
      at = next;
    }
    const end = bytes.indexOf(0, at);
    if (end < 0) break;
    before = kept + decoder.decode(bytes.subarray(at, end));
    paths.push(before);
    // Entries of the older versions are padded to a multiple of eight, with at least one zero.
    at = version === 4 ? end + 1 : start + Math.ceil((end - start + 1) / 8) * 8;
  }
  return paths;
}

/** A number as Git writes offsets. */
function readOffset(bytes: Uint8Array, start: number): readonly [value: number, next: number] {
  let at = start;
  let byte = bytes[at] ?? 0;
  let value = byte & 127;
  while ((byte & 128) !== 0 && at < start + 5) {
    at += 1;
    byte = bytes[at] ?? 0;
    value = ((value + 1) << 7) | (byte & 127);
  }
  return [value, at + 1];
}
