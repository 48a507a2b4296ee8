import type { Place } from "../../schemas/result.ts";
import type { Self } from "../self/find_self.ts";
import { type BoxChoice, enclosesRooms, landlockOf, usedBubblewrap } from "../walls/box/choose_box.ts";
import { realDisk } from "../walls/box/disk_view.ts";
import { openProcessLink } from "./process_link.ts";
import type { RoomProfile } from "./profile.ts";
import type { OpenLink } from "./room.ts";
import { GATE_HOST } from "../net/forms/gate_headers.ts";
import { boxedCommand, landlockCommand, seatbeltCommand, unboxedCommand } from "./room_command.ts";
import { haveCompiled } from "./have_compiled.ts";
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
 * Decides where rooms run: in the box if it is used, behind Landlock or under a profile of macOS if that works, else in their own process if their tool must be
 * killable, else in a worker of this process.
 *
 * @param options `find` returns the absolute path of a program that bounds a room, `null` if there is none;
 * `bypassed` says that variables of the user lead some requests past any proxy
 */
export function makePlaces(
  self: Self,
  { box, find, bypassed = false }: {
    box: BoxChoice;
    find(name: string): string | null;
    bypassed?: boolean;
  },
): Places {
  const { warm } = self;
  const compile = haveCompiled(self);
  const placeOf = async (profile: RoomProfile): Promise<Place> =>
    await enclosesRooms(box)
      ? (await landlockOf(box) === null ? "sandbox" : "landlock")
      : mustBeProcess(profile, bypassed)
      ? "process"
      : "worker";
  return {
    placeOf,
    warm: warm ? () => warmCache(warm, self.env) : null,
    async openLink(profile, token, onMessage) {
      const place = await placeOf(profile);
      if (place === "worker") return { link: openWorkerLink(profile, token, { onMessage }), place };
      if (place !== "process") await compile();
      const prlimit = find("prlimit");
      const bwrap = await (place === "sandbox" ? usedBubblewrap(box) : null);
      const landlock = await (place === "landlock" ? landlockOf(box) : null);
      const command = landlock !== null
        ? landlockCommand(profile, self, { landlock, disk: realDisk })
        : bwrap !== null
        ? boxedCommand(profile, self, { bwrap, prlimit, disk: realDisk })
        : place === "sandbox"
        ? seatbeltCommand(profile, self, realDisk)
        : unboxedCommand(profile, self, prlimit);
      return { link: openProcessLink(profile, token, { command, onMessage }), place };
    },
  };
}

/**
 * A worker gets only what its process has, and a process that has given up the network cannot give it on. It would also
 * obey the variables of its process about proxies.
 */
function mustBeProcess({ killable, gate }: RoomProfile, bypassed: boolean): boolean {
  if (killable || gate === undefined) return killable;
  return bypassed || Deno.permissions.querySync({ name: "net", host: GATE_HOST }).state !== "granted";
}
