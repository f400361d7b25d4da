import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { modules } from '#app/modules.ts'
import { openApiDocument } from '#server/hydra/openapi.ts'

const FILE = join(import.meta.dirname, 'api.txt')

interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly $ref?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

const typeOf = (s: Schema): string => {
  if (s.$ref) return s.$ref.split('/').at(-1) ?? ''
  const type = [s.type ?? 'any'].flat().join('|')
  return `${type}${s.format ? ` ${s.format}` : ''}${s.items ? ` of ${typeOf(s.items)}` : ''}`
}

/** Lists every operation and every JSON key of the API, one per line: what a client depends on. */
function describeApi(): string {
  const resources = modules.flatMap((module) => module.resources).filter((r) => r.allow.read !== 'nobody')
  const { paths, components } = JSON.parse(
    JSON.stringify(openApiDocument('https://portal.example', 'Portal', modules, resources)),
  )
  const operations = Object.entries<object>(paths).flatMap(([path, verbs]) =>
    Object.keys(verbs)
      .filter((verb) => verb !== 'parameters')
      .map((verb) => `${verb.toUpperCase()} ${path}`),
  )
  const keys = Object.entries<Schema>(components.schemas).flatMap(([name, { properties = {}, required = [] }]) =>
    Object.entries(properties).map(
      ([key, schema]) => `${name}.${key}${required.includes(key) ? '' : '?'}: ${typeOf(schema)}`,
    ),
  )
  return `${[...operations.toSorted(), '', ...keys.toSorted()].join('\n')}\n`
}

test('no operation or JSON key of the API has changed unnoticed (UPDATE_MATRIX=1 rewrites the list)', () => {
  const text = describeApi()
  if (process.env.UPDATE_MATRIX) writeFileSync(FILE, text)
  expect(text).toBe(readFileSync(FILE, 'utf8'))
})
