// The examples of the guides, each in a fence with the path where it would be (```ts src/modules/…/x.ts), as files beside the sources:
// tsconfig.json takes them in, and `npm run check` compiles them with everything else.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { inRoot } from './shared.mjs'

const FOLDER = 'test-results/guides'
const GUIDES = 'docs/guide'

/** The examples of a guide: path and text. */
function examplesOf(guide) {
  const text = readFileSync(inRoot(GUIDES, guide), 'utf8')
  return [...text.matchAll(/^```(tsx?)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(([, , path, code]) => ({
    guide,
    path,
    code,
  }))
}

/** Writes the examples. Throws for one without a path; returns the paths of their files. */
export function writeExamples() {
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
