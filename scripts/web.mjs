// Builds dist/web, unless it is up to date with the sources.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { compressTextFiles } from './pack-files.mjs'
import { installDependencies, isProduction } from './setup.mjs'
import { exitWithError, hashFiles, inRoot, isMain, listSourceFiles, readGallerySetting, run } from './shared.mjs'
import { runStep } from './steps.mjs'

const stampFile = inRoot('dist', 'web.stamp')
const builtPage = inRoot('dist', 'web', 'index.html')
const notInTheWeb = /[.](server|test)[.]tsx?$|[.]sql$|^src[/\\]server[/\\]/

const wantedStamp = () =>
  hashFiles(
    [
      ...listSourceFiles((file) => !notInTheWeb.test(file)),
      ...readdirSync(inRoot('scripts', 'pages'))
        .filter((name) => name.endsWith('.ts'))
        .map((file) => `scripts/pages/${file}`)
        .sort(),
      'vite.config.ts',
      'scripts/static-imports.ts',
      'scripts/pack-files.mjs',
      'package-lock.json',
    ],
    readGallerySetting(),
  )

/** Builds dist/web, unless it is up to date. Resolves to false if it could not be built. */
export async function buildWeb() {
  const wanted = wantedStamp()
  if (existsSync(builtPage) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return true
  const { code, output } = await runStep('Web', async () => {
    const tasks = await run('vite', ['build', '--mode', 'my-task', '--logLevel', 'warn'])
    if (tasks.code !== 0) return tasks
    const built = await run('vite', ['build', '--logLevel', 'warn'])
    if (built.code === 0) await compressTextFiles(inRoot('dist', 'web'))
    return built
  })
  if (output) console.error(output)
  if (code !== 0) return false
  writeFileSync(stampFile, wanted)
  return true
}

export async function ensureWebBuild() {
  if (isProduction && existsSync(builtPage)) return
  if (isProduction)
    exitWithError(
      'The web app has not been built. Run npm run build where the development packages are installed, and deploy dist/web as well.',
    )
  if (!(await buildWeb())) exitWithError("The web app could not be built. See Vite's message above.")
}

if (isMain(import.meta)) {
  await installDependencies()
  await ensureWebBuild()
}
