import { dirname } from "@std/path";

import { isInside } from "./inside.ts";
import { isSecretName } from "./secret_names.ts";

// Secrets. A grant of a folder does not include them.

const KERNEL_FOLDERS = ["/proc", "/sys", "/dev"];
/** Memory that is used as a disk: it does not belong to the kernel. */
const SHARED_MEMORY = "/dev/shm";

/** Says whether one entry of a folder that is not itself secret is a secret: a test of names, no system call. */
export function isSecretEntry(path: string): boolean {
  const end = path.lastIndexOf("/");
  return isSecretName(path.slice(end + 1), path.slice(path.lastIndexOf("/", end - 1) + 1, Math.max(end, 0)));
}

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
