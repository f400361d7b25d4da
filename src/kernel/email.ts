/** Maximum characters of an e-mail address (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254

/**
 * True if the text looks like an e-mail address; used for every input. The length is checked first, as the expression
 * takes quadratic time.
 */
export const isEmail = (text: string): boolean =>
  text.length <= MAX_EMAIL_LENGTH && /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:"]+$/.test(text)

/** Lower-cases an address: no mail service distinguishes capitals. */
const foldEmail = (address: string): string => address.trim().toLowerCase()

/** Returns the addresses as written, without duplicates. */
export function uniqueAddresses(addresses: readonly string[]): string[] {
  const by = new Map<string, string>()
  for (const address of addresses) if (!by.has(foldEmail(address))) by.set(foldEmail(address), address.trim())
  return [...by.values()]
}
