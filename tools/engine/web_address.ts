const LONGEST_ADDRESS = 2000;

/** Returns an address of the web or of mail; `null` for all others, such as files and places in the document. */
export function webAddress(target: string | undefined, place = ""): string | null {
  const address = (target ?? "").trim().replaceAll(" ", "%20");
  if (!/^(https?:\/\/|mailto:)[^\s\p{Cc}]+$/iu.test(address) || address.length > LONGEST_ADDRESS) return null;
  return place === "" || address.includes("#") ? address : `${address}#${place}`;
}
