/** Characters that an e-mail address can have (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254

/** Does this look like an e-mail address? The one test for all doors. Its length is looked at first: the expression's time grows with its square. */
export const isEmail = (text: string): boolean =>
  text.length <= MAX_EMAIL_LENGTH && /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:"]+$/.test(text)

/** Two spellings of one address say the same: capitals are written by hand, and no mail service tells them apart. */
const foldEmail = (address: string): string => address.trim().toLowerCase()

/** Addresses as they were written, each once. */
export function uniqueAddresses(addresses: readonly string[]): string[] {
  const by = new Map<string, string>()
  for (const address of addresses) if (!by.has(foldEmail(address))) by.set(foldEmail(address), address.trim())
  return [...by.values()]
}
