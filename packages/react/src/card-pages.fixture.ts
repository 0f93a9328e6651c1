import { fileURLToPath } from "node:url";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const template = (file: string): string => path(`../../create-bailiwick/templates/${file}`);

/** Pages that show the questions of a chat: name, entry, style sheet. */
export const cardPages: readonly (readonly [name: string, entry: string, styles: string | undefined])[] = [
  ["cards", path("cards-page.fixture.tsx"), undefined],
  ["example", path("../../../examples/vite/src/main.tsx"), undefined],
  ["chat template", template("chat/src/page/main.tsx"), template("chat/src/page/page.css")],
  ["next template", path("next-template-page.fixture.tsx"), template("next/src/app/page.css")],
];
