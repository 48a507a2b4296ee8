import { type Io, printError } from "../../io/io.ts";

/** What opens a page, by the system. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  linux: ["xdg-open"],
};

/**
 * Opens a page in the user's browser: the one that `BROWSER` names, else the usual one. A failure is told; the address
 * stands on stderr anyway. Needs `run`.
 */
export function openPage(page: string, io: Io): void {
  const [program, ...words] = io.env("BROWSER")?.split(" ").filter((word) => word !== "") ??
    OPENERS[Deno.build.os] ?? [];
  const fail = (why: string) =>
    void printError(io, `bulkhead: cannot open the page: ${why}; open it yourself\n`);
  if (program === undefined) return fail("no browser is known here, and BROWSER names none");
  try {
    const child = new Deno.Command(program, {
      args: [...words, page],
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
