import type { RoomProfile } from "../profile.ts";
import type { FromRoom } from "../protocol.ts";

/** Tests the walls: the room tries what it must not do before it says that it is ready. */
export function tryForbidden(profile: RoomProfile): FromRoom {
  const attempts: [string, () => unknown][] = [
    ["env", () => Deno.env.get("PATH")],
    ["net", () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close()],
  ];
  // A room that may write everywhere may also read everywhere, see the worker's permissions.
  if (profile.read !== true && profile.write !== true) {
    attempts.push(["read", () => Deno.readDirSync("/").next()]);
  }
  for (const [what, attempt] of attempts) {
    try {
      attempt();
      return { t: "breach", what };
    } catch (error) {
      if (!(error instanceof Deno.errors.NotCapable)) return { t: "breach", what: `${what}: ${error}` };
    }
  }
  return { t: "ready" };
}
