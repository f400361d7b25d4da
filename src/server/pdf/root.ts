import { fileURLToPath } from 'node:url'

/** The project's folder without a trailing slash. Templates use it as their root `/`. */
export const PROJECT_ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '')
