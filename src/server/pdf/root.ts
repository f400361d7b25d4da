import { fileURLToPath } from 'node:url'

/** The project's folder without a trailing slash: the root `/` of templates. */
export const PROJECT_ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '')
