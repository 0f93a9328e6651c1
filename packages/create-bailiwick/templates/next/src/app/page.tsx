import { redirect } from "next/navigation";

export const dynamic = "force-dynamic";

/** Opens a new chat. Its id stays in the address, so that a reload shows it again. */
export default function Page() {
  redirect(`/chat/${crypto.randomUUID()}`);
}
