import { json, text } from '#kernel/fields.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { toText } from '#kernel/text.ts'
import { MANAGEMENT_AUDIENCE } from '#modules/documents/types/audience.ts'
import { type DocumentKind, type DocumentKindSpec, defineDocumentKind } from '#modules/documents/types/kind.ts'
import type { ModuleWithDocumentTypes } from '#modules/documents/types/kinds.server.ts'
import { defineDocumentTypeInfo } from '#modules/documents/types/type-info.ts'
import { riskAssessment } from '#modules/safety/risk/risk-assessment.ts'

const form: FormSchema = {
  title: 'Paper',
  steps: [
    {
      name: 'words',
      title: 'Words',
      groups: [
        {
          fields: [
            { name: 'title', kind: 'text', label: 'Title', required: true },
            { name: 'words', kind: 'text', label: 'Words' },
            { name: 'site', kind: 'text', label: 'Site' },
            { name: 'plans', kind: 'uploads', label: 'Plans' },
          ],
        },
      ],
    },
  ],
}

type Own = Pick<DocumentKindSpec, 'audience' | 'current' | 'approval' | 'told' | 'begunFrom' | 'sources'>

/** Creates a document type that only tests use. */
function paper(kind: string, type: string, path: string, prefix: string, own: Own): DocumentKind {
  const info = defineDocumentTypeInfo({
    kind,
    name: type,
    noun: type.toLowerCase(),
    screens: { list: `/safety/${path}`, update: `/safety/${path}/update` },
    nav: { title: type, icon: 'clipboard', order: 90 },
  })
  return defineDocumentKind({
    ...info,
    type,
    path,
    prefix,
    title: { field: 'title', label: 'Title', required: 'Please give it a title' },
    schema: form,
    fields: { cover: json({ inJson: 'content' }) },
    picture: 'cover',
    reviewMonths: 6,
    pdf: { template: 'test/support/kinds/plain.typ', body: (record) => ({ words: toText(record.words) }) },
    ...own,
  })
}

export const confidentialTestType = paper('confidential', 'Confidential', 'confidentials', 'CF', {
  audience: MANAGEMENT_AUDIENCE,
})
/** Test type with one document in force per client, regardless of the document number. */
export const policyTestType = paper('policy', 'PolicyPaper', 'policy_papers', 'PO', { current: 'per client' })
/** Test type without approval: a document is in force as soon as it is completed. */
export const memoTestType = paper('memo', 'Memo', 'memos', 'ME', { approval: false })
/** Test type whose documents are created from a risk assessment and copy its job details. */
export const methodStatementTestType = paper('method', 'Method', 'method_papers', 'MS', {
  sources: () => ({ riskAssessment }),
  told: { site: text({ help: 'Where the work is done.' }) },
  begunFrom: ({ query, source }) => ({
    site: source ? toText(source.record.location) : toText(query.site),
    words: source ? `For ${toText(source.record.documentNumber)}` : '',
  }),
})
/** Test type with one document in force per client and without approval. */
export const noticeTestType = paper('notice', 'PublicNotice', 'public_notices', 'NT', {
  current: 'per client',
  approval: false,
})

export const testTypesModule: ModuleWithDocumentTypes = {
  name: 'test kinds',
  resources: [],
  kinds: [confidentialTestType, policyTestType, memoTestType, methodStatementTestType, noticeTestType],
}
