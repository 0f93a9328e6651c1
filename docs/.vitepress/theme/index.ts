import DefaultTheme from "vitepress/theme";
import { useData, type Theme } from "vitepress";
import { defineComponent, h, ref } from "vue";
import "./style.css";

/** The texts of the button while it is active. */
const labels = { idle: "Copy page as Markdown", done: "Copied", failed: "The page could not be copied" } as const;

/** A button that copies the page's Markdown, which the site offers next to each page. */
const CopyPage = defineComponent({
  name: "CopyPage",
  setup() {
    const { page } = useData();
    const state = ref<keyof typeof labels>("idle");
    const copy = async (): Promise<void> => {
      try {
        const response = await fetch(`/${page.value.relativePath}`);
        if (!response.ok) throw new Error(`The page answers ${response.status}.`);
        await navigator.clipboard.writeText(await response.text());
        state.value = "done";
      } catch {
        state.value = "failed";
      }
      setTimeout(() => (state.value = "idle"), 2_000);
    };
    return () => h("p", h("button", { type: "button", class: "copy-page", onClick: copy }, labels[state.value]));
  },
});

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "doc-before": () => h(CopyPage) }),
};
export default theme;
