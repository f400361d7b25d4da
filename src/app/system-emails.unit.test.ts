import { globSync, readFileSync } from 'node:fs'
import { parseSync } from '@swc/core'
import { describe, expect, test } from 'vitest'
import { composeEmail, PORTAL_NAME_PLACEHOLDER, SECRET_LINK_PLACEHOLDER } from '#kernel/system-email.ts'
import { modules } from './modules.ts'

const emails = modules.flatMap((module) => module.emails ?? [])
const MAX_SUBJECT_LENGTH = 150

describe.each(emails.map((email) => [email.name, email] as const))('the sample of the e-mail “%s”', (_, email) => {
  const { subject, body, confidential } = composeEmail(email, email.sample)

  test('the sample e-mail has no missing value, double space or empty paragraph', () => {
    for (const text of [email.title, subject, body]) {
      expect(text).not.toMatch(/undefined|null|NaN|\[object| {2}/)
      expect(text).toBe(text.trim())
    }
    expect(body.split('\n\n').filter((paragraph) => paragraph.trim() === '' || /^\n|\n$/.test(paragraph))).toEqual([])
  })

  test("the sample e-mail's subject is one short line", () => {
    expect(subject).toMatch(/^.+$/)
    expect(subject.length).toBeLessThanOrEqual(MAX_SUBJECT_LENGTH)
  })

  test('each placeholder in the sample e-mail is known, and only a confidential body contains a link', () => {
    expect([SECRET_LINK_PLACEHOLDER, PORTAL_NAME_PLACEHOLDER]).toEqual(
      expect.arrayContaining(`${subject}${body}`.match(/\{\{.*?\}\}/g) ?? []),
    )
    expect(subject).not.toContain(SECRET_LINK_PLACEHOLDER)
    if (!confidential) expect(body).not.toContain(SECRET_LINK_PLACEHOLDER)
  })
})

interface SyntaxNode {
  readonly type: string
  readonly [part: string]: unknown
}

function* nodesIn(node: unknown): Generator<SyntaxNode> {
  if (Array.isArray(node)) for (const one of node) yield* nodesIn(one)
  else if (node && typeof node === 'object') {
    if ('type' in node) yield node as SyntaxNode
    for (const inner of Object.values(node)) yield* nodesIn(inner)
  }
}

/** Returns the last part of a name: `email` for both `p.email` and `email`. */
const lastNameOf = (node: SyntaxNode | undefined): unknown =>
  node?.type === 'MemberExpression'
    ? lastNameOf(node.property as SyntaxNode)
    : node?.type === 'CallExpression'
      ? lastNameOf(node.callee as SyntaxNode)
      : node?.value

const sources = globSync('src/**/*.{ts,tsx}')
  .filter((file) => !file.includes('.test.'))
  .map((file) => ({ file, code: readFileSync(file, 'utf8') }))

/**
 * Fields in each e-mail request in the code. A spread call is listed as `...composeEmail`, a spread value as
 * `...email`.
 */
const requests = sources
  .filter(({ code }) => /\bemailRequested,/.test(code))
  .flatMap(({ file, code }) =>
    [...nodesIn(parseSync(code, { syntax: 'typescript' }).body)].flatMap((call) => {
      if (call.type !== 'CallExpression') return []
      const args = (call.arguments as { expression: SyntaxNode }[]).map(({ expression }) => expression)
      const at = args.findIndex((arg) => arg.type === 'Identifier' && arg.value === 'emailRequested')
      if (at < 0 || lastNameOf(call) === 'eventHandler') return []
      const fields = ((args[at + 1]?.properties ?? []) as SyntaxNode[]).map((field) =>
        field.type === 'SpreadElement'
          ? `...${String(lastNameOf(field.arguments as SyntaxNode))}`
          : String(lastNameOf(field.type === 'KeyValueProperty' ? (field.key as SyntaxNode) : field)),
      )
      return [{ file, fields }]
    }),
  )

/** Spread values of the type `ComposedEmail`. */
const COMPOSED = ['...composeEmail', '...compose', '...email']

test('every e-mail request is composed from a declared e-mail and has no handwritten text', () => {
  expect(requests.length).toBeGreaterThan(15)
  const handwritten = requests.filter(
    ({ fields }) =>
      !fields.some((field) => COMPOSED.includes(field)) ||
      fields.some((field) => ['subject', 'body', 'template', 'confidential'].includes(field)),
  )
  expect(handwritten).toEqual([])
})

test('every declared e-mail is listed by exactly one feature', () => {
  const declared = sources.flatMap(({ code }) => code.match(/= defineEmail</g) ?? [])
  expect(new Set(emails.map(({ name }) => name)).size).toBe(emails.length)
  expect(emails.length).toBe(declared.length)
})
