import { globSync, readFileSync } from 'node:fs'
import { parseSync } from '@swc/core'
import { expect, it } from 'vitest'
import { labelOf } from '#kernel/fields.ts'
import { modules } from './modules.ts'

const glossary = readFileSync('docs/guide/glossary.md', 'utf8')

/** Words that no screen may use, from the last column of the glossary's table. */
const banned = [...glossary.slice(glossary.indexOf('## Words on screens')).matchAll(/^\|[^|]+\|[^|]+\| ([^|]+) \|$/gm)]
  .flatMap(([, words = '']) => words.split(', '))
  .filter((words) => words !== 'Never')

/** Yields the text in a parsed file: JSX text, and strings with several words or a capital letter. */
function* textsIn(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const one of node) yield* textsIn(one)
  else if (node && typeof node === 'object') {
    const { type, value, cooked } = node as { type?: string; value?: unknown; cooked?: unknown }
    if (type === 'ImportDeclaration' || type === 'TsLiteralType') return
    const text =
      type === 'TemplateElement' ? cooked : type === 'StringLiteral' || type === 'JSXText' ? value : undefined
    if (typeof text === 'string' && /[a-z’,]\s+\S*[a-z]|^\s*[A-Z][a-z]/.test(text)) yield text
    for (const inner of Object.values(node)) yield* textsIn(inner)
  }
}
const SQL = /\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|CREATE|ALTER|FROM|JOIN|ORDER BY)\b/

/** Text that people read: screens, help, errors, declarations, e-mails and printed documents. */
const texts = globSync('src/{app,web,modules,kernel,server}/**/*.{ts,tsx,typ}')
  .filter((file) => !/[.]test[.]ts$|[.]d[.]ts$/.test(file))
  .map((file) => {
    const code = readFileSync(file, 'utf8')
    const all = file.endsWith('.typ')
      ? [code.replace(/^\s*\/\/.*$/gm, '')]
      : [...textsIn(parseSync(code, { syntax: 'typescript', tsx: file.endsWith('x') }).body)].filter(
          (t) => !SQL.test(t),
        )
    return {
      file,
      text: all
        .join('\n')
        .replace(/[ \t]+/g, ' ')
        .toLowerCase(),
    }
  })

it("the glossary's table of banned words can be parsed", () => {
  expect(banned.length).toBeGreaterThan(40)
  expect(texts.length).toBeGreaterThan(500)
})

it.each(banned)('no text shown to users contains the banned word “%s”', (words) => {
  expect(texts.filter(({ text }) => new RegExp(`\\b${words}\\b`).test(text)).map(({ file }) => file)).toEqual([])
})

const labels = modules.flatMap(({ resources }) =>
  resources.flatMap(({ type, fields }) =>
    Object.entries(fields).map(([name, field]) => ({ of: `${type}.${name}`, label: labelOf(name, field) })),
  ),
)

it('no label of a field contains a banned word or calls a status a state', () => {
  const never = [...banned, 'state$'].map((words) => new RegExp(`\\b${words}`, 'i'))
  expect(labels.filter(({ label }) => never.some((words) => words.test(label)))).toEqual([])
})
