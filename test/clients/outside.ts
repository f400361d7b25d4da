import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const require = createRequire(join(import.meta.dirname, 'packages/package.json'))

/**
 * Imports a package that only these tests use, or returns `undefined` if `npm ci --prefix test/clients/packages` has
 * not been run: an administration interface and its dependencies are too large for the regular installation.
 */
// biome-ignore lint/suspicious/noExplicitAny: packages that are not there have no types
export async function importOptionalPackage(name: string): Promise<any> {
  let path: string
  try {
    path = require.resolve(name)
  } catch {
    return undefined
  }
  return import(pathToFileURL(path).href)
}
