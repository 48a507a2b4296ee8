import { join } from "@std/path";

import { exists } from "../../../runtime/walls/files/file_facts.ts";
import { findProgram } from "../../../runtime/walls/files/find_program.ts";
import { until } from "../cli/processes.ts";
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

/** An ssh server on a port of this machine, with keys of its own, and the words that reach it. */
export async function sshMachine() {
  const folder = Deno.makeTempDirSync({ prefix: "bulkhead-ssh-" });
  const at = (name: string) => join(folder, name);
  for (const name of ["host", "key", "other"]) {
    const args = ["-q", "-t", "ed25519", "-N", "", "-f", at(name)];
    await new Deno.Command("ssh-keygen", { args }).output();
  }
  Deno.copyFileSync(at("key.pub"), at("authorized"));
  const port = freePort();
  Deno.writeTextFileSync(
    at("config"),
    [
      ...[`Port ${port}`, "ListenAddress 127.0.0.1", `HostKey ${at("host")}`, "PidFile none", "UsePAM no"],
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
  const server = new Deno.Command(SSHD!, { args: ["-D", "-f", at("config"), "-E", at("log")] }).spawn();
  await until("the ssh server listens", () => {
    return exists(at("log")) && Deno.readTextFileSync(at("log")).includes("Server listening");
  });
  const words = (key: string, to = port) => [
    ...["ssh", "-T", "-F", "none", "-i", at(key), "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes"],
    ...["-o", `UserKnownHostsFile=${at("known")}`, "-p", `${to}`, "127.0.0.1"],
  ];
  return {
    pid: server.pid,
    words,
    /** Its folder `/workspace`. */
    folder: at("workspace"),
    async [Symbol.asyncDispose]() {
      server.kill("SIGTERM");
      await server.status;
      Deno.removeSync(folder, { recursive: true });
    },
  };
}

/** A free port below those that the system gives away: nobody gets it before the server, which cannot choose one itself. */
function freePort(): number {
  for (;;) {
    const port = 20_000 + crypto.getRandomValues(new Uint16Array(1))[0]! % 10_000;
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}
