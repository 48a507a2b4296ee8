import { join, toFileUrl } from "@std/path";

import { redirectPage } from "../../../server/contract/redirect_page.ts";
import { systemError } from "../../../walls/files/system_error.ts";
import { type Io, printError } from "../../io/io.ts";

/** What opens a page, by the system. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  linux: ["xdg-open"],
};

/**
 * Opens a page in the user's browser: the one that `BROWSER` names, else the usual one. Other users of the machine see the
 * words that a browser is started with, so these name a file that leads to the page, and that the user alone can read. A
 * failure is told; an address stands on stderr anyway. Needs `run`, and `write` of the folder.
 *
 * @param folder Absolute path of bulkhead's own folder, where the file stays until it is closed
 */
export function openPage(page: string, { io, folder }: { io: Io; folder: string }): Disposable {
  const file = join(folder, `open-${crypto.randomUUID()}.html`);
  const close = () => {
    try {
      Deno.removeSync(file);
    } catch {
      // It leads nowhere by now.
    }
  };
  try {
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    Deno.writeTextFileSync(file, redirectPage(page), { createNew: true, mode: 0o600 });
  } catch (error) {
    void printError(io, `bulkhead: cannot open the page: ${systemError(error, "write", file).message}\n`);
    return { [Symbol.dispose]: close };
  }
  start(toFileUrl(file).href, io);
  return { [Symbol.dispose]: close };
}

function start(address: string, io: Io): void {
  const [program, ...words] = io.env("BROWSER")?.split(" ").filter((word) => word !== "") ??
    OPENERS[Deno.build.os] ?? [];
  const fail = (why: string) =>
    void printError(io, `bulkhead: cannot open the page: ${why}; open it yourself\n`);
  if (program === undefined) return fail("no browser is known here, and BROWSER names none");
  try {
    const child = new Deno.Command(program, {
      args: [...words, address],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    })
      .spawn();
    child.unref();
    child.status.then(({ code }) => code === 0 ? undefined : fail(`${program} ended with ${code}`));
  } catch (error) {
    fail(`${program} could not be started (${error instanceof Error ? error.name : error})`);
  }
}
