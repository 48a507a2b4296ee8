// Types of the used part of turndown.
export default class Turndown {
  turndown(html: string): string;
}
