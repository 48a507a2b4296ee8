import {
  type KnownProvider,
  listModels,
  listProviders,
  type OfferedModels,
} from "../../agent/list_models.ts";
import { jsonLine } from "../../text/json_line.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { type Io, print } from "../io/io.ts";
import { hostSettings } from "../setup/open_run.ts";
import { renderTable } from "../show/tables/columns.ts";

/** `models`: the providers. `models NAME`, or with a base URL: what that server offers. */
export async function modelsCommand({ positionals, options }: Invocation, io: Io): Promise<number> {
  const [name] = positionals;
  const { baseUrl, json } = options;
  if (name === undefined && baseUrl === undefined) {
    const providers = listProviders((variable) => io.env(variable));
    await print(io, json ? jsonLine(providers) : renderProviders(providers));
    return 0;
  }
  const offered = await listModels({ name, baseUrl }, {
    host: hostSettings(options, io, { stdinTaken: true }),
    manifest: await io.manifest(),
    signal: io.interrupt,
  });
  await print(io, json ? jsonLine(offered) : renderModels(offered));
  return 0;
}

function renderProviders(providers: readonly KnownProvider[]): string {
  const cells = providers.map(({ provider, base_url, keys, key_set, needs_key }) => [
    `${provider}/`,
    onOneLine(base_url),
    key_set === null ? (needs_key ? `set ${keys.join(" or ")}` : "needs no key") : `${key_set} is set`,
  ]);
  return renderTable([["PROVIDER", "BASE URL", "KEY"], ...cells]);
}

/** The names are what `--model` takes. */
function renderModels({ provider, base_url, models }: OfferedModels): string {
  if (models.length === 0) return `${onOneLine(base_url)} offers no models\n`;
  const cells = models.map(({ id, context_tokens }) => [
    onOneLine(provider === null ? id : `${provider}/${id}`),
    context_tokens === null ? "" : String(context_tokens),
  ]);
  const hasContext = models.some(({ context_tokens }) => context_tokens !== null);
  return renderTable([["MODEL", hasContext ? "WINDOW (TOKENS)" : ""], ...cells]);
}
