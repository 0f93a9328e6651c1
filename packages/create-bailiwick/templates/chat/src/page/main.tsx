import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Page } from "./page.tsx";

const root = document.querySelector("#root");
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
