import { createRoot } from "react-dom/client";
import { ChatPage } from "./chat-page.tsx";

const root = document.querySelector("#root");
if (root !== null) createRoot(root).render(<ChatPage />);
