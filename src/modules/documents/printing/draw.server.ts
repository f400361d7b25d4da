import { join } from 'node:path'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { clearHiddenFields } from '#kernel/forms/without-hidden.ts'
import { idAtEnd } from '#kernel/iri.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { textOf } from '#kernel/text.ts'
import { readPictures } from '#modules/portal/files/pictures.server.ts'
import { readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import type { Engine } from '#server/engine/types.ts'
import type { DocumentFrame, ReferenceList } from '#server/pdf/furniture.ts'
import { renderControlledDocument } from '#server/pdf/furniture.ts'
import type { PackPart } from '#server/pdf/pack.ts'
import { formOfSentRecord } from '../forms/draft-form.server.ts'
import { withFormerAnswers } from '../forms/forms.server.ts'
import { additionalAnswers } from '../forms/further.ts'
import { changedLabels } from '../forms/labels.ts'
import { settingsForReading } from '../settings/held.server.ts'
import { needsApproval } from '../types/in-force.ts'
import { type DocumentKind, type DocumentRecord, documentRecordTitle } from '../types/kind.ts'
import { type DocumentReferenceValue, referencedTitle, referencesIn } from '../types/reference.ts'
import { isSelfApproved } from '../types/self-approval.ts'
import { documentStatusOf } from '../types/states.ts'
import { showValue } from '../types/value-text.ts'
import { historyTemplateInput, type NameLookup, type PrintedHistory } from './evidence.server.ts'
import type { PrintMaterial } from './material.server.ts'

/** References of a document for printing, without empty lists. Those of a draft are current. */
const printedReferences = (
  { references }: Pick<DocumentKind, 'references'>,
  record: Readonly<Record<string, unknown>>,
): ReferenceList[] =>
  referencesIn(references, record)
    .filter(({ rows }) => rows.length > 0)
    .map(({ label, rows }) => ({ heading: label, rows: rows.flatMap(printed) }))

function printed({ target, file, notes, digest }: DocumentReferenceValue): ReferenceList['rows'] {
  const sealedCells = (sealed: string | null | undefined, on: string | null | undefined) => ({
    ...(notes ? { notes } : {}),
    ...((digest ?? sealed) ? { digest: digest ?? sealed ?? '' } : {}),
    ...(on ? { on } : {}),
  })
  if (target)
    return [
      {
        number: target.documentNumber,
        revision: target.revision,
        title: referencedTitle(target),
        ...sealedCells(target.seal, target.completedAt),
      },
    ]
  // A file is printed with its own name, as its label can change.
  return file ? [{ number: 'File', title: file.name, ...sealedCells(file.checksum, file.createdAt) }] : []
}

/**
 * Additions of a revision's own form to the print of its type: changed labels and the completed additional fields, step
 * by step.
 */
function printableForm(
  { schema: declared }: Pick<DocumentKind, 'schema'>,
  schema: FormSchema,
  record: Values,
): Pick<DocumentFrame, 'labels' | 'further'> {
  const labels = changedLabels(declared, schema)
  const further = additionalAnswers(schema, record).map(({ title, fields }) => ({
    title,
    facts: fields.map(({ field, value }) => ({
      label: field.label,
      ...(field.kind === 'richText' ? { words: { html: String(value) } } : { text: showValue(field, value) }),
    })),
  }))
  return { ...(Object.keys(labels).length ? { labels } : {}), ...(further.length ? { further } : {}) }
}

const ROOT = join(import.meta.dirname, '../../../..')

export interface PrintInput {
  readonly record: DocumentRecord
  readonly evidence: PrintedHistory
  readonly material: PrintMaterial
  /** Records printed with it, by name. */
  readonly beside: Readonly<Record<string, unknown>>
  /** Client whose share of the rendering capacity it uses. */
  readonly whose: number
  /** Time of the last event it includes, as an ISO 8601 instant. */
  readonly asOf?: string
  /** Throws if a picture's bytes are missing, instead of leaving it out. */
  readonly whole?: boolean
}

export const renderDocumentPdf = async (engine: Engine, kind: DocumentKind, paper: PrintInput): Promise<Buffer> =>
  renderControlledDocument({ ...(await pdfTemplateInput(engine, kind, paper)), client: paper.whose })

/** Template input of a document, standalone or as a part of a pack. */
export async function pdfTemplateInput(engine: Engine, kind: DocumentKind, paper: PrintInput): Promise<PackPart> {
  const { record, evidence, material, beside, asOf, whole = false } = paper
  const nameOf = nameIn(material)
  const form = await formOfSentRecord({ engine }, kind, record)
  const { schema } = form
  const written = await withFormerAnswers(engine.db.read, form, idAtEnd(record.client) ?? PROVIDER, record)
  const settings = await settingsForReading({ engine }, kind, record)
  const answers: Values = { ...written, ...clearHiddenFields(schema, written), ...settings }
  const { client, brand } = material.letterhead
  const [pictures, logo] = await Promise.all([
    readPictures(engine, material.pictures, whole),
    readLogo(engine, material.letterhead, whole),
  ])
  const images = pictures.map((p) => ({ ...p, alt: p.caption }))
  return {
    template: join(ROOT, kind.pdf.template),
    furniture: {
      ...aboutOf(kind, record, nameOf),
      ...printableForm(kind, schema, answers),
      ...historyTemplateInput(evidence, kind, nameOf),
      references: printedReferences(kind, record),
      client: { ...client, logo },
      brand,
      ...(asOf ? { asOf } : {}),
    },
    body: kind.pdf.body({ ...answers, industry: { name: material.industry } }, { ...beside, images }),
  }
}

const nameIn =
  ({ names }: PrintMaterial): NameLookup =>
  (username) =>
    names[username ?? ''] || (username ?? '')

function aboutOf(kind: DocumentKind, record: DocumentRecord, nameOf: NameLookup) {
  const { noun } = kind
  const { completedAt, approvedAt, reviewDue, seal } = record
  const said: Readonly<Record<string, unknown>> = record
  const reason = textOf(said.reviewReason)
  return {
    number: record.documentNumber,
    revision: record.revision,
    state: documentStatusOf(record),
    kindName: noun.charAt(0).toUpperCase() + noun.slice(1),
    title: documentRecordTitle(kind, record) || `Untitled ${noun}`,
    author: nameOf(record.author),
    ...(needsApproval(kind) ? {} : { unapproved: true }),
    createdOn: record.createdAt,
    ...(completedAt ? { completedOn: completedAt } : {}),
    ...(approvedAt
      ? {
          approvedBy: `${nameOf(record.authorUsername)}${isSelfApproved(record) ? ' (its author)' : ''}`,
          approvedOn: approvedAt,
        }
      : {}),
    ...(reviewDue ? { reviewDue } : {}),
    ...(record.endedBy && record.endedAt ? { ended: { by: nameOf(record.endedBy), on: record.endedAt } } : {}),
    ...(reason ? { reason } : {}),
    ...(seal ? { seal } : {}),
  }
}
