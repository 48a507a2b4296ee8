import type { Place } from "../../schemas/result.ts";
import type { Self } from "../self/find_self.ts";
import type { BoxChoice } from "../walls/box/choose_box.ts";
import { realDisk } from "../walls/box/disk_view.ts";
import { openProcessLink } from "./process_link.ts";
import type { RoomProfile } from "./profile.ts";
import type { OpenLink } from "./room.ts";
import { boxedCommand, unboxedCommand } from "./room_command.ts";
import { warmCache } from "./warm_cache.ts";
import { openWorkerLink } from "./worker_link.ts";

/** Where this machine's rooms run. */
export interface Places {
  placeOf(profile: RoomProfile): Promise<Place>;
  openLink: OpenLink;
  /** Puts what rooms need into Deno's cache; `null` if they need no cache. */
  warm: (() => Promise<void>) | null;
}

/**
 * Decides where rooms run: in the box if it is used, else in their own process if their tool must be
 * killable, else in a worker of this process.
 *
 * @param options `find` returns the absolute path of a program that bounds a room, `null` if there is none
 */
export function makePlaces(
  self: Self,
  { box, find }: { box: BoxChoice; find(name: string): string | null },
): Places {
  const { warm } = self;
  const placeOf = async (profile: RoomProfile): Promise<Place> =>
    await box.isUsed() ? "sandbox" : profile.killable ? "process" : "worker";
  return {
    placeOf,
    warm: warm ? () => warmCache(warm, self.env) : null,
    async openLink(profile, token, onMessage) {
      const place = await placeOf(profile);
      if (place === "worker") return { link: openWorkerLink(profile, token, { onMessage }), place };
      const prlimit = find("prlimit");
      const state = await (place === "sandbox" ? box.state() : null);
      const command = state?.works
        ? boxedCommand(profile, self, { bwrap: state.bwrap, prlimit, disk: realDisk })
        : unboxedCommand(profile, self, prlimit);
      return { link: openProcessLink(profile, token, { command, onMessage }), place };
    },
  };
}
