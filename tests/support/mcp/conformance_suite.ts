const SUITE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";
/** Longest time of a run of it, and of one that says nothing, in milliseconds. */
const SUITE_MS = 240_000;
const SILENCE_MS = 60_000;

/**
 * Runs the suite in a folder. Deno sometimes never starts it: it says its first line before it does anything else, so a run
 * without one is begun again, once.
 */
export async function runSuite(args: readonly string[], folder: string) {
  const first = await runOnce(args, folder);
  return first.said === "" ? await runOnce(args, folder) : first;
}

async function runOnce(args: readonly string[], folder: string) {
  const child = new Deno.Command(Deno.execPath(), {
    // The suite belongs to no project.
    args: ["run", "--quiet", "--no-config", "--no-lock", "--allow-all", SUITE, ...args],
    cwd: folder,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const kill = () => child.kill("SIGKILL");
  const timers = [setTimeout(kill, SUITE_MS), setTimeout(kill, SILENCE_MS)];
  let said = "";
  const stderr = new Response(child.stderr).text();
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    clearTimeout(timers[1]);
    said += text;
  }
  const { code } = await child.status;
  for (const timer of timers) clearTimeout(timer);
  return { code, said: said === "" ? "" : said + await stderr.catch(() => "") };
}
