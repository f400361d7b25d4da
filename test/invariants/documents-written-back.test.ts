import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Field } from '#kernel/fields.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { DOCUMENT_PACKS } from '#modules/documents/rights.ts'
import type { DocumentKind } from '#modules/documents/types/kind.ts'
import { collectDocumentKinds } from '#modules/documents/types/kinds.server.ts'
import { coshhAssessment } from '#modules/safety/coshh/coshh-assessment.ts'
import { registryOf } from '#server/engine/registry.ts'
import { documentIri, makeHazards } from '#test/support/assessments.ts'
import { testTypesModule } from '#test/support/kinds/kinds.ts'
import { makeCompleteDocumentBody } from '#test/support/kinds/whole.ts'
import { testPortal } from '#test/support/portal.ts'
import { scaleRunCount } from '#test/support/scope.ts'
import { MINIMAL_PDF, makeUploadForm } from '#test/support/uploads.ts'

const portal = await (await testPortal()).with({}, [testTypesModule])
const client = await portal.client({ packs: DOCUMENT_PACKS })
const author = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'] }))
const sheet = makeUploadForm(MINIMAL_PDF, 'data-sheet.pdf')
const file: string = (await author.send('POST', `/api/safety/uploads/${client.id}`, sheet)).body['@id']

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).map((s) => `Said: ${s.trim()}.`)
const rich = words.map((s) => `<p>${s.replace(/[<>&"]/g, '')}</p>`)
const label = fc.option(words, { nil: undefined })
const upload = label.map((said) => (said ? { '@id': file, label: said } : file))

/** Generates an answer to a form question. Throws for a question kind without a generator. */
function answerTo(f: FormField): fc.Arbitrary<unknown> {
  // Employees are chosen, not typed.
  if (f.name === 'employee') return fc.constant(0)
  if (['text', 'longText', 'autocomplete', 'person'].includes(f.kind)) return words
  if (f.kind === 'richText') return rich
  if (f.kind === 'number') return fc.integer({ min: f.min ?? 0, max: f.max ?? 1000 })
  if (f.kind === 'select') return fc.constantFrom(...(f.options ?? []).map((o) => o.value))
  if (f.kind === 'date') return fc.constantFrom('2026-02-28', '2031-12-31')
  if (f.kind === 'checkbox' || f.kind === 'switch') return fc.constant(true)
  if (f.kind === 'combobox') return fc.uniqueArray(words, { minLength: 1, maxLength: 5 })
  if (f.kind === 'emergencyContacts')
    return fc.array(fc.record({ name: words, number: words }), { minLength: 1, maxLength: 3 })
  if (f.kind === 'uploads') return fc.array(upload, { minLength: 1, maxLength: 3 })
  if (f.kind === 'rows')
    return fc.array(fc.record(Object.fromEntries((f.fields ?? []).map((own) => [own.name, answerTo(own)]))), {
      minLength: 1,
      maxLength: 3,
    })
  throw new Error(`nobody has said how ${f.name} (${f.kind}) is answered`)
}

const headed = fc.record({
  '@id': fc.constantFrom('/api/safety/tasks/3', '/api/safety/standard_statements/9', ''),
  title: words,
  text: rich,
})
const heads = fc.array(headed, { minLength: 1, maxLength: 3 })

/** Values for the custom inputs of document types, by field name. */
const CUSTOM_INPUT_VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  controls: fc.constant(makeHazards()),
  ppe: fc.constant([1, 4]),
  ppeItems: fc.constant([{ id: 1, label: 'Gloves', image: '/api/safety/ppe_signs/M009.svg', iso7010: 'M009' }]),
  methodStatement: fc.record({ defaultStatements: heads, nonDefaultStatements: heads, taskSelection: heads }),
  image: upload,
  cover: upload,
  partial: fc.constant(true),
  reviewReason: words,
  substances: fc.constant(makeCompleteDocumentBody(coshhAssessment).substances),
  worn: fc.constant([{ id: 1, label: 'Gloves', coshhValue: 'gloves', standard: 'EN ISO 374-1', image: 'M009' }]),
  unconfirmed: fc.constant(['location']),
}

/** Derived fields, which are not sent for a new document. */
const FOLLOWS = new Set([
  'copiedFrom',
  'confirmed',
  'unconfirmed',
  'additional',
  'unplaced',
  'parentDocumentNumber',
  'substanceNames',
  'matrix',
  // Employees are chosen, not typed.
  'firstAiderEmployee',
  'supervisorEmployee',
  'signatoryEmployee',
])

const answersOf = (schema: FormSchema, own: readonly string[]) =>
  fc.record({
    ...Object.fromEntries(formFieldsIn(schema).flatMap((f) => (f.kind === 'custom' ? [] : [[f.name, answerTo(f)]]))),
    ...Object.fromEntries(
      own.flatMap((name) => (CUSTOM_INPUT_VALUES[name] ? [[name, CUSTOM_INPUT_VALUES[name]]] : [])),
    ),
  })

const contentOf = (kind: DocumentKind) =>
  Object.entries<Field>(kind.resource.fields).flatMap(([name, f]) => (f.inJson || f.kind === 'rows' ? [name] : []))

const changesOf = (kind: DocumentKind, id: number) =>
  portal.db.tx('system', (tx) =>
    tx.rows("SELECT changes FROM audit WHERE type = $1 AND row_id = $2 AND verb <> 'create'", [kind.resource.type, id]),
  )

const kinds = collectDocumentKinds(registryOf(portal.engine).modules)

test.each(kinds.map((kind) => [kind.noun, kind] as const))(
  'a %s, including its links, remains unchanged when written back as it was read, in either format',
  async (_noun, kind) => {
    const references: Record<string, unknown> = {}
    for (const [name, { to, files }] of Object.entries(kind.references ?? {})) {
      const other = kinds.find((one) => one.kind === to[0]) as DocumentKind
      const target = (await author.post(other.resource.url, makeCompleteDocumentBody(other))).body
      references[name] = [{ target: documentIri(target) }, ...(files ? [{ file }] : [])]
    }
    const filled = contentOf(kind).filter((name) => !FOLLOWS.has(name))
    await fc.assert(
      fc.asyncProperty(answersOf(kind.schema, contentOf(kind)), async (said) => {
        const made = await author.post(kind.resource.url, { ...said, ...references })
        expect([made.status, made.text]).toEqual([201, expect.anything()])
        expect(filled.filter((name) => (made.body[name] ?? null) === null)).toEqual([])
        for (const accept of ['application/ld+json', 'application/json']) {
          const read = await author.get(made.body['@id'], { accept })
          const answer = await author.put(made.body['@id'], read.body, { accept })
          expect([answer.status, answer.text]).toEqual([200, read.text])
        }
        expect(await changesOf(kind, made.body.id)).toEqual([])
        const model = await author.get(`${made.body['@id']}/copy`, { accept: 'application/json' })
        const copy = await author.post(kind.resource.url, model.body)
        expect([copy.status, copy.text]).toEqual([201, expect.anything()])
        const words = formFieldsIn(kind.schema).filter(({ name }) => !kind.rows.includes(name))
        for (const { name } of words) expect([name, copy.body[name]]).toEqual([name, model.body[name]])
      }),
      { numRuns: scaleRunCount(4) },
    )
  },
)
