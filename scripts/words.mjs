// Counts habit words in comments, test names, screen texts and documents by module. Fails if a count exceeds the
// committed limit (scripts/words.json). `node scripts/words.mjs --update` lowers the limits to the current counts;
// nothing raises them.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { inRoot, isMain } from './shared.mjs'

const LIMITS = inRoot('scripts', 'words.json')

/** Words that often replace a missing subject or technical term (docs/guide/style.md). */
const HABITS =
  /\b(?:whoever|whomever|whom|somebody|told|stands|kept|said|anew|begun|by (?:itself|themselves)|let go of|(?:given|taken|put) back|looked at|(?:is|are|was|were|be) (?:asked|made|found)|at the most|goes on|beside (?:it|them)|within reach)\b|^What (?:is|was|has|of|it|they|came|becomes)\b|^Who\b/gi

const KINDS = ['comments', 'tests', 'screens', 'docs']

/** Returns the part of the project to which a file belongs: a module, or a folder below src. */
function areaOf(path) {
  const [top, second, third] = path.split('/')
  if (top !== 'src') return top.endsWith('.md') ? 'docs' : second ? top : 'root'
  return second === 'modules' ? `modules/${third}` : second
}

/** Yields the comments in a TypeScript file, one entry per line of text. */
function* commentsOf(text) {
  for (const [, block, line] of text.matchAll(/\/\*\*?([\s\S]*?)\*\/|(?<![:'"`\w/])\/\/ ?(.*)/g)) {
    if (line !== undefined) yield line
    else for (const part of block.split('\n')) yield part.replace(/^\s*\*? ?/, '').trim()
  }
}

const TEST_NAME =
  /\b(?:test|it|describe|sweep|daily)(?:\.\w+(?:\([^)]*\))?)*(?:\([^()]*\))?\(\s*(['"`])([^\n]*?)\1\s*,/g
const testNamesOf = (text) => [...text.matchAll(TEST_NAME)].map((match) => match[2])

/** Yields the strings of two or more words, and the text between tags. */
function* screenTextsOf(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`\w/])\/\/.*/g, '')
  for (const [, , words] of code.matchAll(/(['"`])((?:(?!\1)[^\\\n])*\s(?:(?!\1)[^\\\n])*)\1/g))
    if (!/\b(?:SELECT|FROM|WHERE|UPDATE|INSERT|JOIN|AND t\.)\b/.test(words)) yield words
  for (const [, words] of code.matchAll(/>\s*([A-Z][^<>{}]*)\s*</g)) yield words
}

const countIn = (texts) => [...texts].reduce((sum, text) => sum + (text.match(HABITS)?.length ?? 0), 0)

/** Counts habit words by area and kind of text. */
export function countHabitWords() {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.md'], { cwd: inRoot(), encoding: 'utf8' })
  const counts = {}
  for (const path of files.split('\n').filter((file) => file && !file.startsWith('test/clients/packages'))) {
    const text = readFileSync(inRoot(path), 'utf8')
    const isTest = /[.](?:test|spec)[.]tsx?$/.test(path)
    const found = path.endsWith('.md')
      ? { docs: countIn(text.split('\n')) }
      : {
          comments: countIn(commentsOf(text)),
          tests: isTest ? countIn(testNamesOf(text)) : 0,
          screens: /[.]web[.]tsx?$|^src\/web\//.test(path) && !isTest ? countIn(screenTextsOf(text)) : 0,
        }
    counts[areaOf(path)] ??= Object.fromEntries(KINDS.map((kind) => [kind, 0]))
    for (const [kind, n] of Object.entries(found)) counts[areaOf(path)][kind] += n
  }
  return counts
}

/** Prints the areas above their limit. Returns true if there are none. */
export function checkWords() {
  const limits = JSON.parse(readFileSync(LIMITS, 'utf8'))
  const above = Object.entries(countHabitWords()).flatMap(([area, kinds]) =>
    KINDS.filter((kind) => kinds[kind] > (limits[area]?.[kind] ?? 0)).map(
      (kind) =>
        `  ${area}: ${kinds[kind]} habit words in ${kind}; the limit is ${limits[area]?.[kind] ?? 0} (docs/guide/style.md)`,
    ),
  )
  for (const line of above) console.log(line)
  return above.length === 0
}

function lowerLimits() {
  const limits = JSON.parse(readFileSync(LIMITS, 'utf8'))
  const counts = countHabitWords()
  const lowered = Object.fromEntries(
    Object.keys(counts)
      .sort()
      .map((area) => [
        area,
        Object.fromEntries(
          KINDS.map((kind) => [kind, Math.min(counts[area][kind], limits[area]?.[kind] ?? Number.POSITIVE_INFINITY)]),
        ),
      ]),
  )
  writeFileSync(LIMITS, `${JSON.stringify(lowered, null, 2)}\n`)
}

if (isMain(import.meta)) {
  if (process.argv.includes('--update')) lowerLimits()
  else process.exitCode = checkWords() ? 0 : 1
}
