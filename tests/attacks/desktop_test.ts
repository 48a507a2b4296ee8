import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";

import { desktopScene, desktopTest, eventually, textOrNull } from "../support/desktop/desktop_scene.ts";
import { programTest } from "../support/needed_programs.ts";
import { TIER } from "../support/tier.ts";

const SCRIPT = Deno.readTextFileSync(fromFileUrl(new URL("./scripts/find_display.py", import.meta.url)));

/** A display of the user on this machine, with all its doors open; Xvfb chooses its number. */
async function userDisplay(): Promise<AsyncDisposable & { number: number }> {
  const words = ["-displayfd", "1", "-screen", "0", "640x480x24", "-ac", "-listen", "tcp"];
  const child = new Deno.Command("Xvfb", { args: words, stdin: "null", stdout: "piped", stderr: "null" })
    .spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const number = parseInt(new TextDecoder().decode(value));
  const ended = async () => {
    child.kill("SIGTERM");
    await child.status;
    await reader.cancel();
  };
  if (number > 0) return { number, [Symbol.asyncDispose]: ended };
  // The desktop itself is display 0 of its own network.
  return await userDisplay().finally(ended);
}

async function searchFromDesktop(): Promise<void> {
  await using user = await userDisplay();
  const home = Deno.makeTempDirSync({ prefix: "bulkhead-home-" });
  const wayland = Deno.listen({ transport: "unix", path: join(home, "wayland-7") });
  Deno.writeTextFileSync(join(home, "cookie"), "secret");
  try {
    const words = [String(user.number), "/tmp/.X11-unix", home, join(home, "cookie")];
    await using scene = await desktopScene({
      files: { "find_display.py": SCRIPT, "notes.txt": "mine" },
      start: ["python3", "find_display.py", ...words],
      env: {
        DISPLAY: `:${user.number}`,
        XAUTHORITY: join(home, "cookie"),
        WAYLAND_DISPLAY: "wayland-7",
        XDG_RUNTIME_DIR: home,
        DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(home, "bus")}`,
      },
    });
    await scene.act({ do: "look" });
    const told = await eventually("what was found", () => textOrNull(scene.ws.at("display.json")));
    const { found, display, own, seen } = JSON.parse(told);
    assertEquals([found, display, own], [[], "127.0.0.1:0", ["tcp"]]);
    assertEquals(seen, ["display.part", "find_display.py", "notes.txt"]);
  } finally {
    wayland.close();
    Deno.removeSync(home, { recursive: true });
  }
}

async function searchWithoutWalls(): Promise<void> {
  await using user = await userDisplay();
  const folder = Deno.makeTempDirSync({ prefix: "bulkhead-search-" });
  try {
    Deno.writeTextFileSync(join(folder, "find_display.py"), SCRIPT);
    // The search needs some display of its own at the first number.
    using _own = listenOrNull(6000);
    const { success } = await new Deno.Command("python3", {
      args: ["find_display.py", String(user.number), "/tmp/.X11-unix", folder, "/none"],
      cwd: folder,
      stderr: "inherit",
    }).output();
    assertEquals(success, true);
    const { found } = JSON.parse(Deno.readTextFileSync(join(folder, "display.json")));
    assertEquals(found.filter((name: string) => /^(tcp|socket|abstract|folder)$/.test(name)), [
      "tcp",
      "socket",
      "abstract",
      "folder",
    ]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Listens, unless somebody does already. */
function listenOrNull(port: number): Deno.TcpListener | null {
  try {
    return Deno.listen({ hostname: "127.0.0.1", port });
  } catch {
    return null;
  }
}

// A desktop costs too much for the sample.
if (TIER !== "quick") {
  desktopTest("programs on the desktop find no display of the user, and no way to it", searchFromDesktop);
  programTest(
    "the same search finds a display where there are no walls",
    ["Xvfb", "python3"],
    searchWithoutWalls,
  );
}
