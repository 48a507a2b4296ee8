import { findProgram } from "../files/find_program.ts";

/** How packages are installed, by the program that does it. */
const INSTALLERS: readonly (readonly [program: string, words: string])[] = [
  ["apt-get", "apt-get install"],
  ["dnf", "dnf install"],
  ["yum", "yum install"],
  ["zypper", "zypper install"],
  ["pacman", "pacman -S"],
  ["apk", "apk add"],
  ["xbps-install", "xbps-install"],
  ["emerge", "emerge"],
];
/** Packages with another name, where it differs from that of Debian. */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bsdutils: { "*": "util-linux" },
  xvfb: { dnf: "xorg-x11-server-Xvfb", yum: "xorg-x11-server-Xvfb", pacman: "xorg-server-xvfb" },
};
const PLACES = "/usr/bin:/usr/sbin:/bin:/sbin";

/** What a machine says of how packages come to it. */
export interface InstallFacts {
  isRoot: boolean;
  find(name: string): string | null;
}

/** Those of this machine. `find` needs `read`. */
export const thisMachine: InstallFacts = {
  isRoot: Deno.build.os !== "windows" && Deno.uid() === 0,
  find: (name) => findProgram(name, PLACES),
};

/**
 * Returns the command line that installs packages here; without a known installer, `install` and their names.
 *
 * @param packages As Debian names them
 */
export function installWords(
  packages: readonly string[],
  { isRoot, find }: InstallFacts = thisMachine,
): string {
  const [program = "", words] = INSTALLERS.find(([name]) => find(name) !== null) ?? [];
  const names = packages.map((name) => {
    const others = program === "apt-get" ? {} : NAMES[name] ?? {};
    return others[program] ?? others["*"] ?? name;
  });
  if (words === undefined) return `install ${names.join(" and ")}`;
  return `${isRoot ? "" : "sudo "}${words} ${names.join(" ")}`;
}
