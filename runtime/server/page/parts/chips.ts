import { html } from "../base/html.ts";
import type { PermissionChip } from "../state/permission_chips.ts";

interface ChipsProps {
  chips: readonly PermissionChip[];
  /** Opens what takes some of it away. @default they only tell */
  onChip?: (field: PermissionChip["field"]) => void;
}

/** What a run may touch, a part each. */
export function Chips({ chips, onChip }: ChipsProps) {
  return html`<ul class="chips" aria-label="What the run may touch">${
    chips.map(({ words, field }) =>
      html`<li key=${words}>${
        onChip
          ? html`<button type="button" class="chip" onClick=${() => onChip(field)}>${words}</button>`
          : html`<span class="chip">${words}</span>`
      }</li>`
    )
  }</ul>`;
}
