import { redirect } from "next/navigation";

export const dynamic = "force-dynamic";

/** Opens a new chat. */
export default function Page() {
  redirect(`/chat/${crypto.randomUUID()}`);
}
