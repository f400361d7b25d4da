import { hash, randomBytes } from 'node:crypto'

/** Creates a random secret of 256 bits. */
export const createSecret = (): string => randomBytes(32).toString('base64url')

/** Hashes a secret for storage. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url')
