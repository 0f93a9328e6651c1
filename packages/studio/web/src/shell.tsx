import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { api } from "./api.ts";
import { failureOf, pollEvery } from "./failure-of.ts";
import { Icon, type IconName } from "./icons.tsx";
import { Failed } from "./parts/states.tsx";
import { applyTheme, chosenTheme, themes } from "./theme.ts";
import { useKeys } from "./use-keys.ts";

const pages = [
  { to: "/", label: "Runs", icon: "runs", key: "1" },
  { to: "/inbox", label: "Inbox", icon: "inbox", key: "2" },
  { to: "/playground", label: "Playground", icon: "model", key: "3" },
  { to: "/tools", label: "Tools", icon: "tools", key: "4" },
  { to: "/queue", label: "Queue", icon: "queue", key: "5" },
  { to: "/memory", label: "Memory", icon: "memory", key: "6" },
] as const satisfies readonly { to: string; label: string; icon: IconName; key: string }[];

/** The frame of every page. */
export function Shell() {
  const info = useQuery({ queryKey: ["info"], queryFn: api.info, refetchInterval: pollEvery(5_000) });
  const [helpOpen, setHelpOpen] = useState(false);
  const navigate = useNavigate();
  useKeys({
    "?": () => setHelpOpen(true),
    ...Object.fromEntries(pages.map(({ key, to }) => [key, () => void navigate({ to })])),
  });
  useFocusOfPage();
  const failure = failureOf(info);
  const waiting = info.data?.counts.suspended ?? 0;
  return (
    <div className="shell">
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        Skip to content
      </a>
      <header className="side">
        {info.data?.home !== undefined && (
          <a className="home" href={info.data.home.url} title={info.data.home.title}>
            <Icon name="back" size={14} />
            <span className="home-name">{info.data.home.title}</span>
          </a>
        )}
        <p className="brand">
          <span className="logo" aria-hidden="true" />
          Bailiwick
        </p>
        <nav aria-label="Pages">
          {pages.map(({ to, label, icon, key }) =>
            to === "/memory" && info.data?.memory === false ? null : (
              <Link
                key={to}
                to={to}
                search={{}}
                className="nav"
                activeOptions={{ exact: to === "/" }}
                aria-keyshortcuts={key}
              >
                <Icon name={icon} />
                <span>{label}</span>
                {to === "/inbox" && waiting > 0 && (
                  <span className="count">
                    {waiting}
                    <span className="visually-hidden"> waiting</span>
                  </span>
                )}
              </Link>
            ),
          )}
        </nav>
        <div className="side-foot">
          {info.data !== undefined && (
            <p className="store" title={info.data.store}>
              {info.data.store}
            </p>
          )}
          <ThemeChoice />
          <button type="button" className="quiet" onClick={() => setHelpOpen(true)}>
            Keys <kbd>?</kbd>
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {info.isError && failure === undefined && (
          <p className="note warn offline" role="status">
            The studio’s server does not answer. You see what was loaded before; the page tries again by itself.
          </p>
        )}
        {failure === undefined ? <Outlet /> : <Failed page error={failure} retry={() => void info.refetch()} />}
      </main>
      <Keys open={helpOpen} onChange={setHelpOpen} />
    </div>
  );
}

/** Gives the focus to the new page if the element that opened it, such as a row, is gone. */
function useFocusOfPage(): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const before = useRef(path);
  useEffect(() => {
    const isOther = before.current !== undefined && before.current !== path;
    before.current = path;
    if (isOther && document.activeElement === document.body)
      document.getElementById("main")?.focus({ preventScroll: true });
  }, [path]);
}

function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme());
  return (
    <label className="theme">
      <Icon name="theme" size={14} />
      <span className="visually-hidden">Colour scheme</span>
      <select
        value={theme}
        onChange={({ target }) => {
          const next = themes.find((one) => one === target.value) ?? "system";
          setTheme(next);
          applyTheme(next);
        }}
      >
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

const shortcuts = [
  [["/"], "Search"],
  [["j", "k"], "Next and previous run, bar or question"],
  [["Enter"], "Open"],
  [["Escape"], "Close the details of a bar, or leave a form"],
  [["a", "r"], "Approve or reject the question in focus"],
  [["x"], "Select the question in focus"],
  [["Shift A", "Shift R"], "Go to the buttons for the selected questions"],
  [["1", "6"], "Go to the first page, up to the last one"],
  [["Ctrl Enter"], "Run the forks of the playground"],
  [["?"], "Show these keys"],
] as const;

function Keys({ open, onChange }: { readonly open: boolean; readonly onChange: (open: boolean) => void }) {
  return (
    <Dialog.Root open={open} onOpenChange={onChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <Dialog.Title>Keys</Dialog.Title>
          <dl className="keys">
            {shortcuts.map(([keys, what]) => (
              <div key={what}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
          <div className="actions to-end">
            <Dialog.Close>Close</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
