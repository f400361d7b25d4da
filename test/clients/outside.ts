import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const require = createRequire(join(import.meta.dirname, 'packages/package.json'))

/**
 * Imports a package that only these tests use. Returns `undefined` if `npm ci --prefix test/clients/packages` has not
 * been run. The packages are not part of the regular installation, because an administration interface and its
 * dependencies are too large for it.
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
