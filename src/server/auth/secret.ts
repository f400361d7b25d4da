import { hash, randomBytes, randomInt } from 'node:crypto'

/** Creates a random secret of 256 bits. */
export const createSecret = (): string => randomBytes(32).toString('base64url')

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Creates a random secret of 190 bits for a link. It has no hyphens: programs drop one at the end of a line when a link is
 * copied or recognised.
 */
export const createLinkSecret = (): string =>
  Array.from({ length: 32 }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join('')

/** Hashes a secret for storage. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url')
