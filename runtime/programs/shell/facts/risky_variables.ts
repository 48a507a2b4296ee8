const RISKY = new RegExp(
  "^(?:LD_.*|DYLD_.*|BASH_ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|ENV|PATH|IFS|PS[0-4]|PROMPT_COMMAND|HOME|ZDOTDIR" +
    "|XDG_CONFIG_HOME|GIT_.*|.*PAGER|.*EDITOR|VISUAL|BROWSER|LESS|LESS(?:OPEN|CLOSE|KEY.*)|PYTHON.*|NODE_.*" +
    "|PERL.*|RUBY(?:OPT|LIB)|GEM_.*|BUNDLE_.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|LUA_.*" +
    "|PHPRC|PHP_INI_.*|RUSTC?_?.*WRAPPER|CARGO_.*|MAKEFLAGS|GCONV_PATH|TAR_OPTIONS|RIPGREP_CONFIG_PATH" +
    "|AWK(?:LIB)?PATH|.*_ASKPASS|NPM_CONFIG_.*|npm_config_.*|FZF_DEFAULT_.*|GCC_EXEC_PREFIX|COMPILER_PATH)$",
);
const HARMLESS = new RegExp(
  "^(?:GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|NODE_ENV|NODE_NO_WARNINGS" +
    "|PYTHON(?:DONTWRITEBYTECODE|UNBUFFERED|IOENCODING|HASHSEED|UTF8|WARNINGS))$",
);
const PLAIN_PAGERS = new Set(["", "cat"]);

/** A variable and its value, `null` if the value is unknown. */
export interface Assigned {
  name: string;
  value: string | null;
}

/** Says whether a variable can make programs run other code than their own. */
export function isPoison({ name, value }: Assigned): boolean {
  if (!RISKY.test(name) || HARMLESS.test(name)) return false;
  return !(name.endsWith("PAGER") && value !== null && PLAIN_PAGERS.has(value));
}
