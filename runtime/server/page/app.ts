import { render } from "preact";

import { html } from "./base/html.ts";
import { PageControl } from "./control/page_control.ts";
import { PageView } from "./views/page_view.ts";
import { putOnTheme } from "./views/theme_switch.ts";

putOnTheme();
const control = new PageControl();
control.begin();
render(html`<${PageView} control=${control} />`, document.querySelector("#page")!);
