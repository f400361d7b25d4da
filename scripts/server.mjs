// Builds dist/server, unless it is already made from these very sources.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isProduction } from './setup.mjs'
import { fingerprint, inRoot, program, programOf, run, sources } from './shared.mjs'
import { step } from './steps.mjs'

const stampFile = inRoot('dist', 'server.stamp')
const built = 'dist/server/cli.js'
const notInTheServer = /[.](?:web|test)[.]tsx?$|[.]tsx$|[.]css$|^src[/\\]web[/\\]/

const wantedStamp = () =>
  fingerprint([...sources((file) => !notInTheServer.test(file)), 'vite.server.config.ts', 'package-lock.json'])
const isFresh = (wanted) =>
  existsSync(inRoot(built)) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted

/** The program as it is served: the built one. In production, where nothing is built, the sources themselves if it is not made of these. */
export async function servedProgram() {
  const wanted = wantedStamp()
  if (isFresh(wanted)) return programOf(built)
  if (isProduction) {
    console.error(
      'The server is not built from these sources, and starts more slowly: npm run build, and bring dist/server along.',
    )
    return program
  }
  rmSync(stampFile, { force: true })
  const { code, output } = await step('Server', () =>
    run('vite', ['build', '--config', 'vite.server.config.ts', '--logLevel', 'warn']),
  )
  if (output) console.error(output)
  if (code !== 0) return program
  writeFileSync(stampFile, wanted)
  return programOf(built)
}
