import { browserBinary } from "../../../runtime/browser/browser_binary.ts";
import { browserNeeds } from "../../../runtime/browser/browser_needs.ts";
import { findChromium } from "../../../runtime/browser/find_chromium.ts";
import { SessionBrowser } from "../../../runtime/browser/session_browser.ts";
import type { HostSettings } from "../../../runtime/host/host_settings.ts";
import { makeGate } from "../../../runtime/net/open_gate.ts";
import type { PipedProgram } from "../../../runtime/programs/narrow/piped_program.ts";
import { findProgram } from "../../../runtime/walls/files/find_program.ts";
import type { AuditedProgram } from "../../../schemas/audit.ts";
import type { BrowserAction, BrowserAnswer } from "../../../schemas/browser/browser.ts";
import type { PageElement } from "../../../schemas/browser/page.ts";
import type { Connection } from "../../../schemas/net.ts";
import { boxWorks } from "../box.ts";
import { makeMark } from "../cli/processes.ts";
import { DIRECT, onlyTo } from "../net/gate_scene.ts";
import { workspace } from "../run_tool.ts";
import { sourceHost } from "../sources/source_host.ts";

/** The browser of this machine, `null` without one. */
export const CHROMIUM: string | null = chromium();

function chromium(): string | null {
  const found = findChromium(Deno.env.toObject(), (name) => findProgram(name, Deno.env.get("PATH") ?? ""));
  return found && browserBinary(found.path);
}

/** Registers a test that needs a browser and, if it is boxed, the sandbox; elsewhere it is reported as ignored, with the reason. */
export function browserTest(
  name: string,
  run: () => Promise<void>,
  { boxed = true }: { boxed?: boolean } = {},
): void {
  const why = CHROMIUM === null ? " (needs chromium)" : boxWorks || !boxed ? "" : " (needs bubblewrap)";
  Deno.test({ name: `${name}${why}`, ignore: why !== "", fn: run });
}

export type Pages = Readonly<Record<string, string | ((request: Request) => Response | Promise<Response>)>>;

/** A server of pages on this machine, and a browser that may reach it and no other address of this machine. */
export async function browserScene(
  pages: Pages,
  { maxIdleMs, grants = {}, boxed = true }: {
    maxIdleMs?: number;
    grants?: Partial<HostSettings["grants"]>;
    /** Without, the browser runs as the user lets it run outside of a sandbox. @default true */
    boxed?: boolean;
  } = {},
) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const page = pages[new URL(request.url).pathname];
    if (page === undefined) return new Response("nothing here", { status: 404 });
    if (typeof page !== "string") return await page(request);
    return new Response(`<!doctype html>${page}`, {
      headers: { "content-type": "text/html; charset=utf-8" },
    });
  });
  const host = `127.0.0.1:${server.addr.port}`;
  const ws = workspace();
  const opened = await sourceHost(ws.path, {
    grants: {
      allowPrivateNet: [host],
      toolchains: "off",
      ...boxed ? {} : { allow: { run: [CHROMIUM!] } },
      ...grants,
    },
    ...boxed ? {} : { sandbox: "off" },
  });
  const allowed = opened.host.programsFor(browserNeeds(CHROMIUM));
  const gate = makeGate({ upstream: DIRECT });
  const started: PipedProgram[] = [];
  const mark = makeMark();
  const browser = new SessionBrowser({
    path: CHROMIUM,
    programs: {
      ...allowed,
      async pipe(spec, call) {
        const program = await allowed.pipe({ ...spec, env: { ...spec.env, ...mark.env } }, call);
        started.push(program);
        return program;
      },
    },
    isBoxed: () => Promise.resolve(boxed),
    outside: {
      path: CHROMIUM,
      openDoor: () =>
        gate.door({ who: "chromium", rules: onlyTo(host), secrets: [], form: "proxy", listens: "loopback" }),
    },
    ...maxIdleMs !== undefined && { maxIdleMs },
  });
  const programs: AuditedProgram[] = [];
  const connections: Connection[] = [];
  const warnings: string[] = [];
  const act = (
    action: BrowserAction,
    { picture = false, signal = new AbortController().signal }: { picture?: boolean; signal?: AbortSignal } =
      {},
  ): Promise<BrowserAnswer> =>
    browser.act(action, {
      picture,
      call: {
        signal,
        onProgram: (program) => void programs.push(program),
        onConnections: (some) => void connections.push(...some),
        warn: (message) => void warnings.push(message),
      },
    });
  return {
    browser,
    act,
    programs,
    /** Stands in the environment of the browsers, and of no other process. */
    mark,
    started,
    connections,
    warnings,
    host,
    url: (path: string) => `http://${host}${path}`,
    open: (path: string) => act({ do: "open", url: `http://${host}${path}` }),
    async [Symbol.asyncDispose]() {
      await browser.end();
      await opened[Symbol.asyncDispose]();
      await gate[Symbol.asyncDispose]();
      await server.shutdown();
      await ws[Symbol.asyncDispose]();
    },
  };
}

export function elementsOf({ page }: BrowserAnswer): PageElement[] {
  return page.lines.filter((line) => "number" in line);
}

export function numberOf(answer: BrowserAnswer, word: string): number {
  const found = elementsOf(answer).find(({ text, about = {} }) =>
    text === word || Object.values(about).includes(word)
  );
  if (found !== undefined) return found.number;
  throw new Error(`no element ${word} in ${JSON.stringify(answer.page.lines)}`);
}

export function textsOf({ page }: BrowserAnswer): string[] {
  return page.lines.flatMap((line) => "number" in line ? [] : [line.text]);
}
