import { VARY } from './headers.ts'

/**
 * Whether the caller prefers a minimal answer, by `Prefer: return=minimal` (RFC 7240): a list then has no `hydra:search`, which is the same
 * each time.
 */
export const prefersMinimal = (prefer: string | readonly string[] | undefined): boolean =>
  [prefer ?? []].flat().some((header) => /(?:^|,)\s*return\s*=\s*"?minimal"?\s*(?:[,;]|$)/i.test(header))

/** Headers of the answer to such a request. */
export const MINIMAL = { 'preference-applied': 'return=minimal', vary: `${VARY}, Prefer` }
