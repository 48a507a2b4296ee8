import { basename } from "@std/path";

/** How an interpreter is told which file it runs. */
interface Starter {
  /** Words before the file that bring in no code and take no other word. */
  plain: RegExp;
  /** A word that comes first, in front of such options. @default none */
  verb?: RegExp;
  /** An option that the file follows; without it, no file is run. @default the first word that is no option */
  before?: string;
}

const SHELL: Starter = { plain: /^(?:-[efuvx]+|--norc|--noprofile|--posix)$/ };
const PYTHON: Starter = { plain: /^(?:-[bBdEIOPqsSuvx]+|-X(?:utf8|dev)|-W(?:ignore|error|default|always))$/ };
const NODE: Starter = {
  plain:
    /^--(?:no-warnings|no-deprecation|enable-source-maps|trace-(?:warnings|deprecation|uncaught)|experimental-(?:strip-types|transform-types|sqlite|fetch|wasm-modules)|max[-_]old[-_]space[-_]size=\d+|stack-size=\d+|unhandled-rejections=\w+|disable-warning=\w+|use-(?:openssl|system|bundled)-ca|expose-gc)$/,
};
const LUA: Starter = { plain: /^-[EW]$/ };

/**
 * Interpreters, and of their options those that are known to bring in no code of their own: no text, no module, no file
 * that is read first. Whatever is not here may be one that does.
 */
const STARTERS: Readonly<Record<string, Starter>> = {
  ...{ sh: SHELL, bash: SHELL, dash: SHELL, zsh: SHELL, ksh: SHELL, ash: SHELL },
  ...{ python: PYTHON, pypy: PYTHON },
  ...{ node: NODE, nodejs: NODE, tsx: NODE },
  "ts-node": { plain: /^(?:-T|--transpile-only|--esm)$/ },
  deno: {
    verb: /^run$/,
    plain:
      /^(?:-[Aqr]+|--(?:quiet|no-prompt|no-check|no-lock|cached-only|no-remote|reload|unstable(?:-[\w-]+)?|node-modules-dir(?:=\w+)?|(?:allow|deny)-(?:all|read|write|net|env|run|sys|ffi|import|scripts)(?:=.*)?))$/,
  },
  bun: { verb: /^run$/, plain: /^--(?:bun|silent|smol|no-install)$/ },
  uv: { verb: /^run$/, plain: /^(?:-[qs]+|--(?:quiet|script|no-sync|frozen|locked|offline|no-project))$/ },
  java: { before: "-jar", plain: /^-(?:Xm[sx]\d+[kKmMgG]|Xss\d+[kKmMgG]|server|ea|XX:\+Use\w+GC)$/ },
  perl: { plain: /^-[tTwWX]+$/ },
  ruby: { plain: /^(?:-w|-W\d?|--yjit|--jit)$/ },
  php: { plain: /^-[nqC]+$/ },
  ...{ lua: LUA, luajit: LUA },
  rscript: { plain: /^--(?:vanilla|no-save|no-restore|no-environ|no-init-file|quiet|slave|no-echo)$/ },
};

/** Says whether a program runs what its words name. */
export function isStarter(program: string): boolean {
  return starterOf(program) !== null;
}

/**
 * Returns the word that names the file which an interpreter runs. With an option that may hold code, or that is not known,
 * none of its words does: code that stands in a word could read whatever file another word names.
 *
 * @returns `null` for other programs, too
 */
export function startedFile([program = "", ...args]: readonly string[]): string | null {
  const starter = starterOf(program);
  if (starter === null) return null;
  const { verb, plain, before } = starter;
  const rest = verb?.test(args[0] ?? "") ? args.slice(1) : args;
  const at = rest.findIndex((word) => !plain.test(word));
  const word = before === undefined ? rest[at] : rest[at] === before ? rest[at + 1] : undefined;
  return word === undefined || word === "" || word.startsWith("-") ? null : word;
}

function starterOf(program: string): Starter | null {
  const name = basename(program).toLowerCase().replace(/-?\d[\d.]*$/, "");
  return Object.hasOwn(STARTERS, name) ? STARTERS[name]! : null;
}
