// The examples of the guides compile: each stands in a fence with the path where it would be (```ts src/modules/…/x.ts), and
// all of them together are checked as a part of the project.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inRoot, isMain, run } from './shared.mjs'

const FOLDER = 'node_modules/.cache/guides'
const GUIDES = 'docs/guide'

/** The examples of a guide: language, path and text. */
function examplesOf(guide) {
  const text = readFileSync(inRoot(GUIDES, guide), 'utf8')
  return [...text.matchAll(/^```(tsx?)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(([, , path, code]) => ({
    guide,
    path,
    code,
  }))
}

/** Resolves to what is wrong, a line each. */
export async function checkGuides() {
  const examples = readdirSync(inRoot(GUIDES))
    .filter((name) => name.endsWith('.md'))
    .flatMap(examplesOf)
  const nameless = examples.filter((e) => !e.path).map((e) => `${GUIDES}/${e.guide}: an example says no path`)
  rmSync(inRoot(FOLDER), { recursive: true, force: true })
  for (const { path, code } of examples.filter((e) => e.path)) {
    mkdirSync(inRoot(FOLDER, dirname(path)), { recursive: true })
    writeFileSync(inRoot(FOLDER, path), code)
  }
  // An example imports its neighbours as if it stood among them.
  const config = {
    extends: inRoot('tsconfig.json'),
    compilerOptions: { rootDirs: [inRoot(), inRoot(FOLDER)], paths: pathsOf() },
    include: [inRoot(FOLDER, 'src'), inRoot('node_modules/vite/client.d.ts'), inRoot('src/**/*.d.ts')],
  }
  writeFileSync(inRoot(FOLDER, 'tsconfig.json'), JSON.stringify(config))
  const { code, output } = await run('tsc', ['--noEmit', '-p', join(FOLDER, 'tsconfig.json')])
  return [...nameless, ...(code === 0 ? [] : [output.trim().replaceAll(`${FOLDER}/`, 'guide: ')])]
}

/** The project's own import names, for files that stand in a package of the cache. */
function pathsOf() {
  const { imports } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  return Object.fromEntries(Object.entries(imports).map(([name, path]) => [name, [inRoot(FOLDER, path), inRoot(path)]]))
}

if (isMain(import.meta)) {
  const wrong = await checkGuides()
  for (const line of wrong) console.log(line)
  process.exitCode = wrong.length ? 1 : 0
}
