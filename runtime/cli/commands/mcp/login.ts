import { ToolError } from "../../../../schemas/error.ts";
import { openHost } from "../../../host/open_host.ts";
import type { ServerWork } from "../../../sources/source.ts";
import type { Options } from "../../args/options/option_table.ts";
import { type Io, printError } from "../../io/io.ts";
import { hostSettings } from "../../setup/open_run.ts";

/** `mcp login NAME`: logs in at a remote server. `mcp logout NAME`: forgets that. */
export async function loginCommand(
  action: "login" | "logout",
  name: string,
  { options, io }: { options: Options; io: Io },
): Promise<number> {
  const { logIn, logOut } = await import("../../../sources/mcp/login/log_in.ts");
  const tell = async (text: string) => {
    if (!options.quiet) await printError(io, `bulkhead: ${text}\n`);
  };
  await withServer(name, { options, io }, async (server, host) => {
    if (action === "logout") {
      const had = await logOut(server, host, { signal: io.interrupt });
      return await tell(
        had ? `the login at server "${name}" is forgotten` : `there is no login at server "${name}"`,
      );
    }
    const { wasWanted } = await logIn(server, host, {
      show: (url) =>
        void printError(
          io,
          `bulkhead: open this address in a browser:\n${url}\n` +
            "bulkhead: if the browser is on another machine, paste the address here that it ends at\n",
        ),
      pasted: (signal) => firstLine(io.stdin(), signal),
      signal: io.interrupt,
    });
    await tell(wasWanted ? `logged in at server "${name}"` : `server "${name}" wants no other login`);
  });
  return 0;
}

/** Does something with one server that the files name. */
async function withServer(
  name: string,
  { options, io }: { options: Options; io: Io },
  work: ServerWork["work"],
): Promise<void> {
  if (name === "") throw new ToolError("invalid_input", "Name the server, as its file does");
  const settings = hostSettings(options, io, { stdinTaken: true });
  const sources = { ...settings.tools?.sources, only: { name, work } };
  await using host = openHost({ ...settings, tools: { ...settings.tools, sources } }, {
    manifest: await io.manifest(),
  });
  await host.ready({ signal: io.interrupt });
}

async function firstLine(stdin: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<string> {
  const reader = stdin.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .getReader();
  signal.addEventListener("abort", () => void reader.cancel().catch(() => {}), { once: true });
  let text = "";
  while (!text.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  const [line = ""] = text.split("\n");
  // Nobody said anything: the browser may still come.
  if (line.trim() === "") return await new Promise<never>(() => {});
  return line;
}
