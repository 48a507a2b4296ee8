/** Words after a program that make it use the network; `true` for all. */
export type NetworkWords = true | readonly string[];

const NODE_INSTALLS = [
  ...[
    "install",
    "i",
    "in",
    "add",
    "ci",
    "clean-install",
    "update",
    "up",
    "upgrade",
    "outdated",
    "audit",
    "view",
  ],
  ...[
    "info",
    "show",
    "v",
    "search",
    "publish",
    "unpublish",
    "create",
    "init",
    "exec",
    "x",
    "dlx",
    "login",
    "logout",
  ],
  ...["whoami", "ping", "dist-tag", "owner", "access", "import", "fetch", "self-update", "env"],
];
const APT = [
  "install",
  "update",
  "upgrade",
  "full-upgrade",
  "dist-upgrade",
  "download",
  "source",
  "build-dep",
];
const PYTHON_PROJECTS = ["install", "add", "update", "upgrade", "lock", "sync", "publish", "search", "self"];

/**
 * Programs that use the network with some of their words, besides those that always do. Only words whose work fails
 * without it: `npm test` fails for other reasons.
 */
export const NETWORK_WORDS: Readonly<Record<string, NetworkWords>> = {
  npm: NODE_INSTALLS,
  pnpm: NODE_INSTALLS,
  yarn: [...NODE_INSTALLS, ""],
  bun: [...NODE_INSTALLS, "pm"],
  npx: true,
  pnpx: true,
  bunx: true,
  corepack: true,
  pip: ["install", "download", "wheel", "index", "search"],
  pip3: ["install", "download", "wheel", "index", "search"],
  pipx: ["install", "upgrade", "upgrade-all", "run", "inject"],
  uv: ["add", "sync", "lock", "pip", "tool", "python", "run", "publish", "self"],
  uvx: true,
  poetry: PYTHON_PROJECTS,
  pdm: PYTHON_PROJECTS,
  pipenv: PYTHON_PROJECTS,
  conda: ["install", "create", "update", "search", "env"],
  mamba: ["install", "create", "update", "search", "env"],
  micromamba: ["install", "create", "update", "search", "env"],
  cargo: ["add", "fetch", "install", "update", "search", "publish", "login", "yank", "owner"],
  rustup: ["install", "update", "toolchain", "target", "component", "self"],
  go: ["get", "install", "mod"],
  gem: ["install", "update", "fetch", "push", "search", "outdated"],
  bundle: ["install", "update", "add", "outdated", ""],
  composer: ["install", "update", "require", "create-project", "search", "show", "global"],
  mvn: true,
  gradle: ["--refresh-dependencies"],
  dotnet: ["restore", "add", "tool", "workload"],
  mix: ["deps.get", "deps.update", "hex.info", "local.hex"],
  apt: APT,
  "apt-get": APT,
  aptitude: APT,
  dnf: true,
  yum: true,
  zypper: true,
  apk: ["add", "update", "upgrade", "fetch"],
  pacman: ["-S", "-Sy", "-Syu"],
  brew: ["install", "update", "upgrade", "fetch", "search", "tap"],
  snap: ["install", "refresh", "find", "download"],
  flatpak: ["install", "update", "search"],
  docker: ["pull", "push", "login", "search", "run", "build", "compose"],
  podman: ["pull", "push", "login", "search", "run", "build"],
  kubectl: true,
  helm: ["install", "upgrade", "pull", "repo", "search"],
  terraform: ["init", "plan", "apply"],
  svn: ["checkout", "co", "update", "up", "commit", "ci"],
  hg: ["clone", "pull", "push"],
  playwright: ["install"],
};

const NPM = ["registry.npmjs.org"];
const PYPI = ["pypi.org", "files.pythonhosted.org"];

/** The hosts of registries that programs ask if their words name none. */
export const USUAL_HOSTS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ["npm", "npx", "pnpm", "pnpx", "yarn", "bun", "bunx", "corepack"].map((name) => [name, NPM]),
  ),
  ...Object.fromEntries(
    ["pip", "pip3", "pipx", "uv", "uvx", "poetry", "pdm", "pipenv"].map((name) => [name, PYPI]),
  ),
  cargo: ["index.crates.io", "static.crates.io"],
  rustup: ["static.rust-lang.org"],
  go: ["proxy.golang.org", "sum.golang.org"],
  gem: ["rubygems.org", "index.rubygems.org"],
  bundle: ["rubygems.org", "index.rubygems.org"],
  composer: ["repo.packagist.org"],
  mvn: ["repo.maven.apache.org"],
  gh: ["github.com", "api.github.com"],
};

/** Programs that know no proxy, or not by variables. */
export const PAST_PROXIES: ReadonlySet<string> = new Set([
  ...[
    "ssh",
    "scp",
    "sftp",
    "mosh",
    "ping",
    "ping6",
    "traceroute",
    "tracepath",
    "mtr",
    "nmap",
    "telnet",
    "ftp",
    "tftp",
  ],
  ...[
    "nslookup",
    "dig",
    "host",
    "whois",
    "nc",
    "ncat",
    "netcat",
    "nc.openbsd",
    "nc.traditional",
    "socat",
    "rsync",
  ],
  ...["iperf", "iperf3", "smbclient"],
]);

/** What resolvers, libraries and package managers say if they find no network. */
export const NO_NETWORK_MESSAGES: readonly RegExp[] = [
  /Could not resolve (?:host|hostname)|unable to resolve host|Could not resolve '/i,
  /Temporary failure (?:in name resolution|resolving)|Name or service not known|nodename nor servname/i,
  /\bEAI_AGAIN\b|\bENETUNREACH\b|Network is unreachable|getaddrinfo (?:ENOTFOUND|failed|error)/i,
  /failed to lookup address information|dial tcp: lookup |UnknownHostException|bad address '/i,
  /No address associated with hostname|Resource temporarily unavailable \(host\)|resolution failed/i,
  // Of package managers that were told that there is no network.
  /\bENOTCACHED\b|ERR_PNPM_NO_OFFLINE|Network access was disabled|Network connectivity is disabled/i,
  /GOPROXY=off|OfflineModeIsEnabled|--offline was specified|without the offline flag|in offline mode/i,
  /Network is disabled|network disabled|Could not find a version that satisfies the requirement/i,
];
