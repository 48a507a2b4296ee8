import { join } from "@std/path";

import { closeQuietly } from "../../../runtime/net/wire/streams.ts";
import { findProgram } from "../../../runtime/walls/files/find_program.ts";
import { boxWorks } from "../box.ts";

const SSHD = findProgram("sshd", "/usr/sbin:/usr/bin");

/** Registers a test that needs an ssh server and a box for those who log in; elsewhere it is reported as ignored, with the reason. */
export function sshTest(name: string, run: () => Promise<void>): void {
  const why = SSHD === null ? " (needs sshd)" : boxWorks ? "" : " (needs bubblewrap)";
  Deno.test({ name: `${name}${why}`, ignore: why !== "", fn: run });
}

/** What those who log in see of this machine, beside a `/workspace` of their own. */
const BOX =
  "bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 " +
  "--ro-bind /etc /etc --proc /proc --dev /dev --tmpfs /tmp";

/** An ssh server on a port of this machine that nobody else has, with keys of its own, and the words that reach it. */
export async function sshMachine() {
  const folder = Deno.makeTempDirSync({ prefix: "bulkhead-ssh-" });
  const at = (name: string) => join(folder, name);
  for (const name of ["host", "key", "other"]) {
    const args = ["-q", "-t", "ed25519", "-N", "", "-f", at(name)];
    await new Deno.Command("ssh-keygen", { args }).output();
  }
  Deno.copyFileSync(at("key.pub"), at("authorized"));
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  Deno.writeTextFileSync(
    at("config"),
    [
      ...[`HostKey ${at("host")}`, "PidFile none", "UsePAM no"],
      ...[`AuthorizedKeysFile ${at("authorized")}`, "StrictModes no", `ForceCommand ${at("login")}`, ""],
    ].join("\n"),
  );
  Deno.mkdirSync(at("workspace"));
  const script = `#!/bin/sh\nexec ${BOX} --bind ${
    at("workspace")
  } /workspace sh -c "$SSH_ORIGINAL_COMMAND"\n`;
  Deno.writeTextFileSync(at("login"), script, { mode: 0o700 });
  Deno.writeTextFileSync(at("known"), `[127.0.0.1]:${port} ${Deno.readTextFileSync(at("host.pub"))}`);
  // As root it does not start without this folder.
  if (Deno.uid() === 0) Deno.mkdirSync("/run/sshd", { recursive: true });
  const links = new Map<number, Deno.ChildProcess>();
  const serve = async (conn: Deno.TcpConn) => {
    const child = new Deno.Command(SSHD!, {
      args: ["-i", "-f", at("config"), "-E", at("log")],
      ...{ stdin: "piped", stdout: "piped", stderr: "null" },
    }).spawn();
    links.set(child.pid, child);
    const streams = Promise.allSettled([
      conn.readable.pipeTo(child.stdin),
      child.stdout.pipeTo(conn.writable),
    ]);
    await child.status;
    links.delete(child.pid);
    closeQuietly(conn);
    await streams;
  };
  const served = (async () => {
    const all: Promise<void>[] = [];
    for await (const conn of listener) all.push(serve(conn));
    await Promise.all(all);
  })();
  const words = (key: string, to = port) => [
    ...["ssh", "-T", "-F", "none", "-i", at(key), "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes"],
    ...["-o", `UserKnownHostsFile=${at("known")}`, "-p", `${to}`, "127.0.0.1"],
  ];
  return {
    words,
    folder: at("workspace"),
    /** Kills the servers of all that are linked now. */
    breakLinks(): void {
      for (const child of links.values()) child.kill("SIGKILL");
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const child of links.values()) child.kill("SIGTERM");
      await served;
      Deno.removeSync(folder, { recursive: true });
    },
  };
}
