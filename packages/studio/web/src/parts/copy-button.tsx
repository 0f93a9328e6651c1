import { useState } from "react";
import { Icon } from "../icons.tsx";

/** Copies a text to the clipboard, and confirms it. */
export function CopyButton({
  text,
  label,
  children,
}: {
  readonly text: string;
  readonly label: string;
  /** Text beside the icon. */
  readonly children?: string;
}) {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className={children === undefined ? "quiet icon-button" : "quiet"}
      aria-label={copied ? "Copied" : label}
      title={copied ? "Copied" : label}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setCopied(true);
          setTimeout(() => setCopied(false), 1_500);
        });
      }}
    >
      <Icon name={copied ? "check" : "copy"} size={14} />
      {children !== undefined && <span>{copied ? "Copied" : children}</span>}
    </button>
  );
}
