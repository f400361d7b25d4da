import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const text = readFileSync('docs/security.md', 'utf8')
const rows = text
  .slice(text.indexOf('## OWASP ASVS'))
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
const explained = new Map(
  rows.flatMap(([, ids = '', , where = '']) => ids.split(', ').map((id) => [id, where] as const)),
)

/** OWASP ASVS 5.0 sections, each with its number of requirements at levels 1 and 2. */
const SECTIONS = `
  1.1:2 1.2:9 1.3:11 1.4:3 1.5:2
  2.1:3 2.2:3 2.3:4 2.4:1
  3.2:2 3.3:4 3.4:6 3.5:5 3.7:2
  4.1:3 4.2:1 4.3:2 4.4:4
  5.1:1 5.2:3 5.3:2 5.4:3
  6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4
  7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2
  8.1:2 8.2:3 8.3:1 8.4:1
  9.1:3 9.2:4
  10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3
  11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1
  12.1:3 12.2:2 12.3:4
  13.1:1 13.2:5 13.3:2 13.4:5
  14.1:2 14.2:4 14.3:3
  15.1:3 15.2:3 15.3:7
  16.1:1 16.2:5 16.3:4 16.4:3 16.5:3
  17.1:1 17.2:4 17.3:2
`
const required = SECTIONS.trim()
  .split(/\s+/)
  .flatMap((section) => {
    const [number, last] = section.split(':')
    return Array.from({ length: Number(last) }, (_, i) => `${number}.${i + 1}`)
  })

describe('docs/security.md', () => {
  test('docs/security.md states once for each ASVS requirement where it is met or why it is not', () => {
    expect([...explained.keys()].toSorted()).toEqual(required.toSorted())
    expect(rows.flatMap(([, ids = '']) => ids.split(', '))).toHaveLength(explained.size)
    expect([...explained].filter(([, where]) => where === '')).toEqual([])
  })

  test('docs/security.md names only existing files', () => {
    const named = [...text.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file]) => file ?? '')
    const files = globSync('{src,test}/**/*.ts', { exclude: ['**/node_modules'] })
    const missing = named.filter((file) => !existsSync(file) && !files.some((one) => one.endsWith(`/${file}`)))
    expect([named.length > 15, missing]).toEqual([true, []])
  })
})
