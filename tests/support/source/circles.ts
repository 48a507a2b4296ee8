/** Returns the circles among arrows between names, each as `a -> b -> a`. */
export function circlesOf(arrows: readonly { from: string; to: string }[]): string[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of arrows) next.set(from, (next.get(from) ?? new Set()).add(to));
  const circles = new Set<string>();
  const done = new Set<string>();
  const visit = (name: string, above: readonly string[]) => {
    if (above.includes(name)) circles.add([...above.slice(above.indexOf(name)), name].join(" -> "));
    if (done.has(name) || above.includes(name)) return;
    for (const to of next.get(name) ?? []) visit(to, [...above, name]);
    done.add(name);
  };
  for (const name of next.keys()) visit(name, []);
  return [...circles];
}
