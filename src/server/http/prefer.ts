import { VARY } from './headers.ts'

/**
 * Does the caller ask for the least that will do, by `Prefer: return=minimal` (RFC 7240)? A list then comes without
 * `hydra:search`, which says the same each time.
 */
export const prefersMinimal = (prefer: string | readonly string[] | undefined): boolean =>
  [prefer ?? []].flat().some((header) => /(?:^|,)\s*return\s*=\s*"?minimal"?\s*(?:[,;]|$)/i.test(header))

/** What an answer to such a request says about itself. */
export const MINIMAL = { 'preference-applied': 'return=minimal', vary: `${VARY}, Prefer` }
