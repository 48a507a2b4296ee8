/** A manager of compilers, interpreters or tools that keeps them in the user's home. */
export interface Toolchain {
  name: string;
  /** Folders where it usually lies; `~` is the home. */
  roots: readonly string[];
  /** Variable that names its folder. Its value is looked at first. */
  variable?: string;
  /** When programs get the variable: `closed` means only without a network, because nothing can be installed there. */
  passed?: "always" | "closed";
  /** What a folder of `PATH` in it needs. Paths start at its folder; `*` is one name. The first match holds. */
  parts: readonly Part[];
  /** What is shown when another toolchain starts it. */
  started?: readonly string[];
  /** Toolchains that its programs start. */
  starts?: readonly string[];
  /** Never shown: too many files, or settings that may hold a password. `*` is one name. */
  hides?: readonly string[];
}

/** A folder of `PATH`, and what its programs need. */
export interface Part {
  /** A folder of `PATH` is this one, or lies in it. */
  on: string;
  /** `$` is the folder that matched, `*` all programs in the toolchain's own folder. */
  shows: readonly string[];
}

/** A shim asks the manager itself, which then starts one of all versions. */
const SHIMS = ["shims", "bin", "libexec", "lib", "plugins", "versions", "version"];
/** Python's own tests hold keys by the dozen. */
const PYTHON_TESTS = (version: string) => [`${version}/lib/python*/test`, `${version}/pip.conf`];

