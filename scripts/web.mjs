// Builds dist/web, unless it is already made from these very sources.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { packFiles } from './pack-files.mjs'
import { isProduction, setup } from './setup.mjs'
import { fingerprint, gallery, giveUp, inRoot, isMain, run, sources } from './shared.mjs'
import { step } from './steps.mjs'

const stampFile = inRoot('dist', 'web.stamp')
const builtPage = inRoot('dist', 'web', 'index.html')
const notInTheWeb = /[.](server|test)[.]tsx?$|[.]sql$|^src[/\\]server[/\\]/

const wantedStamp = () =>
  fingerprint(
    [
      ...sources((file) => !notInTheWeb.test(file)),
      ...readdirSync(inRoot('scripts', 'pages'))
        .filter((name) => name.endsWith('.ts'))
        .map((file) => `scripts/pages/${file}`)
        .sort(),
      'vite.config.ts',
      'scripts/pack-files.mjs',
      'package-lock.json',
    ],
    gallery(),
  )

/** Resolves to true when dist/web is up to date, to false when it could not be built. */
export async function buildWeb() {
  const wanted = wantedStamp()
  if (existsSync(builtPage) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return true
  const { code, output } = await step('Web', async () => {
    const built = await run('vite', ['build', '--logLevel', 'warn'])
    if (built.code === 0) await packFiles(inRoot('dist', 'web'))
    return built
  })
  if (output) console.error(output)
  if (code !== 0) return false
  writeFileSync(stampFile, wanted)
  return true
}

export async function needWeb() {
  if (isProduction && existsSync(builtPage)) return
  if (isProduction)
    giveUp('The web is not built: run npm run build where the development packages are, and bring dist/web along.')
  if (!(await buildWeb())) giveUp('The web could not be built: Vite says why above.')
}

if (isMain(import.meta)) {
  await setup()
  await needWeb()
}
