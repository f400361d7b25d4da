import { toRowObjects } from '#kernel/forms/rows.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { toText } from '#kernel/text.ts'
import type { PrintedPicture } from '#modules/documents/types/kind.ts'
import { defineDocumentKind } from '#modules/documents/types/kind.ts'
import { policyInfo } from './policy-info.ts'

export const COMPLETED_BY_COMPANY_TEXT = 'To be completed by each company'

const ITEM = 'Item is required'

/** Fields of a function: title, holder and responsibilities. */
const functionFields: readonly FormField[] = [
  { name: 'function', kind: 'text', label: 'Function', required: true, message: ITEM, width: 6 },
  {
    name: 'person',
    kind: 'person',
    also: ['employee'],
    label: 'Person',
    required: true,
    message: ITEM,
    placeholder: COMPLETED_BY_COMPANY_TEXT,
    width: 6,
  },
  { name: 'responsibilities', kind: 'longText', label: 'Responsibilities', required: true, message: ITEM, max: 4000 },
]

/** Fields of an arrangement as copied from the library. `arrangement` is the IRI of the library entry. */
const arrangementFields: readonly FormField[] = [
  { name: 'arrangement', kind: 'text', label: 'Library entry' },
  { name: 'title', kind: 'text', label: 'Title', required: true, message: ITEM },
  { name: 'text', kind: 'richText', label: 'Arrangement', required: true, message: ITEM },
]

/** Form of a safety policy in three parts: statement of intent, organisation and arrangements. */
export const policyForm: FormSchema = {
  title: policyInfo.name,
  steps: [
    {
      name: 'intent',
      title: 'Statement of intent',
      help: 'State what the company commits to, in plain words. The most senior person in the company signs and dates the statement.',
      groups: [
        {
          fields: [
            { name: 'title', kind: 'text', label: 'Title', required: true, max: 255 },
            { name: 'intent', kind: 'richText', label: 'Statement of intent', required: true },
          ],
        },
        {
          title: 'Signed for the company by',
          fields: [
            {
              name: 'signatory',
              kind: 'person',
              label: 'Name',
              required: true,
              confirm: true,
              placeholder: COMPLETED_BY_COMPANY_TEXT,
              width: 6,
            },
            { name: 'jobTitle', kind: 'text', label: 'Job title', confirm: true, width: 6 },
            {
              name: 'signedOn',
              kind: 'date',
              label: 'Date signed',
              help: 'The day on which the person above signs the statement. Sign and date it again at each review.',
              confirm: true,
              width: 6,
            },
          ],
        },
      ],
    },
    {
      name: 'organisation',
      title: 'Organisation',
      help: 'List who is responsible for safety: each function, such as First Aider, the person who holds it, and that person’s responsibilities.',
      groups: [
        {
          fields: [
            {
              name: 'organisation',
              kind: 'rows',
              label: 'Functions and responsibilities',
              required: true,
              add: 'Add function',
              max: 60,
              confirm: true,
              fields: functionFields,
            },
          ],
        },
      ],
    },
    {
      name: 'arrangements',
      title: 'Arrangements',
      help: 'Describe how safety is managed: fire, first aid, accidents and any other subject your work requires.',
      groups: [
        {
          fields: [
            {
              name: 'arrangements',
              kind: 'rows',
              label: 'Arrangements',
              required: true,
              add: 'Add arrangement',
              max: 120,
              confirm: true,
              fields: arrangementFields,
            },
          ],
        },
      ],
    },
    {
      name: 'files',
      title: 'Files',
      groups: [{ fields: [{ name: 'uploadedDocuments', kind: 'uploads', label: 'Organisation chart, certificates' }] }],
    },
  ],
}

/** A function in a policy, its holder and its responsibilities. */
interface PolicyFunctionHolder {
  readonly function: string
  readonly person: string
  readonly responsibilities: readonly string[]
}

export const splitResponsibilities = (text: unknown): string[] =>
  toText(text)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Lists functions and their holders. Missing values are replaced by placeholder text. */
export const listPolicyFunctionHolders = (value: unknown): PolicyFunctionHolder[] =>
  toRowObjects(value).map((row) => ({
    function: toText(row.function).trim() || 'Function Missing',
    person: toText(row.person).trim() || 'Person Missing',
    responsibilities: splitResponsibilities(row.responsibilities),
  }))

/** Returns true if no required value is missing from the row. */
export const isPolicyFunctionComplete = (row: unknown): boolean =>
  (['function', 'person', 'responsibilities'] as const).every(
    (name) => toText(toRowObjects([row])[0]?.[name]).trim() !== '',
  )

/** Sanitised HTML, limited to the tags that the portal allows. */
interface RichText {
  readonly html: string
}

/** Body of a policy's PDF, used by `policy.typ`. */
export interface PolicyPdfBody {
  readonly intent?: RichText
  readonly signatory?: string
  readonly jobTitle?: string
  /** Date on which the statement of intent is signed, as printed. */
  readonly signedOn?: string
  readonly functions: readonly {
    readonly function: string
    readonly person: string
    readonly responsibilities: readonly string[]
  }[]
  readonly arrangements: readonly { readonly title: string; readonly text: RichText }[]
  readonly images: readonly PrintedPicture[]
}

type Values = Readonly<Record<string, unknown>>

const said = (v: unknown): string => toText(v).trim()
const some = <K extends string>(name: K, v: unknown) => (said(v) ? ({ [name]: said(v) } as Record<K, string>) : {})

export const toPolicyPdfBody = (
  record: Values,
  { images = [] }: { images?: readonly PrintedPicture[] } = {},
): PolicyPdfBody => ({
  ...(said(record.intent) ? { intent: { html: said(record.intent) } } : {}),
  ...some('signatory', record.signatory),
  ...some('jobTitle', record.jobTitle),
  ...some('signedOn', record.signedOn),
  functions: listPolicyFunctionHolders(record.organisation),
  arrangements: toRowObjects(record.arrangements)
    .map(({ title, text }) => ({ title: said(title), text: { html: said(text) } }))
    .filter(({ title, text }) => title || text.html),
  images,
})

/**
 * A company's safety policy: statement of intent, organisation and arrangements. Only one policy per company is in
 * force, whatever its document number.
 */
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
  // The signatory and the date of the signature are entered in person.
  fieldOptions: {
    signatory: { notWhileImpersonating: true },
    jobTitle: { notWhileImpersonating: true },
    signedOn: { notWhileImpersonating: true },
  },
  blank: () => ({ organisation: [], arrangements: [], uploadedDocuments: [] }),
})
