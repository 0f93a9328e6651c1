import ReactMarkdown from "react-markdown";
import remarkGfm from "remark-gfm";

/** A model's text. It embeds nothing: HTML is dropped, and an image, which would be a request, is shown as its text. */
export default function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="markdown" dir="auto">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        skipHtml
        components={{
          img: ({ alt }) => <span>{alt}</span>,
          a: ({ href, children }) => (
            <a href={href} rel="noreferrer noopener" target="_blank">
              {children}
            </a>
          ),
          table: ({ children }) => (
            <div className="scroll" tabIndex={0} role="group" aria-label="Table">
              <table>{children}</table>
            </div>
          ),
        }}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
