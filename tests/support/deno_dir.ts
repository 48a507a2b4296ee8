/** With another HOME, Deno would look for its cache elsewhere. */
export function denoDir(): string {
  const home = Deno.env.get("HOME") ?? "/";
  return Deno.env.get("DENO_DIR") || `${Deno.env.get("XDG_CACHE_HOME") || `${home}/.cache`}/deno`;
}
