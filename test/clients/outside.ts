import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const require = createRequire(join(import.meta.dirname, 'packages/package.json'))

/**
 * A package that only these tests use, or `undefined` where `npm ci --prefix test/clients/packages` has not been run:
 * an administration interface and all it stands on is too much for everybody's installation.
 */
// biome-ignore lint/suspicious/noExplicitAny: packages that are not there have no types
export async function outside(name: string): Promise<any> {
  let path: string
  try {
    path = require.resolve(name)
  } catch {
    return undefined
  }
  return import(pathToFileURL(path).href)
}
