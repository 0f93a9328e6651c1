/** Colour schemes of the page; `system` follows the machine. */
export const themes = ["system", "light", "dark"] as const;

/** A colour scheme. */
export type Theme = (typeof themes)[number];

const key = "bailiwick-studio-theme";

/** The scheme that the viewer chose. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(key);
  return themes.find((theme) => theme === stored) ?? "system";
}

/** Shows the page in the scheme, and stores it for later visits. */
export function applyTheme(theme: Theme = chosenTheme()): void {
  localStorage.setItem(key, theme);
  document.documentElement.style.colorScheme = theme === "system" ? "light dark" : theme;
}
