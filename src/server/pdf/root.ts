import { fileURLToPath } from 'node:url'

/** The project's folder without a trailing slash: the root `/` of templates. */
export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '')
