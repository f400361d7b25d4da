import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const glossary = readFileSync('docs/guide/glossary.md', 'utf8')
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm

/** Last column of the glossary's table: words that no screen may use. */
const banned = [...glossary.slice(glossary.indexOf('## Words on screens')).matchAll(/^\|[^|]+\|[^|]+\| ([^|]+) \|$/gm)]
  .flatMap(([, words = '']) => words.split(', '))
  .filter((words) => words !== 'Never')

/** Texts that people read: web files, help, declarations, documents and e-mails. */
const texts = globSync('src/{web,modules,kernel}/**/*.{ts,tsx,typ}')
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8').replace(COMMENTS, '').replace(/\s+/g, ' ').toLowerCase() }))

it("the glossary's table of banned words can be parsed", () => {
  expect(banned.length).toBeGreaterThan(15)
  expect(texts.length).toBeGreaterThan(500)
})

it.each(banned)('no text for users contains “%s”', (words) => {
  expect(texts.filter(({ text }) => new RegExp(`\\b${words}\\b`).test(text)).map(({ file }) => file)).toEqual([])
})
