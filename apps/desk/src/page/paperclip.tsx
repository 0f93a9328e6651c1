/** The icon of an attachment. */
export function Paperclip({ label }: { readonly label: string }) {
  return (
    <svg className="clip" viewBox="0 0 16 16" role="img" aria-label={label}>
      <path d="M11.5 5.5 6.6 10.4a1.5 1.5 0 0 1-2.1-2.1l5.3-5.3a2.8 2.8 0 0 1 4 4l-5.6 5.5a4.2 4.2 0 0 1-6-5.9L6.8 2" />
    </svg>
  );
}
