import { toRowObjects } from '#kernel/forms/rows.ts'
import { uploadsInAnswer } from '#kernel/forms/uploads.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import { toText } from '#kernel/text.ts'
import type { PrintedPicture } from '#modules/documents/types/kind.ts'
import { filledJobContacts } from '../shared-fields/contacts.ts'
import { type PdfJobDetails, toPdfJobDetails } from '../shared-fields/pdf.ts'
import {
  type LibrarySnapshot,
  parseMethodStatement,
  statementsInMethodStatement,
} from '../statements/method-statement.ts'

/** Sanitised HTML, limited to the tags that the portal allows. */
interface RichText {
  readonly html: string
}

/** Input for the PDF template `method-statement.typ`. Dates are in the format `2026-03-12`. */
export interface MethodStatementPdfInput {
  readonly job: PdfJobDetails
  /** Document number of the associated risk assessment. */
  readonly assessment?: string
  readonly supervisor?: string
  readonly emergency: {
    readonly arrangements?: string
    readonly assemblyPoint?: string
    readonly hospital?: string
    readonly contacts: readonly { readonly name: string; readonly phone: string }[]
  }
  readonly steps: readonly {
    readonly name: string
    readonly text?: string
    readonly responsible?: string
    readonly pictures: readonly PrintedPicture[]
  }[]
  readonly plant: readonly { readonly name: string; readonly checks?: string }[]
  readonly permits: readonly { readonly name: string; readonly issuer?: string }[]
  readonly people: readonly {
    readonly name: string
    readonly role?: string
    readonly tickets?: string
    readonly expires?: string
  }[]
  readonly statements: readonly { readonly heading: string; readonly text: RichText }[]
  readonly tasks: readonly { readonly name: string; readonly description: RichText }[]
  /** Pictures that don't belong to a step. */
  readonly images: readonly PrintedPicture[]
}

type Values = Readonly<Record<string, unknown>>

const said = (v: unknown): string => toText(v).trim()
const some = <K extends string>(name: K, v: unknown) => (said(v) ? ({ [name]: said(v) } as Record<K, string>) : {})
/** Returns the name of a row. Rows without a name are also printed, so that no content is lost. */
const named = ({ name }: Values) => said(name)

export function toMethodStatementPdfInput(
  record: Values,
  { images = [] }: { images?: readonly PrintedPicture[] } = {},
): MethodStatementPdfInput {
  const method = parseMethodStatement(record.methodStatement)
  const industry = (record.industry as Values | null)?.name
  const ofSteps = toRowObjects(record.sequence).map((step) => picturesOf(step, images))
  const shown = new Set(ofSteps.flat())
  return {
    job: { ...toPdfJobDetails(record), ...some('industry', industry), ...some('begunFrom', record.copiedFrom) },
    ...some('assessment', record.riskDocumentNumber),
    ...some('supervisor', record.supervisor),
    emergency: {
      ...some('arrangements', record.emergencyArrangements),
      ...some('assemblyPoint', record.assemblyPoint),
      ...some('hospital', record.hospital),
      contacts: filledJobContacts(record.emergencyContact).map(({ name, number }) => ({ name, phone: number })),
    },
    steps: toRowObjects(record.sequence).map((step, i) => ({
      name: said(step.title),
      ...some('text', step.text),
      ...some('responsible', step.responsible),
      pictures: ofSteps[i] ?? [],
    })),
    plant: toRowObjects(record.plant).map((row) => ({ name: named(row), ...some('checks', row.checks) })),
    permits: toRowObjects(record.permits).map((row) => ({ name: named(row), ...some('issuer', row.issuer) })),
    people: toRowObjects(record.people).map((row) => ({
      name: named(row),
      ...some('role', row.role),
      ...some('tickets', Array.isArray(row.tickets) ? row.tickets.map(said).join(', ') : ''),
      ...some('expires', row.expires),
    })),
    statements: statementsInMethodStatement(method).map(({ title, text }: LibrarySnapshot) => ({
      heading: said(title),
      text: { html: text },
    })),
    tasks: method.taskSelection.map(({ title, text }) => ({ name: said(title), description: { html: text } })),
    images: images.filter((one) => !shown.has(one)),
  }
}

const picturesOf = ({ pictures }: Values, images: readonly PrintedPicture[]): PrintedPicture[] =>
  uploadsInAnswer(pictures).flatMap(
    ({ '@id': iri }) => images.find(({ id }) => id !== undefined && id === idFromAnyIri(iri)) ?? [],
  )
