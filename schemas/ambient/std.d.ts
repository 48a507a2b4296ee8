// Types of the used parts of @std. Its npm build ships no types, and has no @std/fs.

declare module "@std/assert" {
  // deno-lint-ignore no-explicit-any
  type ErrorClass<E extends Error> = abstract new (...args: any[]) => E;
  export function assert(condition: unknown, message?: string): asserts condition;
  export function assertEquals<T>(actual: T, expected: T, message?: string): void;
  export function assertNotEquals<T>(actual: T, expected: T, message?: string): void;
  export function assertStringIncludes(actual: string, expected: string, message?: string): void;
  export function assertMatch(actual: string, expected: RegExp, message?: string): void;
  export function assertThrows<E extends Error>(
    run: () => unknown,
    errorClass?: ErrorClass<E>,
    messageIncludes?: string,
  ): E;
  export function assertRejects<E extends Error>(
    run: () => PromiseLike<unknown>,
    errorClass?: ErrorClass<E>,
    messageIncludes?: string,
  ): Promise<E>;
}

/** Paths as Linux and macOS write them. */
declare module "@std/path" {
  export const SEPARATOR: string;
  export function basename(path: string, suffix?: string): string;
  export function dirname(path: string): string;
  export function extname(path: string): string;
  export function fromFileUrl(url: string | URL): string;
  export function globToRegExp(
    glob: string,
    options?: { globstar?: boolean; caseInsensitive?: boolean },
  ): RegExp;
  export function isAbsolute(path: string): boolean;
  export function join(path: string, ...paths: string[]): string;
  export function normalize(path: string): string;
  export function relative(from: string, to: string): string;
  export function resolve(...paths: string[]): string;
  export function toFileUrl(path: string): URL;
}

declare module "@std/semver" {
  export interface SemVer {
    major: number;
    minor: number;
    patch: number;
    prerelease?: (string | number)[];
    build?: string[];
  }
  export interface Comparator extends SemVer {
    operator?: string;
  }
  export function parse(text: string): SemVer;
  export function format(version: SemVer): string;
  export function greaterOrEqual(version: SemVer, than: SemVer): boolean;
  export function greaterThan(version: SemVer, than: SemVer): boolean;
  export function increment(version: SemVer, release: "major" | "minor" | "patch"): SemVer;
  export function tryParse(text: string): SemVer | undefined;
  export function tryParseRange(text: string): Comparator[][] | undefined;
  export function maxSatisfying(versions: readonly SemVer[], range: Comparator[][]): SemVer | undefined;
}