/** Every toolchain that programs in a sandbox may see. */
export const TOOLCHAINS: readonly Toolchain[] = [
  {
    name: "nvm",
    roots: ["~/.nvm", "~/.config/nvm"],
    variable: "NVM_DIR",
    passed: "always",
    parts: [{ on: "versions/*/*", shows: ["$", "nvm.sh", "nvm-exec", "alias"] }],
    hides: ["versions/*/*/etc"],
  },
  {
    name: "fnm",
    roots: ["~/.local/share/fnm", "~/.fnm"],
    variable: "FNM_DIR",
    passed: "always",
    parts: [{ on: "node-versions/*", shows: ["$", "aliases"] }, { on: "", shows: ["*"] }],
    hides: ["node-versions/*/installation/etc"],
  },
  {
    name: "volta",
    roots: ["~/.volta"],
    variable: "VOLTA_HOME",
    passed: "always",
    parts: [{ on: "bin", shows: ["bin", "tools/image", "tools/inventory", "tools/user", "layout.v4"] }],
  },
  {
    name: "n",
    roots: ["~/n", "~/.n"],
    variable: "N_PREFIX",
    passed: "closed",
    parts: [{ on: "bin", shows: ["bin", "lib/node_modules", "include/node"] }],
  },
  { name: "npm", roots: ["~/.npm-global", "~/.npm-packages"], parts: [{ on: "bin", shows: ["bin", "lib"] }] },
  {
    name: "nodenv",
    roots: ["~/.nodenv"],
    variable: "NODENV_ROOT",
    passed: "always",
    parts: [{ on: "versions/*", shows: ["$"] }, ...shims("shims", "bin")],
    hides: ["versions/*/etc"],
  },
  {
    name: "pnpm",
    roots: ["~/.local/share/pnpm"],
    variable: "PNPM_HOME",
    passed: "closed",
    parts: [
      { on: "nodejs/*", shows: ["$"] },
      { on: "bin", shows: ["bin", "global", ".tools", "nodejs"] },
      { on: "", shows: ["*", "global", ".tools", "nodejs"] },
    ],
  },
  {
    name: "yarn",
    roots: ["~/.yarn", "~/.config/yarn/global"],
    parts: [{ on: "bin", shows: ["bin", "lib"] }, { on: "node_modules", shows: ["$"] }],
  },
  {
    name: "bun",
    roots: ["~/.bun"],
    variable: "BUN_INSTALL",
    passed: "closed",
    parts: [{ on: "bin", shows: ["bin", "install/global"] }],
  },
  {
    name: "deno",
    roots: ["~/.deno"],
    variable: "DENO_INSTALL",
    passed: "always",
    parts: [{ on: "bin", shows: ["bin"] }],
  },
  {
    name: "pyenv",
    roots: ["~/.pyenv"],
    variable: "PYENV_ROOT",
    passed: "always",
    parts: [{ on: "versions/*", shows: ["$"] }, ...shims("shims", "bin"), { on: "plugins", shows: SHIMS }],
    hides: PYTHON_TESTS("versions/*"),
  },
  {
    name: "uv-python",
    roots: ["~/.local/share/uv/python"],
    variable: "UV_PYTHON_INSTALL_DIR",
    passed: "closed",
    // The name of a minor version is a link beside it.
    parts: [{ on: "*", shows: ["."] }],
    started: ["."],
    hides: PYTHON_TESTS("*"),
  },
  {
    name: "uv-tools",
    roots: ["~/.local/share/uv/tools"],
    variable: "UV_TOOL_DIR",
    passed: "closed",
    parts: [{ on: "*", shows: ["$"] }],
    started: ["."],
    hides: ["*/uv-receipt.toml"],
  },
  {
    name: "pipx",
    roots: ["~/.local/share/pipx", "~/.local/pipx"],
    variable: "PIPX_HOME",
    parts: [{ on: "venvs/*", shows: ["$"] }],
    started: ["venvs", "shared"],
    hides: ["venvs/*/pipx_metadata.json"],
  },
  {
    name: "poetry",
    roots: ["~/.local/share/pypoetry"],
    parts: [{ on: "venv", shows: ["$"] }],
    started: ["venv"],
  },
  {
    name: "conda",
    roots: [
      ...["~/miniconda3", "~/miniconda", "~/anaconda3", "~/miniforge3", "~/mambaforge", "~/micromamba"],
      ...["~/.conda", "~/conda"],
    ],
    variable: "MAMBA_ROOT_PREFIX",
    parts: [
      { on: "envs/*", shows: ["$"] },
      ...["bin", "condabin"].map((on) => ({
        on,
        shows: ["bin", "condabin", "lib", "libexec", "share", "ssl", "include", "sbin", "conda-meta"],
      })),
    ],
    hides: [...PYTHON_TESTS("envs/*"), "lib/python*/test", "envs/*/.condarc"],
  },
  {
    name: "cargo",
    roots: ["~/.cargo"],
    variable: "CARGO_HOME",
    passed: "closed",
    parts: [{ on: "bin", shows: ["bin"] }],
    starts: ["rustup"],
  },
  {
    name: "rustup",
    roots: ["~/.rustup"],
    variable: "RUSTUP_HOME",
    passed: "always",
    parts: [{ on: "toolchains/*", shows: ["$"] }],
    // rustup ends at once when "update-hashes" is not there and cannot be made.
    started: ["toolchains", "settings.toml", "update-hashes"],
    hides: ["toolchains/*/share/doc"],
  },
  {
    name: "go",
    roots: ["~/.local/go", "~/.go"],
    variable: "GOROOT",
    parts: [{ on: "bin", shows: ["bin", "pkg", "src", "lib", "VERSION", "go.env"] }],
  },
  { name: "go-sdk", roots: ["~/sdk"], parts: [{ on: "*", shows: ["$"] }], hides: ["*/test"] },
  {
    name: "gopath",
    roots: ["~/go"],
    variable: "GOPATH",
    passed: "closed",
    parts: [{ on: "bin", shows: ["bin"] }],
  },
  {
    name: "mise",
    roots: ["~/.local/share/mise"],
    variable: "MISE_DATA_DIR",
    passed: "always",
    parts: [{ on: "installs/*", shows: ["$"] }, { on: "shims", shows: ["shims", "installs", "plugins"] }],
    hides: PYTHON_TESTS("installs/*/*"),
  },
  {
    name: "asdf",
    roots: ["~/.asdf"],
    variable: "ASDF_DATA_DIR",
    passed: "always",
    parts: [
      { on: "installs/*", shows: ["$"] },
      ...["shims", "bin"].map((on) => ({
        on,
        shows: ["shims", "bin", "lib", "libexec", "asdf.sh", "installs", "plugins"],
      })),
    ],
    hides: PYTHON_TESTS("installs/*/*"),
  },
  {
    name: "sdkman",
    roots: ["~/.sdkman"],
    variable: "SDKMAN_DIR",
    passed: "always",
    parts: [{ on: "candidates/*", shows: ["$"] }],
  },
  {
    name: "rbenv",
    roots: ["~/.rbenv"],
    variable: "RBENV_ROOT",
    passed: "always",
    parts: [{ on: "versions/*", shows: ["$"] }, ...shims("shims", "bin")],
  },
  {
    name: "gem",
    roots: ["~/.gem", "~/.local/share/gem"],
    parts: [{ on: "ruby/*", shows: ["$"] }, {
      on: "bin",
      shows: ["bin", "gems", "specifications", "extensions"],
    }],
  },
  {
    name: "dotnet",
    roots: ["~/.dotnet"],
    variable: "DOTNET_ROOT",
    passed: "always",
    parts: ["", "tools"].map((on) => ({
      on,
      shows: ["*", "host", "shared", "sdk", "packs", "tools", "sdk-manifests", "templates"],
    })),
  },
  { name: "ghcup", roots: ["~/.ghcup"], parts: [{ on: "bin", shows: ["bin", "ghc", "hls"] }] },
  // The other folders of ~/.local hold what programs know of the user: keyrings, histories, mail.
  {
    name: "local",
    roots: ["~/.local"],
    variable: "PYTHONUSERBASE",
    passed: "closed",
    parts: [{ on: "bin", shows: ["bin", "lib/python*", "lib/node_modules"] }],
    starts: ["uv-python", "uv-tools", "pipx", "poetry"],
  },
];

/** Variables that programs get if they name what lies in a toolchain that is shown. */
export const TOOLCHAIN_VARIABLES: readonly string[] = ["JAVA_HOME", "GOROOT", "CONDA_PREFIX", "VIRTUAL_ENV"];

/** Where the workspace may have a Python of its own, which is a link into a toolchain. */
export const VENV_PYTHONS: readonly string[] = [".venv/bin/python", "venv/bin/python", "env/bin/python"];

function shims(...folders: readonly string[]): Part[] {
  return folders.map((on) => ({ on, shows: SHIMS }));
}
