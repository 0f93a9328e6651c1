import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

const plugins = [remarkGfm];

/**
 * Elements that need more than their tag. A link shows the host that it leads to, since the text of a link may name
 * another one; an image becomes a link, so that no answer makes the page load anything.
 */
const components: Components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  img: ({ src, alt }) => <OutsideLink href={typeof src === "string" ? src : undefined}>{alt || "image"}</OutsideLink>,
  table: ({ children }) => (
    <div className="scroll" tabIndex={0} role="region" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
};

/** The agent's text, written in Markdown. HTML in it is shown as text, and addresses of other kinds than http and mail are dropped. */
export function AgentText({ text }: { readonly text: string }) {
  return (
    <div className="markdown" dir="auto">
      <Markdown remarkPlugins={plugins} components={components}>
        {text}
      </Markdown>
    </div>
  );
}

interface OutsideLinkProps {
  readonly href: string | undefined;
  readonly children: React.ReactNode;
}

function OutsideLink({ href, children }: OutsideLinkProps) {
  if (href === undefined || href === "") return <>{children}</>;
  const host = URL.canParse(href) ? new URL(href).host : "";
  return (
    <>
      <a href={href} target="_blank" rel="noreferrer">
        {children}
      </a>
      {host !== "" && <span className="small"> ({host})</span>}
    </>
  );
}
