/** Starts a server on every address of this machine that can be listened on, and on socket files. */
export function startServers(socketFiles: readonly string[]) {
  let accepted = 0;
  const tcp = ownAddresses().flatMap((hostname) => tryListen(hostname));
  const unix = socketFiles.map((path) => Deno.listen({ transport: "unix", path }));
  const serving = [...tcp, ...unix].map(async (listener) => {
    for await (const connection of listener) {
      accepted++;
      connection.close();
    }
  });
  return {
    addresses: tcp.map(({ addr }) => addr as Deno.NetAddr),
    accepted: () => accepted,
    async [Symbol.asyncDispose]() {
      for (const listener of [...tcp, ...unix]) listener.close();
      await Promise.all(serving);
    },
  };
}

/** Loopback, and the addresses by which other machines know this one; link-local ones need a name of their network. */
function ownAddresses(): string[] {
  const known = Deno.networkInterfaces().map(({ address }) => address).filter((address) =>
    !address.startsWith("fe80")
  );
  return [...new Set(["127.0.0.1", ...known])];
}

function tryListen(hostname: string): Deno.Listener[] {
  try {
    return [Deno.listen({ hostname, port: 0 })];
  } catch {
    return [];
  }
}

const SERVE = `
use Socket;
socket(S, AF_UNIX, SOCK_STREAM, 0) and bind(S, pack_sockaddr_un("\\0$ARGV[0]")) and listen(S, 5) or die $!;
$| = 1;
print "ready\\n";
while (accept(C, S)) { print "accepted\\n" }
`;

export async function startAbstractServer(name: string) {
  const child = new Deno.Command("perl", { args: ["-e", SERVE, name], stdin: "null", stdout: "piped" })
    .spawn();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await output.read();
  if (!value.startsWith("ready")) throw new Error(`no abstract server: ${value}`);
  let count: number | null = null;
  const end = async () => {
    if (count !== null) return count;
    child.kill("SIGTERM");
    let text = "";
    for (let read = await output.read(); !read.done; read = await output.read()) text += read.value;
    await child.status;
    return count = text.match(/accepted/g)?.length ?? 0;
  };
  return {
    accepted: end,
    async [Symbol.asyncDispose]() {
      await end();
    },
  };
}
