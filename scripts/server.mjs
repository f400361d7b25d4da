// Builds dist/server, unless it is up to date with the sources.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isProduction } from './setup.mjs'
import { buildProgramArguments, hashFiles, inRoot, listSourceFiles, programArguments, run } from './shared.mjs'
import { runStep } from './steps.mjs'

const stampFile = inRoot('dist', 'server.stamp')
const built = 'dist/server/cli.js'
const notInTheServer = /[.](?:web|test)[.]tsx?$|[.]tsx$|[.]css$|^src[/\\]web[/\\]/

const wantedStamp = () =>
  hashFiles([
    ...listSourceFiles((file) => !notInTheServer.test(file)),
    'vite.server.config.ts',
    'scripts/static-imports.ts',
    'package-lock.json',
  ])
const isFresh = (wanted) =>
  existsSync(inRoot(built)) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted

/**
 * Builds the server if necessary. Resolves to the Node arguments that run it, or that run the sources if the build
 * fails. In production, nothing is built, and the sources are run if the build is out of date.
 */
export async function prepareServerProgram() {
  const wanted = wantedStamp()
  if (isFresh(wanted)) return buildProgramArguments(built)
  if (isProduction) {
    console.error(
      'dist/server was not built from these sources, so the server starts more slowly. Run npm run build, and deploy dist/server as well.',
    )
    return programArguments
  }
  rmSync(stampFile, { force: true })
  const { code, output } = await runStep('Server', () =>
    run('vite', ['build', '--config', 'vite.server.config.ts', '--logLevel', 'warn']),
  )
  if (output) console.error(output)
  if (code !== 0) return programArguments
  writeFileSync(stampFile, wanted)
  return buildProgramArguments(built)
}
