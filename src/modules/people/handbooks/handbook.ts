import { violation } from '#kernel/errors.ts'
import { toRowObjects } from '#kernel/forms/rows.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { toText } from '#kernel/text.ts'
import { type DocumentKindSpec, defineDocumentKind, type PrintedPicture } from '#modules/documents/types/kind.ts'
import type { DocumentTypeInfo } from '#modules/documents/types/type-info.ts'
import { handbookInfo, managementHandbookInfo } from './handbook-infos.ts'

type Values = Readonly<Record<string, unknown>>

const MAX_CHAPTERS = 120

const formOf = ({ name, noun }: DocumentTypeInfo): FormSchema => ({
  title: name,
  steps: [
    {
      name: 'about',
      title: 'About',
      groups: [
        {
          fields: [
            { name: 'title', kind: 'text', label: 'Title', required: true, max: 255 },
            {
              name: 'reviewReason',
              kind: 'longText',
              label: 'Summary of changes',
              help: `What has changed since the last revision, in a few sentences. Everyone who signs the ${noun} again reads them first.`,
              max: 4000,
            },
            { name: 'introduction', kind: 'richText', label: 'Introduction' },
          ],
        },
      ],
    },
    {
      name: 'chapters',
      title: 'Chapters',
      groups: [
        {
          fields: [
            {
              name: 'chapters',
              kind: 'rows',
              label: 'Chapters',
              required: true,
              add: 'Add chapter',
              max: MAX_CHAPTERS,
              fields: [
                { name: 'title', kind: 'text', label: 'Title', required: true, message: 'Item is required', max: 255 },
                { name: 'text', kind: 'richText', label: 'Text', required: true, message: 'Item is required' },
              ],
            },
          ],
        },
      ],
    },
    {
      name: 'files',
      title: 'Files',
      groups: [{ fields: [{ name: 'uploadedDocuments', kind: 'uploads', label: 'Attachments' }] }],
    },
  ],
})

/** Returns the chapters of a handbook with their titles and sanitised texts. */
export const listChapters = (value: unknown) =>
  toRowObjects(value)
    .map(({ title, text }) => ({ title: toText(title).trim(), text: toText(text).trim() }))
    .filter(({ title, text }) => title || text)

/** Body of a handbook's PDF, used by `handbook.typ`. */
const toHandbookPdfBody = (record: Values, { images = [] }: { readonly images?: readonly PrintedPicture[] } = {}) => ({
  changes: toText(record.reviewReason).trim(),
  introduction: { html: toText(record.introduction).trim() },
  chapters: listChapters(record.chapters).map(({ title, text }) => ({ title, text: { html: text } })),
  images,
})

/** A revision that people sign again states what has changed. */
const problemsOf = ({ revision, reviewReason }: Values) =>
  Number(revision) > 1 && !toText(reviewReason).trim()
    ? [violation('reviewReason', 'Please summarise what has changed since the last revision')]
    : []

const defineHandbook = (
  info: DocumentTypeInfo,
  spec: Pick<DocumentKindSpec, 'type' | 'path' | 'prefix' | 'readerGroup'>,
) =>
  defineDocumentKind({
    ...info,
    ...spec,
    title: { field: 'title', label: 'Title', required: 'Field required, please enter text' },
    schema: formOf(info),
    current: 'per client',
    reviewMonths: 12,
    problems: problemsOf,
    pdf: { template: 'src/modules/people/handbooks/handbook.typ', body: toHandbookPdfBody },
    blank: () => ({ chapters: [], uploadedDocuments: [] }),
  })

/** Rules of work for everyone in a company. */
export const handbook = defineHandbook(handbookInfo, { type: 'Handbook', path: 'handbooks', prefix: 'HB' })

/** Guidance for people who manage others. Only managers, human resources and administrators read it. */
export const managementHandbook = defineHandbook(managementHandbookInfo, {
  type: 'ManagementHandbook',
  path: 'management_handbooks',
  prefix: 'MH',
  readerGroup: 'managers',
})
