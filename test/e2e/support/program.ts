import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

/** The program as it is started outside tests. */
export const PROGRAM = { node: join(ROOT, 'node_modules/.bin/node'), script: join(ROOT, 'src/app/cli.ts') }
