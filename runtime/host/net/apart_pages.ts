import type { Grants } from "../../../schemas/grants.ts";
import type { Pages } from "../../net/pages/open_pages.ts";
import type { Self } from "../../self/find_self.ts";
import type { ApartFolder } from "../../state/apart_folder.ts";
import type { BoxChoice } from "../../walls/box/choose_box.ts";
import { realDisk } from "../../walls/box/disk_view.ts";

/** Serves the folder of programs that run apart to browsers of this machine. */
export interface ApartPages {
  /** Returns its URL, `null` if nobody could open it. The server is started with the first question. */
  open(): Promise<string | null>;
  /** The server, while it runs. */
  readonly running: Pages | null;
  /** Ends the server, and the use of the folder. */
  end(): Promise<void>;
}

/**
 * Makes the pages of a run.
 *
 * @param parts `isSingle`: the run ends with its first call, and with it the server. What is elsewhere is not served from here
 */
export function makeApartPages(parts: {
  box: BoxChoice;
  self: Self;
  grants: Grants;
  folder: ApartFolder & { remote: readonly string[] | undefined };
  isSingle: boolean | undefined;
}): ApartPages {
  const { box, self, grants, folder, isSingle } = parts;
  let opening: Promise<Pages> | undefined;
  let running: Pages | null = null;
  const start = async (bwrap: string) => {
    const { pagesCommand } = await import("../../net/pages/pages_command.ts");
    const { openPages } = await import("../../net/pages/open_pages.ts");
    const command = pagesCommand(await folder.open(), { bwrap, self, disk: realDisk });
    // Where programs may reach everybody, so may a page of theirs.
    return await openPages(command, { isOpen: grants.shareNet || grants.netNamed === true });
  };
  return {
    async open() {
      const state = await box.state();
      if (isSingle || folder.remote !== undefined || !state.works || !await box.isUsed()) return null;
      const { bwrap } = state;
      if (bwrap === null) return null;
      const pages = await opening?.catch(() => undefined);
      if (pages?.isAlive) return pages.url;
      opening = start(bwrap);
      return (running = await opening).url;
    },
    get running() {
      return running?.isAlive ? running : null;
    },
    async end() {
      await (await opening?.catch(() => undefined))?.end();
      await folder.end();
    },
  };
}
