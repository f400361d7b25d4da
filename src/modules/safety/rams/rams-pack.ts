import { violation } from '#kernel/errors.ts'
import { isPlainObject, toRowObjects } from '#kernel/forms/rows.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { iriOf } from '#kernel/resource.ts'
import { toText } from '#kernel/text.ts'
import { document } from '#modules/documents/types/document.ts'
import type { NewDocumentInput, PrintedPicture } from '#modules/documents/types/kind.ts'
import { defineDocumentKind } from '#modules/documents/types/kind.ts'
import { coshhInfo } from '../coshh/coshh-info.ts'
import { methodStatementInfo } from '../methods/method-info.ts'
import { methodStatement } from '../methods/method-statement.ts'
import { riskAssessment } from '../risk/risk-assessment.ts'
import { riskAssessmentInfo } from '../risk/risk-info.ts'
import {
  COMPLETED_FOR_EACH_SITE_TEXT,
  contractGroup,
  jobLocationFields,
  jobSearchFields,
} from '../shared-fields/fields.ts'
import { type PdfJobDetails, toPdfJobDetails } from '../shared-fields/pdf.ts'
import { toolboxTalkInfo } from '../talks/talk-info.ts'
import { ramsInfo } from './rams-info.ts'

/** Form of a pack: the job, its customer and notes for recipients. */
export const ramsForm: FormSchema = {
  title: ramsInfo.name,
  steps: [
    {
      name: 'job',
      title: 'The job',
      help: 'Enter the job that the documents are for. A pack started from a method statement or an assessment copies the job details from that document.',
      groups: [
        {
          fields: [
            {
              name: 'description',
              kind: 'text',
              label: 'What is the pack for?',
              required: true,
              max: 500,
              help: 'The job in a few words, such as "Replacing roof sheets at Unit 4". This text becomes the title of the pack.',
            },
            ...jobLocationFields,
          ],
        },
        contractGroup,
      ],
    },
    {
      name: 'papers',
      title: 'Documents',
      help: 'Choose exact revisions, in print order. Documents that a chosen revision refers to are added after it.',
      groups: [{ fields: [{ name: 'papers', kind: 'custom', label: 'Documents' }] }],
    },
    {
      name: 'site',
      title: 'On site',
      help: 'Enter what the recipients must know first.',
      groups: [
        {
          fields: [
            {
              name: 'supervisor',
              kind: 'person',
              label: 'Site supervisor',
              required: true,
              confirm: true,
              placeholder: COMPLETED_FOR_EACH_SITE_TEXT,
              width: 6,
            },
            { name: 'telephone', kind: 'text', label: 'Supervisor’s telephone', confirm: true, width: 6 },
            { name: 'notes', kind: 'longText', label: 'Note to recipients', max: 2000 },
          ],
        },
      ],
    },
  ],
}

/** Body of a pack's own pages, used by `rams-pack.typ`. The pack's documents are printed after these pages. */
export interface RamsPdfBody {
  readonly job: PdfJobDetails
  readonly supervisor?: string
  readonly telephone?: string
  readonly notes?: string
  readonly images: readonly PrintedPicture[]
}

export function toRamsPdfBody(
  record: Readonly<Record<string, unknown>>,
  { images = [] }: { images?: readonly PrintedPicture[] } = {},
): RamsPdfBody {
  const some = <K extends 'supervisor' | 'telephone' | 'notes'>(name: K) => {
    const said = toText(record[name]).trim()
    return said ? { [name]: said } : {}
  }
  const begunFrom = toText(record.copiedFrom).trim()
  return {
    job: { ...toPdfJobDetails(record), ...(begunFrom ? { begunFrom } : {}) },
    ...some('supervisor'),
    ...some('telephone'),
    ...some('notes'),
    images,
  }
}

const paper = (target: string) => ({ target, file: null, notes: '' })

/**
 * Returns the values that a pack copies from its source document: the job, the document itself and the documents to
 * which it refers.
 */
function valuesFromSource({ source }: NewDocumentInput): Readonly<Record<string, unknown>> {
  if (!source) return {}
  const { record } = source
  const job = ['description', ...[...jobLocationFields, ...contractGroup.fields].map(({ name }) => name), 'supervisor']
  const referred = ['associated', 'coshh'].flatMap((field) =>
    toRowObjects(record[field]).flatMap(({ target }) => (isPlainObject(target) ? toText(target['@id']) : [])),
  )
  return {
    ...Object.fromEntries(job.flatMap((name) => (record[name] ? [[name, record[name]]] : []))),
    papers: [...new Set([iriOf(document, Number(record.id)), ...referred])].map(paper),
  }
}

type Values = Readonly<Record<string, unknown>>

const ofJob = ({ project, location, jobNumber, mainContractor }: typeof jobSearchFields) => ({
  project,
  location,
  jobNumber,
  mainContractor,
})

/**
 * RAMS pack: exact revisions of a job's risk assessments, method statements and other documents, issued as one file.
 */
export const ramsPack = defineDocumentKind({
  ...ramsInfo,
  type: 'RamsPack',
  path: 'rams_packs',
  prefix: 'RP',
  title: { field: 'description', label: 'Description', required: 'Please enter what the pack is for' },
  schema: ramsForm,
  fieldOptions: ofJob(jobSearchFields),
  references: {
    papers: {
      label: 'Documents',
      to: [methodStatementInfo.kind, riskAssessmentInfo.kind, coshhInfo.kind, toolboxTalkInfo.kind],
      files: true,
      revision: 'chosen',
    },
  },
  sources: () => ({ methodStatement, riskAssessment }),
  begunFrom: valuesFromSource,
  shared: true,
  byPaper: true,
  reviewMonths: 12,
  pdf: { template: 'src/modules/safety/rams/rams-pack.typ', body: toRamsPdfBody },
  problems: (record: Values) =>
    toRowObjects(record.papers).length ? [] : [violation('papers', 'Please choose the documents for the pack')],
  confirms: ['papers'],
  blank: () => ({ papers: [] }),
})
