import { findDesktop, menuEntries } from "../../../runtime/desktop/find_desktop.ts";
import { SessionDesktop } from "../../../runtime/desktop/session_desktop.ts";
import type { PipedProgram } from "../../../runtime/programs/narrow/piped_program.ts";
import { findProgram } from "../../../runtime/walls/files/find_program.ts";
import type { AuditedProgram } from "../../../schemas/audit.ts";
import type { DesktopAction, DesktopAnswer, ScreenPlace } from "../../../schemas/desktop/desktop.ts";
import { boxWorks } from "../box.ts";
import { workspace } from "../run_tool.ts";
import { sourceHost } from "../sources/source_host.ts";
import { type Area, changed, type Screen, screenOf } from "./screen.ts";

const find = (name: string) => findProgram(name, Deno.env.get("PATH") ?? "");

/** What of a desktop this machine lacks. */
const LACKS: readonly string[] = [
  ...findDesktop(find).missing ?? [],
  ...["mousepad", "stterm"].filter((name) => find(name) === null),
  ...boxWorks ? [] : ["bubblewrap"],
];

/** Registers a test that needs a desktop, an editor, a terminal and the sandbox; elsewhere it is reported as ignored. */
export function desktopTest(name: string, run: () => Promise<void>): void {
  const why = LACKS.length === 0 ? "" : ` (needs ${LACKS.join(", ")})`;
  Deno.test({ name: `${name}${why}`, ignore: why !== "", fn: run });
}

export const EMPTY: Screen = { width: 1024, height: 768, pixels: new Uint8Array(4 * 1024 * 768) };

/** How long something on the screen is waited for, in milliseconds. */
const WAIT_MS = 30_000;

export async function desktopScene(
  { files = {}, start = [], maxIdleMs, env, found = findDesktop(find) }: {
    files?: Record<string, string>;
    start?: readonly string[];
    maxIdleMs?: number;
    env?: Readonly<Record<string, string>>;
    found?: ReturnType<typeof findDesktop>;
  } = {},
) {
  const ws = workspace(files);
  const opened = await sourceHost(ws.path, {
    grants: { toolchains: "off" },
    ...env && { env: { ...Deno.env.toObject(), ...env } },
  });
  const allowed = opened.host.programsFor({ read: true, write: true });
  const started: PipedProgram[] = [];
  const desktop = new SessionDesktop({
    found,
    menu: menuEntries(["mousepad"], { find, isRoot: Deno.uid() === 0 }),
    start,
    programs: {
      ...allowed,
      async pipe(...given) {
        const program = await allowed.pipe(...given);
        started.push(program);
        return program;
      },
    },
    isBoxed: () => Promise.resolve(true),
    ...maxIdleMs !== undefined && { maxIdleMs },
  });
  const programs: AuditedProgram[] = [];
  const act = (
    action: DesktopAction,
    { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
  ): Promise<DesktopAnswer> =>
    desktop.act(action, {
      call: { signal, onProgram: (program) => void programs.push(program), warn: () => {} },
    });
  const look = async () => await screenOf(await act({ do: "look" }));
  return {
    ...{ ws, desktop, act, look, programs },
    started,
    click: (at: ScreenPlace) => act({ do: "click", at, button: "left", times: 1 }),
    press: (...keys: string[]) => act({ do: "press", keys }),
    type: (text: string) => act({ do: "type", text }),
    /** Looks until the screen differs enough from an earlier one, and returns it with what differs. */
    async seen(before: Screen, { width = 20, height = 10 } = {}): Promise<{ screen: Screen; area: Area }> {
      for (const end = Date.now() + WAIT_MS; Date.now() < end;) {
        const screen = await look();
        const area = changed(before, screen);
        if (area !== null && area.right - area.left >= width && area.bottom - area.top >= height) {
          return { screen, area };
        }
      }
      throw new Error("nothing new came to the screen");
    },
    async [Symbol.asyncDispose]() {
      await desktop.end();
      await opened[Symbol.asyncDispose]();
      ws[Symbol.dispose]();
    },
  };
}

export async function eventually<T>(
  what: string,
  ask: () => T | null | undefined | Promise<T | null | undefined>,
): Promise<T> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end;) {
    const got = await ask();
    if (got !== null && got !== undefined) return got;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited in vain for ${what}`);
}

/** Returns the text of a file, `null` while it is not there. */
export function textOrNull(path: string): string | null {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return null;
  }
}
