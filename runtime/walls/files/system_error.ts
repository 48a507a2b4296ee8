import { type ErrorCode, ToolError } from "../../../schemas/error.ts";

const KINDS: readonly (readonly [abstract new () => Error, ErrorCode, string])[] = [
  [Deno.errors.NotFound, "not_found", "no such file or folder"],
  [Deno.errors.NotADirectory, "not_found", "a part of the path is not a folder"],
  [Deno.errors.IsADirectory, "invalid_input", "it is a folder"],
  [Deno.errors.FilesystemLoop, "invalid_input", "its links lead in a circle"],
  [Deno.errors.AlreadyExists, "conflict", "it exists already"],
  [Deno.errors.PermissionDenied, "permission_denied", "the operating system denies it, check owner and mode"],
  [Deno.errors.NotCapable, "permission_denied", "Deno's own permissions deny it"],
];

/** Errors of the system without a class in Deno, by their code. */
const CODES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOSPC: ["unavailable", "no space left on the device"],
  EDQUOT: ["unavailable", "the disk quota is used up"],
  EROFS: ["permission_denied", "the file system is read-only"],
  ENAMETOOLONG: ["invalid_input", "the name is too long"],
  ELOOP: ["invalid_input", "its links lead in a circle"],
  EISDIR: ["invalid_input", "it is a folder"],
  // Both ends of a rename are in one folder, so it became another one.
  EXDEV: ["conflict", "its folder was replaced meanwhile, try again"],
  EFBIG: ["limit_exceeded", "the file would be larger than the system allows"],
};

/** Codes that Deno does not give, by their number in Linux. */
const NUMBERS: Readonly<Record<string, string>> = { "27": "EFBIG", "122": "EDQUOT" };

/**
 * Turns an error of the file system into a {@linkcode ToolError} that names the path and the reason. Returns
 * a `ToolError` unchanged.
 *
 * @param action Verb for the message: "read", "write"
 */
export function systemError(error: unknown, action: string, path: string): ToolError {
  if (error instanceof ToolError) return error;
  const known = CODES[codeOf(error)];
  const kind = KINDS.find(([type]) => error instanceof type);
  const [errorCode, reason] = known ?? (kind ? [kind[1], kind[2]] : ["internal", String(error)] as const);
  return new ToolError(errorCode, `Cannot ${action} "${path}": ${reason}`, { cause: error });
}

const MISTAKES: readonly ErrorCode[] = ["not_found", "conflict", "permission_denied", "invalid_input"];

/**
 * The same for a file that the user names for the program itself, not for a tool: that it is missing or closed is a
 * mistake of the command line, `invalid_input`. A full disk stays what it is.
 */
export function namedFileError(error: unknown, action: string, path: string): ToolError {
  if (error instanceof ToolError) return error;
  const { code, message } = systemError(error, action, path);
  if (!MISTAKES.includes(code)) return new ToolError(code, message, { cause: error });
  return new ToolError("invalid_input", message, { details: { system: code }, cause: error });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  const [, number = ""] = /\(os error (\d+)\)/.exec(error.message) ?? [];
  return NUMBERS[number] ?? "";
}
