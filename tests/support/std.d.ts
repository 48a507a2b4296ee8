// Types of the functions that the tests use from @std/assert, whose npm build ships none.
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
