import { violation } from '#kernel/errors.ts'
import { rowsOf } from '#kernel/forms/rows.ts'
import { documentKind } from '#modules/documents/types/kind.ts'
import { coshhInfo } from '../coshh/coshh-info.ts'
import { methodInfo } from '../methods/method-info.ts'
import { methodStatement } from '../methods/method-statement.ts'
import { riskAssessment } from '../risk/risk-assessment.ts'
import { riskInfo } from '../risk/risk-info.ts'
import { jobFound } from '../shared-fields/fields.ts'
import { talkInfo } from '../talks/talk-info.ts'
import { takenFrom } from './begun-from.ts'
import { ramsForm } from './form.ts'
import { ramsPdf } from './pdf-body.ts'
import { ramsInfo } from './rams-info.ts'

type Values = Readonly<Record<string, unknown>>

const ofJob = ({ project, location, jobNumber, mainContractor }: typeof jobFound) => ({
  project,
  location,
  jobNumber,
  mainContractor,
})

/** Risk assessments and method statements of a job, with what goes with them: exact revisions, handed over as one file. */
export const ramsPack = documentKind({
  ...ramsInfo,
  type: 'RamsPack',
  path: 'rams_packs',
  prefix: 'RP',
  title: { field: 'description', label: 'Description', required: 'Please say what the pack is for' },
  schema: ramsForm,
  found: ofJob(jobFound),
  references: {
    papers: {
      label: 'Papers',
      to: [methodInfo.kind, riskInfo.kind, coshhInfo.kind, talkInfo.kind],
      files: true,
      revision: 'chosen',
    },
  },
  sources: () => ({ methodStatement, riskAssessment }),
  begunFrom: takenFrom,
  shared: true,
  byPaper: true,
  reviewMonths: 12,
  pdf: { template: 'src/modules/safety/rams/rams-pack.typ', body: ramsPdf },
  problems: (record: Values) =>
    rowsOf(record.papers).length ? [] : [violation('papers', 'Please choose the papers that belong to the pack')],
  confirms: ['papers'],
  blank: () => ({ papers: [] }),
})
