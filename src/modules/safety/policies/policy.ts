import { rowsOf } from '#kernel/forms/rows.ts'
import { textOf } from '#kernel/text.ts'
import type { PrintedPicture } from '#modules/documents/types/kind.ts'
import { defineDocumentKind } from '#modules/documents/types/kind.ts'
import { policyForm } from './form.ts'
import { listFunctionHolders } from './organisation.ts'
import { policyInfo } from './policy-info.ts'

/** Sanitised HTML, limited to the portal's subset. */
interface RichText {
  readonly html: string
}

/** Body of a policy's PDF, read by `policy.typ`. */
export interface PolicyPdfBody {
  readonly intent?: RichText
  readonly signatory?: string
  readonly jobTitle?: string
  readonly functions: readonly {
    readonly function: string
    readonly person: string
    readonly responsibilities: readonly string[]
  }[]
  readonly arrangements: readonly { readonly title: string; readonly text: RichText }[]
  readonly images: readonly PrintedPicture[]
}

type Values = Readonly<Record<string, unknown>>

const said = (v: unknown): string => textOf(v).trim()
const some = <K extends string>(name: K, v: unknown) => (said(v) ? ({ [name]: said(v) } as Record<K, string>) : {})

export const toPolicyPdfBody = (
  record: Values,
  { images = [] }: { images?: readonly PrintedPicture[] } = {},
): PolicyPdfBody => ({
  ...(said(record.intent) ? { intent: { html: said(record.intent) } } : {}),
  ...some('signatory', record.signatory),
  ...some('jobTitle', record.jobTitle),
  functions: listFunctionHolders(record.organisation),
  arrangements: rowsOf(record.arrangements)
    .map(({ title, text }) => ({ title: said(title), text: { html: said(text) } }))
    .filter(({ title, text }) => title || text.html),
  images,
})

/** Safety policy of a company: intent, organisation and arrangements. Only one is in force, whatever its number. */
export const policy = defineDocumentKind({
  ...policyInfo,
  type: 'Policy',
  path: 'policies',
  prefix: 'PO',
  title: { field: 'title', label: 'Title', required: 'Field required, please enter text' },
  schema: policyForm,
  current: 'per client',
  reviewMonths: 12,
  pdf: { template: 'src/modules/safety/policies/policy.typ', body: toPolicyPdfBody },
  blank: () => ({ organisation: [], arrangements: [], uploadedDocuments: [] }),
})
