import { assert } from "@std/assert";

/** Gives this machine another name server, an address that looks public, and nothing else of a network. */
const SETUP = `set -e
ip link set lo up
ip addr add 192.0.1.1/32 dev lo
mount --bind resolv.conf /etc/resolv.conf
mount --bind nsswitch.conf /etc/nsswitch.conf
exec "$@"`;

/**
 * Runs a module in a network of its own, in which 127.0.0.1 is asked for names, and 192.0.1.1 is this machine. Needs `ip`
 * and `unshare`.
 *
 * @returns What it said, read as JSON
 */
export async function inOwnNetwork(module: string): Promise<unknown> {
  const folder = Deno.makeTempDirSync({ prefix: "bulkhead-net-" });
  try {
    Deno.writeTextFileSync(`${folder}/resolv.conf`, "nameserver 127.0.0.1\n");
    Deno.writeTextFileSync(`${folder}/nsswitch.conf`, "hosts: dns\n");
    const deno = [Deno.execPath(), "run", "--quiet", "--no-check", "--no-lock", "--cached-only", "-A"];
    const own = ["-Urnm", "--pid", "--fork", "--kill-child", "--mount-proc"];
    const { stdout, stderr } = await new Deno.Command("unshare", {
      args: [...own, "sh", "-c", SETUP, "sh", ...deno, "--unstable-worker-options", module],
      cwd: folder,
      env: { DENO_NO_UPDATE_CHECK: "1" },
    }).output();
    const said = new TextDecoder().decode(stdout);
    assert(said !== "", new TextDecoder().decode(stderr));
    return JSON.parse(said);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
