import { createRoot } from "react-dom/client";
import { ChatPage } from "../../create-bailiwick/templates/next/src/app/chat/[id]/chat.tsx";
import { cardChat } from "./card-chat.fixture.ts";

const root = document.querySelector("#root");
if (root !== null) createRoot(root).render(<ChatPage id={cardChat} />);
