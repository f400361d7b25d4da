/** Characters that an e-mail address can have (RFC 5321). */
export const LONGEST_EMAIL = 254

/** Does this look like an e-mail address? The one test for all doors. Its length is looked at first: the expression's time grows with its square. */
export const isEmail = (text: string): boolean =>
  text.length <= LONGEST_EMAIL && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
