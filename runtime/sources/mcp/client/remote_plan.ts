import type { PortDoor } from "../../../net/open_gate.ts";
import type { KeptLogin, RemoteWay } from "../wire/remote_way.ts";

/** What is kept of logins, held against other runs: they wait until it is disposed of. */
export interface HeldLogin extends Disposable {
  kept: KeptLogin;
}

/** How a remote server is reached. */
export interface RemotePlan {
  way: Omit<RemoteWay, "token" | "kept">;
  /** Opens the way to the gate. */
  door(): Promise<PortDoor>;
  /** What is kept of logins. */
  kept(): Promise<KeptLogin>;
  /**
   * Never rejects: it tells the user by itself.
   *
   * @param held Of who holds it. @default it is held meanwhile
   */
  keep(kept: KeptLogin, held?: HeldLogin | null): Promise<void>;
  /** Holds what is kept, and reads it anew; `null` if it cannot be held. Never rejects. */
  hold(signal: AbortSignal): Promise<HeldLogin | null>;
  /** Sends the user's browser away, and returns the query with which it comes back. */
  authorize(url: string): Promise<string>;
}
