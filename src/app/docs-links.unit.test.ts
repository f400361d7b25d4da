import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const IGNORED = ['**/node_modules/**', 'dist/**', 'data/**', 'test-results/**', 'playwright-report/**']
const documents = globSync('**/*.md', { exclude: IGNORED })
const texts = new Map(documents.map((path) => [path, readFileSync(path, 'utf8')]))
const FENCES = /^```[\s\S]*?^```$/gm

/** Returns the relative targets of links and images outside code fences, as `[path, #heading]`. */
const linksOf = (text: string): (readonly [path: string, heading: string])[] =>
  [...text.replace(FENCES, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', heading = ''] = target.split('#')
      return [path, heading] as const
    })

/** Returns the anchors that a Markdown viewer generates for headings. */
const anchorsOf = (text: string): string[] =>
  [...text.replace(FENCES, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )

function brokenLinks(file: string): string[] {
  return linksOf(texts.get(file) ?? '').flatMap(([path, heading]) => {
    const target = path === '' ? file : join(dirname(file), path)
    if (!existsSync(target)) return [`${path} is not there`]
    const isMissing =
      heading !== '' && statSync(target).isFile() && !anchorsOf(texts.get(target) ?? '').includes(heading)
    return isMissing ? [`${path}#${heading} is no heading`] : []
  })
}

const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

const MAX_WORDS: readonly (readonly [path: string, words: number])[] = [
  ['README.md', 900],
  ['CHANGELOG.md', 1500],
  ['bench/README.md', 1000],
  ['docs/architecture.md', 1000],
  ['docs/security.md', 2500],
  ...documents.filter((path) => path.startsWith('docs/decisions/')).map((path) => [path, 200] as const),
]
const MAX_MODULE_README_LINES = 80
const moduleReadmes = documents.filter((path) => /^src\/modules\/[^/]+\/README\.md$/.test(path))

describe('the documentation', () => {
  test('the documentation includes the README, guides and decision records', () => {
    expect(documents.length).toBeGreaterThan(40)
    expect([...texts.values()].flatMap(linksOf).length).toBeGreaterThan(100)
  })

  test('documentation links only to existing files and headings', () => {
    expect(documents.flatMap((file) => brokenLinks(file).map((reason) => `${file}: ${reason}`))).toEqual([])
  })

  test('each document stays within its word limit', () => {
    const counted = MAX_WORDS.map(([path, limit]) => ({ path, limit, words: wordsIn(texts.get(path) ?? '') }))
    expect(counted.filter(({ words, limit }) => words === 0 || words > limit)).toEqual([])
  })

  test('every module has a README of at most 80 lines', () => {
    const modules = globSync('src/modules/*/module.*', { exclude: IGNORED }).map(dirname)
    expect([...new Set(modules)].filter((path) => !moduleReadmes.includes(`${path}/README.md`))).toEqual([])
    const linesOf = (path: string) => texts.get(path)?.trimEnd().split('\n').length ?? 0
    expect(moduleReadmes.filter((path) => linesOf(path) > MAX_MODULE_README_LINES)).toEqual([])
  })

  test('every decision record has a unique number, a title and a status', () => {
    const decisions = documents.filter((path) => path.startsWith('docs/decisions/'))
    const wrong = decisions.filter((path) => {
      const number = Number(/\/(\d{4})-/.exec(path)?.[1])
      return !new RegExp(`^# ${number}\\. .+\\n\\nStatus: .+\\n`).test(texts.get(path) ?? '')
    })
    expect(wrong).toEqual([])
    expect(new Set(decisions.map((path) => path.slice(0, 'docs/decisions/0000'.length))).size).toBe(decisions.length)
  })
})
