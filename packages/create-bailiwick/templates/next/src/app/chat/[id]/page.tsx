import { ChatPage } from "./chat.tsx";

export default async function Page({ params }: { readonly params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <ChatPage id={id} />;
}
