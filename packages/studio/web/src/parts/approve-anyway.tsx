import { Dialog } from "@base-ui/react/dialog";
import { questionView } from "@bailiwick/core/questions";
import { useState } from "react";
import type { InterruptionData } from "@bailiwick/core";

/** The second, explicit step of a suspicious call. */
export function ApproveAnyway({
  interruption,
  pending,
  onApprove,
}: {
  readonly interruption: InterruptionData;
  readonly pending: boolean;
  readonly onApprove: () => void;
}) {
  const [checked, setChecked] = useState(false);
  const [open, setOpen] = useState(false);
  const shown = questionView(interruption);
  const suspects = shown?.calls.flatMap(({ values }) => values.filter(({ decides, trusted }) => decides && !trusted));
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setChecked(false);
      }}
    >
      <Dialog.Trigger data-action="approve" aria-keyshortcuts="a" disabled={pending}>
        Approve…
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <Dialog.Title>Approve a suspicious call?</Dialog.Title>
          <Dialog.Description>
            {shown?.title} The values below come from an untrusted source, and they decide the effect of the call.
          </Dialog.Description>
          <ul className="suspects">
            {suspects?.map(({ path, name, shown: value, source }) => (
              <li key={path}>
                <strong>{name}</strong> <code>{value}</code> <span className="soft">{source}</span>
              </li>
            ))}
          </ul>
          <label className="check">
            <input type="checkbox" checked={checked} onChange={({ target }) => setChecked(target.checked)} />I checked
            these values with a person who knows them
          </label>
          <div className="actions">
            <Dialog.Close className="primary">Do not approve</Dialog.Close>
            <button
              type="button"
              className="danger"
              disabled={!checked || pending}
              onClick={() => {
                setOpen(false);
                onApprove();
              }}
            >
              Approve anyway
            </button>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
