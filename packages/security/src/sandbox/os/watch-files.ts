import { fs } from "../node.ts";

/** Polling interval, in milliseconds. */
const intervalMs = 100;
/** A file in memory costs the kernel about as much as a small page, and no limit on bytes counts that. */
const bytesPerFile = 4_096;

/**
 * Ends a sandbox with more files in its `/tmp` than fit there at one page each: the kernel keeps an entry in memory for
 * an empty file too, and bubblewrap cannot limit their number.
 *
 * @param first - Process id of the first process in the sandbox.
 * @param temporaryBytes - Size of its `/tmp`.
 * @param onExcess - Called once.
 * @returns Stops watching.
 */
export function watchFiles(first: number, temporaryBytes: number, onExcess: () => void): () => void {
  const most = Math.floor(temporaryBytes / bytesPerFile);
  const timer = setInterval(() => {
    if (filesIn(`/proc/${first}/root/tmp`) <= most) return;
    clearInterval(timer);
    onExcess();
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Number of files and folders of a file system; 0 after the sandbox ended, and while bubblewrap makes it: until then its
 * first process has our root, with our `/tmp`.
 */
function filesIn(folder: string): number {
  try {
    const { files, ffree } = fs.statfsSync(folder);
    const [inside, own] = [fs.statSync(folder), fs.statSync("/tmp")];
    return inside.dev === own.dev && inside.ino === own.ino ? 0 : files - ffree;
  } catch {
    return 0;
  }
}
