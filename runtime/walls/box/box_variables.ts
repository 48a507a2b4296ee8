/** What the variables of a box become. */
export interface BoxVariables {
  /** The environment that bubblewrap is started with, and hands on: no other user sees it. */
  carried: Record<string, string>;
  /** Options of bubblewrap for the others: everybody sees them, and they hold no secret. */
  words: string[];
}

/**
 * Variables that would change what starts a box, and not the program alone: loaders and libraries, locales, shells with all
 * that they set or make of their own, and helpers of util-linux. They stand among the words of the box.
 */
const OF_STARTERS = new RegExp(
  `^(?:${
    [
      "LD_.*|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|NLSPATH|RES_OPTIONS|MALLOC_.*|TMPDIR|PATH|G_.*|LIBMOUNT_.*|[A-Z]+_DEBUG",
      "LC_.*|LANG|LANGUAGE|BASH.*|ENV|SHELLOPTS|POSIX.*|IFS|PS[0-4]|OPT(?:IND|ARG|ERR)|GLOB.*|CDPATH|.*IGNORE|MAIL.*",
      "PROMPT.*|HIST.*|COMP.*|COPROC.*|MAPFILE|REPLY|READLINE.*|FUN.*|DIRSTACK|GROUPS|PIPESTATUS|S?RANDOM|SECONDS|LINENO",
      "EPOCH.*|E?UID|PPID|HOST(?:TYPE|NAME|FILE)|MACHTYPE|OSTYPE|TIMEFORMAT|TMOUT|COLUMNS|LINES|PWD|OLDPWD|SHLVL|_",
      "BULKHEAD_.*|bulkhead_.*",
    ].join("|")
  })$`,
);
/** Shells hand on what has another name, or do not. */
const NAME = /^[A-Za-z_]\w*$/;
/** The variable by which the first process of a program is found. */
export const MARK_NAME = "BULKHEAD_PROGRAM";
/** What starts a box has these, and the program does not. */
const NOT_HANDED_ON = [MARK_NAME, "_", "SHLVL", "OLDPWD"];

/** Divides the variables of a program in a box, so that no value that may be secret stands in a command line. */
export function boxVariables(env: Readonly<Record<string, string>>): BoxVariables {
  const isTold = ([name]: [string, string]) => OF_STARTERS.test(name) || !NAME.test(name);
  const all = Object.entries(env);
  return {
    carried: Object.fromEntries(all.filter((one) => !isTold(one))),
    words: [
      ...NOT_HANDED_ON.flatMap((name) => ["--unsetenv", name]),
      ...all.filter(isTold).flatMap(([name, value]) => ["--setenv", name, value]),
    ],
  };
}
