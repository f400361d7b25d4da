import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { prepareServerProgram } from '../../scripts/server.mjs'
import { processFolder, REPOSITORY_ROOT } from './portal.ts'

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
}

/** Copies the built program, and links exactly the packages that `npm install --omit=dev` would install. */
export async function copyProductionFiles(
  folder = join(processFolder, 'production'),
): Promise<{ cwd: string; program: string }> {
  const program = (await prepareServerProgram()).at(-1) as string
  for (const part of ['src', 'db', 'package.json', 'dist/server'])
    cpSync(join(REPOSITORY_ROOT, part), join(folder, part), { recursive: true })
  const lock = JSON.parse(readFileSync(join(REPOSITORY_ROOT, 'package-lock.json'), 'utf8')) as Lock
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    const isOwn = /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)
    if (dev || !isOwn || !existsSync(join(REPOSITORY_ROOT, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(REPOSITORY_ROOT, path), join(folder, path))
  }
  return { cwd: folder, program }
}
