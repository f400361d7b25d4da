// Writes the examples in the guides to files. Each example is a fenced block with a file path (```ts
// src/modules/…/x.ts). tsconfig.json includes these files, and `npm run check` compiles them with the sources.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { inRoot } from './shared.mjs'

const FOLDER = 'test-results/guides'
const GUIDES = 'docs/guide'

/** Returns the examples in a guide, with path and code. */
function examplesOf(guide) {
  const text = readFileSync(inRoot(GUIDES, guide), 'utf8')
  return [...text.matchAll(/^```(tsx?)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(([, , path, code]) => ({
    guide,
    path,
    code,
  }))
}

/** Writes the examples to files and returns their paths. Throws if an example has no path. */
export function writeGuideExamples() {
  const examples = readdirSync(inRoot(GUIDES))
    .filter((name) => name.endsWith('.md'))
    .flatMap(examplesOf)
  const nameless = examples.find(({ path }) => !path)
  if (nameless) throw new Error(`${GUIDES}/${nameless.guide}: an example has no path.`)
  rmSync(inRoot(FOLDER), { recursive: true, force: true })
  return examples.map(({ path, code }) => {
    const file = `${FOLDER}/${path}`
    mkdirSync(inRoot(dirname(file)), { recursive: true })
    writeFileSync(inRoot(file), code)
    return file
  })
}
