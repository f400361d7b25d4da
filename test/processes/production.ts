import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { home, ROOT } from './portal.ts'

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
}

/** A copy of the program beside the packages that `npm install --omit=dev` would put there, and no others. */
export function copyForProduction(): string {
  const folder = join(home, 'production')
  for (const part of ['src', 'db', 'package.json']) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    const isOwn = /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)
    if (dev || !isOwn || !existsSync(join(ROOT, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(ROOT, path), join(folder, path))
  }
  return folder
}
