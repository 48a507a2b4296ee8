/**
 * Scripts over which a parser without bounds never comes to an end, or runs out of its stack.
 *
 * @param n How often their parts are repeated, a multiple of 100
 */
export function hostileScripts(n: number): string[] {
  return [
    "(".repeat(n),
    "$(".repeat(n),
    'echo "$('.repeat(n / 2),
    "`".repeat(n + 1),
    "{ ".repeat(n),
    "if ".repeat(n),
    `echo $((${"1+".repeat(n)}1))`,
    "{a,b}".repeat(n / 10),
    "{a,".repeat(n / 2),
    "${a:-".repeat(n),
    "'".repeat(n + 1),
    "\0".repeat(n),
    "echo hello; ".repeat(9 * n),
    "a".repeat(100 * n),
    "ls|".repeat(2 * n),
    "eval ".repeat(n) + "ls",
    "env ".repeat(n) + "ls",
    "sudo env ".repeat(n / 5) + "bash -c ls",
    `X=${"ab".repeat(n / 5)}; ${"Y=$X$X; X=$Y$Y; ".repeat(n / 100)} $X`,
    `alias a='a a'; ${"a ".repeat(n / 20)}`,
    "alias a=b; alias b=a; a",
    "f() { f; }; f",
    "trap 'trap \"trap x 0\" 0' 0",
    `sed '${"p;".repeat(n / 2.5)}'`,
    `awk '${"print ".repeat(n / 5)}'`,
    "f(){ ".repeat(n / 2),
    "\ud800".repeat(n / 10),
  ];
}
