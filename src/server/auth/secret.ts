import { hash, randomBytes } from 'node:crypto'

/** A random secret that nobody guesses: 256 bits. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** What is kept of a secret. */
export const digest = (secret: string): string => hash('sha256', secret, 'base64url')
