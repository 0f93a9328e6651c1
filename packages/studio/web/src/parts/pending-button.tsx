import type { ComponentProps } from "react";

/** A button that ignores clicks while its action runs. It keeps the focus, which a disabled button loses. */
export function PendingButton({ pending, onClick, ...rest }: ComponentProps<"button"> & { readonly pending: boolean }) {
  return <button type="button" aria-disabled={pending} onClick={pending ? undefined : onClick} {...rest} />;
}
