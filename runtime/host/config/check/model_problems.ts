import { UNKNOWN_MODEL } from "../../../../schemas/agent/model.ts";
import type { Config } from "../../../../schemas/config.ts";

/** Says what is wrong with the models of a configuration, beyond their schema. */
export function modelProblems({ models = {} }: Config): string[] {
  return Object.entries(models).flatMap(([name, config]) => {
    const { base_url, api_key_env = "_", headers = {}, context_tokens, output_tokens } = config;
    const context = context_tokens ?? UNKNOWN_MODEL.context_tokens;
    return [
      ...headerProblems(name, headers),
      ...(isVariable(api_key_env)
        ? []
        : [`models.${name}.api_key_env must be the name of a variable, not the key itself`]),
      ...(base_url === undefined || isWebUrl(base_url)
        ? []
        : [`models.${name}.base_url must begin with http:// or https://`]),
      ...(output_tokens === undefined || output_tokens < context
        ? []
        : [`models.${name}.output_tokens must be smaller than its context_tokens, ${context}`]),
    ];
  });
}

function headerProblems(model: string, headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    try {
      new Headers([[name, value]]);
      return [];
    } catch {
      // The value may be a secret.
      return [`models.${model}.headers.${name} is not a valid header`];
    }
  });
}

/** Says whether a text is the name of a variable. */
export function isVariable(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text);
}

/** Says whether a text is an address of the web. */
export function isWebUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}
