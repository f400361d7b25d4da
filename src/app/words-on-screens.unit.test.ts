import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const glossary = readFileSync('docs/guide/glossary.md', 'utf8')
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm

/** The last column of the glossary's table: what no screen says. */
const banned = [...glossary.slice(glossary.indexOf('## Words on screens')).matchAll(/^\|[^|]+\|[^|]+\| ([^|]+) \|$/gm)]
  .flatMap(([, words = '']) => words.split(', '))
  .filter((words) => words !== 'Never')

/** What people read: the web's files, help, declarations, papers and letters. */
const texts = globSync('src/{web,modules,kernel}/**/*.{ts,tsx,typ}')
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8').replace(COMMENTS, '').replace(/\s+/g, ' ').toLowerCase() }))

it('reads the table', () => {
  expect(banned.length).toBeGreaterThan(15)
  expect(texts.length).toBeGreaterThan(500)
})

it.each(banned)('nothing that people read says “%s”', (words) => {
  expect(texts.filter(({ text }) => new RegExp(`\\b${words}\\b`).test(text)).map(({ file }) => file)).toEqual([])
})
