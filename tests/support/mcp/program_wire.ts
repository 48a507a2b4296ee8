import { fromFileUrl } from "@std/path";

import type { McpWire, OpenWire } from "../../../runtime/sources/mcp/wire/mcp_wire.ts";
import { cutLines } from "../../../runtime/sources/mcp/wire/cut_lines.ts";

/** Starts a server of `tests/fixtures/mcp` without any wall. */
export function fixtureWire(name: string, args: readonly string[] = []): OpenWire {
  const path = fromFileUrl(new URL(`../../fixtures/mcp/${name}`, import.meta.url));
  const flags = ["--quiet", "--no-prompt", "--no-check", "--cached-only"];
  return programWire([Deno.execPath(), "run", ...flags, path, ...args]);
}

/** Starts a program without any wall: what stands around it is no matter of the client. */
export function programWire([command = "", ...args]: readonly string[]): OpenWire {
  return () => Promise.resolve(startProgram(command, args));
}

function startProgram(command: string, args: readonly string[]): McpWire {
  const process = new Deno.Command(command, {
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  const ended = Promise.withResolvers<{ why: string; said: string }>();
  const said = new Response(process.stderr).text();
  let why: string | null = null;
  async function* messages() {
    const onTooLong = () => {
      why = "it sent a message of more than 10485760 bytes";
    };
    yield* cutLines(process.stdout, { onTooLong });
    end();
    const { code } = await process.status;
    ended.resolve({ why: why ?? `it ended with code ${code}`, said: (await said).trim().slice(-500) });
  }
  const end = () => {
    try {
      process.kill("SIGKILL");
    } catch {
      // It has ended.
    }
  };
  return {
    send: (message) => void writer.write(new TextEncoder().encode(`${message}\n`)).catch(() => {}),
    messages: messages(),
    ended: ended.promise,
    async [Symbol.asyncDispose]() {
      await writer.close().catch(() => {});
      end();
      await process.status;
    },
  };
}
