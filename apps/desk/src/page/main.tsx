import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { config } from "zod";
import { App } from "./app.tsx";
import "./styles/index.css";

// The content security policy forbids compiled code: without this, the first schema tries it and the browser complains.
config({ jitless: true });

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
