import { sessionToUIMessages } from "@bailiwick/server";
import { notFound } from "next/navigation";
import { orders, userOf } from "../../../agent";
import { Chat } from "./chat";

export const dynamic = "force-dynamic";

/** The history is loaded on the server: the page shows it without a request. */
export default async function Page({ params }: { readonly params: Promise<{ id: string }> }) {
  const { id } = await params;
  const userId = await userOf();
  if (userId === null) notFound();
  const messages = await sessionToUIMessages({ ...orders(), sessionId: id, userId });
  return <Chat id={id} messages={messages} />;
}
