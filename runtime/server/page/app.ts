import { render } from "preact";

import { html } from "./base/html.ts";
import { PageControl } from "./control/page_control.ts";
import { takePageKey } from "./net/page_key.ts";
import { PageView } from "./views/page_view.ts";
import { putOnTheme } from "./views/theme_switch.ts";

putOnTheme();
takePageKey();
const control = new PageControl();
control.begin();
render(html`<${PageView} control=${control} />`, document.querySelector("#page")!);
