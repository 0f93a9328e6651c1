import type { FileUIPart } from "ai";
import { useRef, useState, type ReactNode } from "react";

/** A message that a person sends. */
export interface Draft {
  readonly text: string;
  readonly files: FileUIPart[];
}

/** Reads a file of the person as part of a message. */
function readFile(file: File): Promise<FileUIPart> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () =>
      resolve({ type: "file", mediaType: file.type, filename: file.name, url: String(reader.result) });
    reader.onerror = () => reject(reader.error ?? new Error(`"${file.name}" cannot be read.`));
    reader.readAsDataURL(file);
  });
}

interface ComposerProps {
  readonly isAtWork: boolean;
  readonly onSend: (draft: Draft) => void;
  readonly onStop: () => void;
}

/** The field for a message, with files; Enter sends, Shift+Enter breaks the line. */
export function Composer({ isAtWork, onSend, onStop }: ComposerProps): ReactNode {
  const [text, setText] = useState("");
  const [files, setFiles] = useState<readonly FileUIPart[]>([]);
  const picker = useRef<HTMLInputElement>(null);
  const isEmpty = text.trim() === "" && files.length === 0;
  const send = () => {
    if (isEmpty || isAtWork) return;
    onSend({ text, files: [...files] });
    setText("");
    setFiles([]);
  };
  const attach = async (chosen: FileList | null) => {
    const read = await Promise.all([...(chosen ?? [])].map(readFile));
    setFiles((before) => [...before, ...read]);
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {files.length > 0 && (
        <ul className="attached" aria-label="Attached files">
          {files.map(({ url, filename, mediaType }) => (
            <li key={url}>
              {mediaType.startsWith("image/") && <img src={url} alt="" />}
              <span>{filename}</span>
              <button
                type="button"
                className="remove"
                aria-label={`Remove ${filename}`}
                onClick={() => setFiles((before) => before.filter((one) => one.url !== url))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <input
          ref={picker}
          type="file"
          hidden
          multiple
          accept="image/*,application/pdf"
          onChange={({ target }) => {
            void attach(target.files).then(() => (target.value = ""));
          }}
        />
        <button type="button" className="round" aria-label="Attach a file" onClick={() => picker.current?.click()}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M12 5v14M5 12h14" />
          </svg>
        </button>
        <textarea
          aria-label="Message"
          rows={1}
          dir="auto"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
          placeholder="Ask about an order"
        />
        {isAtWork ? (
          <button key="stop" type="button" className="round primary" aria-label="Stop" onClick={onStop}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <rect x="7" y="7" width="10" height="10" rx="2" fill="currentColor" />
            </svg>
          </button>
        ) : (
          <button key="send" className="round primary" aria-label="Send" disabled={isEmpty}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M12 19V5M6 11l6-6 6 6" />
            </svg>
          </button>
        )}
      </div>
    </form>
  );
}
