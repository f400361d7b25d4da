import { defineEvidence } from '#kernel/evidence.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { customFormAnswer, customFormVersion } from './custom-form.ts'

const VERSION = ['form_id', 'number', 'title', 'schema', 'digest', 'author', 'created_at']
const ANSWER = [
  'number',
  'form_id',
  'version_id',
  'title',
  'answers',
  'digest',
  'points',
  'out_of',
  'percent',
  'result',
  'author',
  'created_at',
]

/** Seals published form versions and completed forms. */
export const customFormEvidence = [
  defineEvidence({
    of: customFormVersion,
    named: ({ number, title }) => `Version ${String(number)} of the form "${String(title)}"`,
    claims: 'true',
    rows: [],
    events: { 'form published': { columns: VERSION }, adopted: { columns: VERSION } },
    columns: { form_id: 'form', schema: 'questions' },
  }),
  defineEvidence({
    of: customFormAnswer,
    named: ({ number, title }) => `${String(number)} "${String(title)}"`,
    claims: 'true',
    rows: [],
    uploads: uploadedDocument,
    events: { 'form filled in': { columns: ANSWER, files: true }, adopted: { columns: ANSWER, files: true } },
    columns: { form_id: 'form', version_id: 'version of the form', out_of: 'available points' },
  }),
] as const
