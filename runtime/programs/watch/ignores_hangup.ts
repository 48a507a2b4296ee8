/** The first bit of a mask in hexadecimal: SIGHUP. */
const LOOK = "grep -q '^SigIgn:.*[13579bdf]$' /proc/self/status";

/** Says whether this process was started to outlive its terminal, as `nohup` does. Needs `run`. */
export async function ignoresHangup(sh: string): Promise<boolean> {
  // Deno does not read /proc for less than all permissions; what it starts inherits the same.
  const { success } = await new Deno.Command(sh, {
    args: ["-c", LOOK],
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  return success;
}
