import type { Connection } from "../../schemas/net.ts";
import { ToolError } from "../../schemas/error.ts";
import type { PipedProgram } from "../programs/narrow/piped_program.ts";
import { chromiumWords, type Outside } from "./chromium_words.ts";

/** How a browser is started. */
export interface BrowserStart {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Where it puts downloads, as it sees the disk; in a sandbox it has a place of its own. */
  downloads?: string;
  /** A private folder that goes away with it; in a sandbox it needs none. */
  folder?: string;
  warnings: readonly string[];
  /** Where pages connected to since the last time. */
  connections(program: PipedProgram): Promise<readonly Connection[]>;
  /** Ends its way to the gate. Must be called once it has ended, or could not start. */
  end(): Promise<void>;
}

/** A port of the gate on this machine's loopback. */
export interface LoopbackDoor {
  loopback?: number;
  take(call: null): Promise<readonly Connection[]>;
  close(): Promise<unknown>;
}

/** Folders of programs' private folders: the path of a socket in one may have 107 bytes. */
const PARENT = "/tmp";

/** Returns how a browser starts in a sandbox, which holds all of it. */
export function startBoxed(path: string): BrowserStart {
  return {
    argv: chromiumWords(path),
    env: {},
    warnings: [],
    connections: (program) => program.connections(),
    end: () => Promise.resolve(),
  };
}

/**
 * Returns how a browser starts without a sandbox: its own settings lead it to the gate, and its profile lies in a private
 * folder.
 *
 * @throws What `open` throws
 */
export async function startUnboxed(path: string, open: () => Promise<LoopbackDoor>): Promise<BrowserStart> {
  const door = await open();
  const { loopback: port } = door;
  if (port === undefined) throw new ToolError("internal", "The gate has no port on this machine");
  const folder = `${PARENT}/bulkhead-browser-${crypto.randomUUID()}`;
  const outside: Outside = { port, profile: `${folder}/profile`, isRoot: Deno.uid() === 0 };
  return {
    argv: chromiumWords(path, outside),
    env: { HOME: folder, TMPDIR: folder },
    folder,
    downloads: `${folder}/downloads`,
    warnings: [warningOf(outside)],
    connections: () => door.take(null),
    end: async () => void await door.close(),
  };
}

function warningOf({ isRoot }: Outside): string {
  const own = isRoot ? " Its own sandbox is off as well, because it runs as root." : "";
  return "Only the browser's own settings lead its pages to the gate, which holds them to what is granted: nothing holds a " +
    `page that breaks out of the browser.${own}`;
}
