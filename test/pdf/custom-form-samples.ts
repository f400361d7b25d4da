import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { toCompletedFormPdfInput } from '#modules/safety/custom-forms/pdf-body.ts'
import { SAMPLE_FORMS } from '#modules/safety/custom-forms/samples.ts'
import type { DocumentFrame } from '#server/pdf/furniture.ts'
import { makeGradientPicture, sampleDocumentFrame } from './samples.ts'

const [scaffold, , , snags] = SAMPLE_FORMS
const AT = '2026-07-28T06:46:00Z'
const FILE = '/api/safety/uploaded_documents/31'
const drawn = {
  name: 'Owen Pritchard',
  method: 'finger',
  strokes: [
    [
      [0.1, 0.7],
      [0.3, 0.2],
      [0.5, 0.8],
      [0.9, 0.3],
    ],
  ],
  width: 300,
  height: 90,
}
const about: DocumentFrame = {
  ...sampleDocumentFrame,
  number: 'FA-0012',
  revision: 2,
  kindName: 'Completed form',
  title: 'Weekly scaffold check',
  author: 'Owen Pritchard',
  createdOn: AT,
  completedOn: AT,
  signatures: [],
  history: [],
}

const checks = ['base', 'standards', 'bracing', 'ties', 'boards', 'guardrails', 'toeboards', 'access', 'load']

/** A check with one fault, answers entered together, a picture and a drawn signature. */
export const scaffoldCheck = {
  furniture: about,
  body: {
    ...toCompletedFormPdfInput(
      scaffold?.schema as FormSchema,
      {
        site: 'Harbour View primary school',
        place: 'North face, lifts 1 to 4',
        tag: 'HV-07',
        wind: true,
        ...Object.fromEntries(checks.map((name) => [name, 'ok'])),
        load: 'na',
        ties: 'defect',
        tiesDefect: 'One tie at the second lift was loose. Tightened the same morning, and checked again.',
        tiesPhoto: [FILE],
        signature: drawn,
      },
      [{ id: 31, base64: makeGradientPicture(1, 60, 40), alt: 'The tie, tightened', caption: 'The tie, tightened' }],
      AT,
      [{ at: '2026-07-28T06:41:00Z', questions: ['base', 'standards', 'bracing'] }],
    ),
    score: '7 of 8 (87%)',
    result: 'Failed',
    pass: '100%',
  },
}

/** A form with rows and without points. */
export const snagList = {
  furniture: { ...about, title: 'Snag list at handover' },
  body: {
    ...toCompletedFormPdfInput(
      snags?.schema as FormSchema,
      {
        site: 'Harbour View primary school',
        area: 'Hall',
        date: '2026-07-28',
        snags: [
          { what: 'Cable tray over the stage has no end cap', who: 'Northgate Electrical', by: '2026-08-04' },
          { what: 'Roof sheet 14: sealant missing', who: 'Brightside Roofing', by: '2026-08-01' },
        ],
        signature: { name: 'Priya Raman', method: 'typed', strokes: [], width: 0, height: 0 },
      },
      [],
      AT,
    ),
    score: '',
    result: '',
    pass: '',
  },
}

/** Makes a body for the form's template, with these questions and answers. */
export const makeAnswerBody = (schema: FormSchema, answers: Values) => ({
  ...toCompletedFormPdfInput(schema, answers, [], AT),
  score: '',
  result: '',
  pass: '',
})
