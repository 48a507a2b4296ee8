import { basename, dirname } from "@std/path";

import { isInside } from "./inside.ts";

// Secrets. A grant of a folder does not include them. Names are compared without case: some file systems do
// that.

const SECRET_FOLDERS = new Set([".ssh", ".aws", ".gnupg", ".kube", ".azure", ".password-store"]);
const SECRET_FILES = new Set([
  ".git-credentials",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".htpasswd",
  ".vault-token",
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ed25519",
  "known_hosts",
  "authorized_keys",
]);
const SECRET_PAIRS = new Set([
  ".docker/config.json",
  ".config/gcloud",
  ".config/gh",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
]);
/** What Python and curl call the list of public certificates that they bring along. */
const PUBLIC_FILES = new Set([".env.example", "cacert.pem"]);
const KEY_ENDINGS = [".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk"];
/** Every name of a secret starts or ends with one of these. */
const SUSPICIOUS =
  /\/(?:\.|_netrc|id_|known_hosts|authorized_keys|config\.json|gcloud|gh|credentials)[^/]*$|\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)$/i;
const KERNEL_FOLDERS = ["/proc", "/sys", "/dev"];
/** Memory that is used as a disk: it does not belong to the kernel. */
const SHARED_MEMORY = "/dev/shm";

/** Names in the root of a granted folder that a box masks, because they may exist there. */
export const SECRET_NAMES: readonly string[] = [...SECRET_FOLDERS, ...SECRET_FILES, ...SECRET_PAIRS];

/** Says whether one entry of a folder that is not itself secret is a secret: a test of names, no system call. */
export function isSecretEntry(path: string): boolean {
  // Walks ask this for every file, so the common case is fast.
  if (!SUSPICIOUS.test(path)) return false;
  const name = basename(path).toLowerCase();
  if (PUBLIC_FILES.has(name)) return false;
  if (name.startsWith(".env")) return true;
  if (SECRET_FILES.has(name) || SECRET_FOLDERS.has(name)) return true;
  if (KEY_ENDINGS.some((ending) => name.endsWith(ending))) return true;
  return SECRET_PAIRS.has(`${basename(dirname(path)).toLowerCase()}/${name}`);
}

/** All that {@linkcode isSecretEntry} decides by: what was decided by other rules does not hold. */
export const SECRET_RULES: string = [
  ...SECRET_NAMES,
  ...PUBLIC_FILES,
  ...KEY_ENDINGS,
  SUSPICIOUS,
  isSecretEntry,
].join(" ");

/** Says whether a path is one of the folders that show the kernel's data. */
export function isKernelFolder(path: string): boolean {
  return KERNEL_FOLDERS.includes(path);
}

/**
 * Says whether a path is a secret or lies in a folder of secrets.
 *
 * @param path Absolute, real path
 * @param root The workspace: the user chose it, so its own name and the folders above it do not count
 */
export function isSecret(path: string, root: string): boolean {
  const isKernel = KERNEL_FOLDERS.some((folder) => isInside(folder, path));
  if (isKernel && !isInside(SHARED_MEMORY, path)) return true;
  const stop = isInside(root, path) ? root : "/";
  for (let at = path; at !== stop && at !== dirname(at); at = dirname(at)) {
    if (isSecretEntry(at)) return true;
  }
  return false;
}
