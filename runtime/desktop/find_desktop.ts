/** Variable of the user that names a program which is started with the desktop: words, parted by blanks. */
export const START_VARIABLE = "BULKHEAD_DESKTOP_START";

/** What makes a desktop. Absolute paths. */
export interface DesktopPrograms {
  display: string;
  manager: string;
}

/** What there is of what makes a desktop, and what is missing: names of packages. */
export type FoundDesktop =
  | { programs: DesktopPrograms; missing: null }
  | { programs: null; missing: readonly string[] };

/** The programs, and the packages of Debian that have them. */
const DISPLAY = { name: "Xvfb", package: "xvfb" };
const MANAGER = { name: "openbox", package: "openbox" };

/**
 * Finds the programs that make a desktop.
 *
 * @param find Returns the absolute path of a program, `null` if there is none
 */
export function findDesktop(find: (name: string) => string | null): FoundDesktop {
  const [display, manager] = [find(DISPLAY.name), find(MANAGER.name)];
  if (display !== null && manager !== null) return { programs: { display, manager }, missing: null };
  const missing = [
    ...display === null ? [DISPLAY.package] : [],
    ...manager === null ? [MANAGER.package] : [],
  ];
  return { programs: null, missing };
}

/** Programs with windows that many machines have, and what a menu calls them. */
const KNOWN: readonly (readonly [label: string, names: readonly string[]])[] = [
  ["Terminal", ["xfce4-terminal", "lxterminal", "mate-terminal", "konsole", "stterm", "urxvt", "xterm"]],
  ["Text editor", ["mousepad", "l3afpad", "leafpad", "featherpad", "pluma", "gedit", "kate"]],
  ["Files", ["thunar", "pcmanfm", "pcmanfm-qt", "caja", "nautilus", "dolphin"]],
  ["Calculator", ["galculator", "mate-calc", "gnome-calculator", "kcalc", "xcalc"]],
  ["Office", ["libreoffice"]],
  ["Image editor", ["gimp"]],
  ["Vector drawings", ["inkscape"]],
  ["Documents", ["atril", "evince", "okular", "xpdf"]],
  ["Pictures", ["ristretto", "eom", "eog", "gpicview", "feh"]],
];

/** An entry of the desktop's menu. */
export interface MenuEntry {
  label: string;
  program: string;
}

/** A program that starts nothing for root in a sandbox, where root cannot set groups. */
const NOT_FOR_ROOT = "xterm";

/** Returns what the desktop's menu offers: the programs that the user named, then one of each usual kind that is there. */
export function menuEntries(
  named: readonly string[],
  { find, isRoot }: { find(name: string): string | null; isRoot: boolean },
): MenuEntry[] {
  const own = named.map((program) => ({ label: program, program }));
  const usual = KNOWN.flatMap(([label, names]) => {
    const program = names.find((name) => find(name) !== null && !(isRoot && name === NOT_FOR_ROOT));
    return program === undefined || names.some((name) => named.includes(name)) ? [] : [{ label, program }];
  });
  return [...own, ...usual];
}
