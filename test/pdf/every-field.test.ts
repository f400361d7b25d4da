import { afterAll, expect, test } from 'vitest'
import type { Field } from '#kernel/fields.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { CUSTOM_FORM_FIELD_KINDS } from '#kernel/forms/read-form.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import type { Resource } from '#kernel/resource.ts'
import { coshhForm } from '#modules/safety/coshh/form.ts'
import { toCoshhPdfInput } from '#modules/safety/coshh/pdf-body.ts'
import { methodStatementForm } from '#modules/safety/methods/form.ts'
import { toMethodStatementPdfInput } from '#modules/safety/methods/pdf-body.ts'
import { policyForm, toPolicyPdfBody } from '#modules/safety/policies/policy.ts'
import { ramsForm, toRamsPdfBody } from '#modules/safety/rams/rams-pack.ts'
import { riskAssessmentForm } from '#modules/safety/risk/form.ts'
import { toRiskAssessmentPdfBody } from '#modules/safety/risk/pdf-body.ts'
import { riskItem } from '#modules/safety/risk/risk-assessment.ts'
import { toTalkPdfBody } from '#modules/safety/talks/pdf-body.ts'
import { presentedTalk, talkAttendee, toolboxTalkForm } from '#modules/safety/talks/toolbox-talk.ts'
import { closeAllPools } from '#server/processes/pool.ts'
import { makeAnswerBody } from './custom-form-samples.ts'
import {
  renderAnswerPdf,
  renderAssessmentPdf,
  renderCoshhPdf,
  renderMethodPdf,
  renderPolicyPdf,
  renderRamsPdf,
  renderTalkPdf as talkPaper,
} from './papers.ts'
import { makeGradientPicture, sampleDocumentFrame } from './samples.ts'
import { checkPdfUa } from './ua/check-ua.ts'
import { extractText } from './words.ts'

afterAll(closeAllPools)

type Values = Readonly<Record<string, unknown>>

/** Field values, and the text that a document prints for them. */
interface FilledField {
  readonly value: Values
  readonly words: readonly string[]
}

/**
 * Fields that this test does not fill in, grouped by reason: they are not printed, or they are printed elsewhere or in
 * another form.
 */
const SILENT = [
  ['what it belongs to', 'document presented talk'],
  ['printed by the furniture', 'documentNumber client title'],
  ['its place in a list', 'position'],
  ['where words were picked from, which are printed', 'hazard control'],
  [
    'printed as what it follows from, or as what follows from it',
    'ranking residualRanking judged signed complete late lateSignatures visitor byLink',
  ],
  ['asked about before completion', 'unconfirmed confirmedBy confirmedAt implementedUnknown'],
  ['what is put away is not printed', 'retired retiredWith'],
  ['an account, whose name is printed', 'responsibility author user signer employee presenterEmployee'],
  ['when it was typed', 'createdAt'],
].flatMap(([, names]) => names?.split(' ') ?? [])

const DAY = ['2031-05-06', '6 May 2031'] as const

/** Returns a value for a kind of field, and the text printed for it. Throws for an unknown kind. */
function fillOne(name: string, kind: FormField['kind'] | Field['kind']): readonly [value: unknown, word: string] {
  const said = `Said of ${name}`
  if (['text', 'longText', 'autocomplete', 'person'].includes(kind)) return [said, said]
  if (kind === 'richText') return [`<p>${said}</p>`, said]
  if (kind === 'date') return DAY
  if (kind === 'number') return [4217, '4217']
  if (kind === 'combobox') return [[said], said]
  if (kind === 'emergencyContacts') return [[{ name: said, number: '01632 960 118' }], `${said} 01632 960 118`]
  throw new Error(`nobody has said how ${name} (${kind}) is filled`)
}

const gather = (all: readonly (readonly [string, readonly [unknown, string]])[], own: Values): FilledField => ({
  value: { ...Object.fromEntries(all.map(([name, [value]]) => [name, value])), ...own },
  words: all.map(([, [, word]]) => word),
})

/** Fills in every field of a form, except the given ones. */
const fillForm = ({ steps }: FormSchema, own: Values): FilledField =>
  gather(
    steps
      .flatMap((step) => step.groups.flatMap((group) => group.fields))
      .filter(({ name }) => !(name in own))
      .map(({ name, kind }) => [name, fillOne(name, kind)]),
    own,
  )

/** Fills in every field of a resource, except the given ones and those that are never printed. */
const fillRow = ({ fields }: Resource, own: Values): FilledField =>
  gather(
    Object.entries<Field>(fields)
      .filter(([name]) => !(name in own) && !SILENT.includes(name))
      .map(([name, { kind }]) => [name, fillOne(name, kind)]),
    own,
  )

const images = [{ base64: makeGradientPicture(1, 60, 40), alt: 'Seen from the north', caption: 'Seen from the north' }]
/** Returns the PDF of a document with every field filled in, after checking its accessibility. */
async function filled(paper: Promise<Buffer>): Promise<Buffer> {
  const pdf = await paper
  expect(await checkPdfUa(pdf)).toEqual([])
  return pdf
}
const missing = (printed: string, words: readonly string[]) => words.filter((word) => !printed.includes(word))

test('every field of a risk assessment is printed', async () => {
  const judgement = { probability: 4, severity: 5, residualProbability: 1, residualSeverity: 5, judged: true }
  const line = fillRow(riskItem, { ...judgement, tier: 'engineering', implemented: 'no' })
  const headed = (title: string) => ({ title: `Headed ${title}`, text: `<p>Said under ${title}</p>` })
  const { value, words } = fillForm(riskAssessmentForm, {
    controls: [{ ...line.value, controlName: '', controlDescription: '', tier: null, plannedFor: null }, line.value],
    ppe: [1],
    ppeItems: [{ id: 1, label: 'Gloves of chain', image: '', iso7010: null }],
    methodStatement: {
      defaultStatements: [headed('access')],
      nonDefaultStatements: [headed('waste')],
      taskSelection: [headed('lifting')],
    },
    uploadedDocuments: [],
    associated: [],
    coshh: [],
  })
  const beside = { parentDocumentNumber: 'RA-7777', partial: true, industry: { name: 'Roofing industry' } }
  const printed = await extractText(
    await filled(
      renderAssessmentPdf(sampleDocumentFrame, toRiskAssessmentPdfBody({ ...value, ...beside }, { images })),
    ),
  )
  const expected = [
    ...words.filter((word) => word !== 'Said of description'),
    ...line.words,
    ...['access', 'waste', 'lifting'].flatMap((title) => [`Headed ${title}`, `Said under ${title}`]),
    'Gloves of chain',
    'Roofing industry',
    'RA-7777',
    'Part of the work only',
    'Seen from the north',
  ]
  expect(missing(printed, expected)).toEqual([])
  // The page furniture prints the title.
  expect(printed).toContain(sampleDocumentFrame.title)
})

test('every field of a method statement is printed', async () => {
  const rows = formFieldsIn(methodStatementForm).filter(({ kind }) => kind === 'rows')
  const row = rows.map(
    ({ name, fields = [] }) =>
      [
        name,
        gather(
          fields.flatMap((f) =>
            f.kind === 'uploads' ? [] : [[f.name, fillOne(`${name} ${f.name}`, f.kind)] as const],
          ),
          name === 'sequence' ? { pictures: ['/api/safety/uploaded_documents/31'] } : {},
        ),
      ] as const,
  )
  const headed = (title: string) => ({
    '@id': `/${title}`,
    title: `Headed ${title}`,
    text: `<p>Said under ${title}</p>`,
  })
  const { value, words } = fillForm(methodStatementForm, {
    ...Object.fromEntries(row.map(([name, { value: one }]) => [name, [one]])),
    methodStatement: {
      defaultStatements: [headed('access')],
      nonDefaultStatements: [headed('waste')],
      taskSelection: [headed('lifting')],
    },
    uploadedDocuments: [],
    associated: [],
  })
  const beside = { riskDocumentNumber: 'RA-7777', industry: { name: 'Roofing industry' }, copiedFrom: 'MS-8888' }
  const shown = [...images, { ...images[0]!, id: 31, caption: 'The hook, closed' }]
  const printed = await extractText(
    await filled(
      renderMethodPdf(sampleDocumentFrame, toMethodStatementPdfInput({ ...value, ...beside }, { images: shown })),
    ),
  )
  const expected = [
    ...words.filter((word) => word !== 'Said of description'),
    ...row.flatMap(([, filled]) => filled.words),
    ...['access', 'waste', 'lifting'].flatMap((title) => [`Headed ${title}`, `Said under ${title}`]),
    'RA-7777',
    'MS-8888',
    'Roofing industry',
    'Seen from the north',
    'The hook, closed',
  ]
  expect(missing(printed, expected)).toEqual([])
})

test('every field of a policy is printed', async () => {
  const organisation = [
    { function: 'Fire Warden', person: 'Mo Salim', responsibilities: 'Checks the doors\nCounts people' },
  ]
  const arrangements = [
    { arrangement: '/api/safety/policy_arrangements/3', title: 'Ladders', text: '<p>Tied at the top</p>' },
  ]
  const { value, words } = fillForm(policyForm, { organisation, arrangements, uploadedDocuments: [] })
  const printed = await extractText(
    await filled(renderPolicyPdf(sampleDocumentFrame, toPolicyPdfBody(value, { images }))),
  )
  const expected = [
    ...words.filter((word) => word !== 'Said of title'),
    'Fire Warden',
    'Mo Salim',
    'Checks the doors',
    'Counts people',
    'Ladders',
    'Tied at the top',
    'Seen from the north',
  ]
  expect(missing(printed, expected)).toEqual([])
  const unsaid = await extractText(await renderPolicyPdf(sampleDocumentFrame, toPolicyPdfBody({ organisation: [{}] })))
  expect(missing(unsaid, ['Function Missing', 'Person Missing'])).toEqual([])
})

test('every field of a COSHH assessment is printed', async () => {
  const used = {
    name: 'Said of its name',
    supplier: 'Said of its supplier',
    casNumbers: ['67-64-1 Said of its ingredient', '1330-20-7'],
    firstAidInhalation: 'Said of who breathed it in',
    firstAidSkin: 'Said of skin that it touched',
    firstAidEyes: 'Said of eyes that it touched',
    firstAidIngestion: 'Said of who swallowed it',
    ppeHands: 'Said of its gloves',
    ppeEyes: 'Said of its goggles',
    ppeBreathing: 'Said of its mask',
    ppeBody: 'Said of its coverall',
    form: 'liquid',
    hazardStatements: ['H225', 'H315'],
    precautions: ['P210'],
    pictograms: ['GHS02'],
    signalWord: 'Danger',
    routes: ['inhalation'],
    limits: [
      {
        agent: 'Said of a limit',
        longPpm: 51,
        longMgM3: 191.5,
        shortPpm: 101,
        source: 'EH40/2005',
        confidence: 'high',
        notes: 'Said of its skin note',
      },
    ],
    sheetDate: DAY[0],
    quantity: 47,
    unit: 'l',
    level: 'medium',
    notes: 'Said in its notes',
    approach: 4,
    reason: 'Said of why it is otherwise',
  }
  const worn = {
    id: 8,
    label: 'Said of what is worn',
    coshhValue: 'respirator',
    standard: 'EN 14594',
    image: 'M017',
    detail: 'Said of its filter',
  }
  const { value, words } = fillForm(coshhForm, {
    // A choice is printed as its label.
    frequency: 'Said of frequency',
    duration: 'Said of duration',
    expectant: 'yes',
    young: 'yes',
    surveillance: 'yes',
    monitoring: 'yes',
    adequate: 'actions',
    actions: [{ text: 'Said of an action', owner: 'Said of its owner', due: '2031-07-08' }],
    lev: 'yes',
    levExamined: DAY[0],
    measures: [{ tier: 'extraction', text: 'Said of a measure' }],
    substances: [used],
    worn: [worn],
    uploadedDocuments: [],
  })
  const printed = await extractText(
    await filled(renderCoshhPdf(sampleDocumentFrame, toCoshhPdfInput(value, { images }))),
  )
  const expected = [
    ...words.filter((word) => word !== 'Said of name'),
    'Said of frequency',
    'Said of duration',
    'Said of a measure',
    'Said of its name',
    'Said of its supplier',
    '67-64-1 Said of its ingredient',
    '1330-20-7',
    'Said of who breathed it in',
    'Said of skin that it touched',
    'Said of eyes that it touched',
    'Said of who swallowed it',
    'Said of its gloves',
    'Said of its goggles',
    'Said of its mask',
    'Said of its coverall',
    'H225',
    'H315',
    'P210 Keep away from heat',
    'Danger',
    'Flame',
    'Said of its skin note',
    'Said of its filter',
    'Said of an action',
    'Said of its owner',
    '8 July 2031',
    'Only once the actions below are done',
    '47 l each time',
    'Said of a limit',
    '51 ppm',
    '101 ppm',
    'EH40/2005',
    'Inhalation',
    DAY[1],
    'Said in its notes',
    'Said of why it is otherwise',
    'Said of what is worn',
    'EN 14594',
    'Seen from the north',
  ]
  expect(missing(printed, expected)).toEqual([])
})

test('every field of a talk and of its presentation record is printed', async () => {
  const points = [{ text: 'Said of the first point' }, { text: 'Said of the second point' }]
  const talk = fillForm(toolboxTalkForm, { title: sampleDocumentFrame.title, points, uploadedDocuments: [] })
  const hand = {
    method: 'on behalf',
    strokes: null,
    signedAt: '2031-05-06T08:00:00Z',
    drawnAt: '2031-05-06T06:40:00Z',
    pinCheck: null,
  }
  const signed = fillRow(talkAttendee, { ...hand, late: true, visitor: true })
  const device = fillRow(talkAttendee, {
    ...hand,
    method: 'finger',
    name: 'Who entered a PIN',
    byName: 'Who held the device',
    absence: '',
    pinCheck: 'wrong',
    late: false,
    visitor: false,
    byLink: false,
  })
  const absent = fillRow(talkAttendee, {
    ...hand,
    name: 'Who was away',
    signedAt: null,
    drawnAt: null,
    byName: '',
    absence: 'Off sick',
  })
  const corrected = { place: 'Where it was', reason: 'Said of why', author: 'ada', createdAt: '2031-05-07T08:00:00Z' }
  const record = fillRow(presentedTalk, {
    presenterVisitor: true,
    startTime: '07:30',
    finishTime: '07:45',
    attendees: [signed.value, device.value, absent.value],
    corrections: [{ ...corrected, formerly: { place: 'Where it was said to be' }, recordedBy: 'Who put it right' }],
  })
  const presented = { ...record.value, id: 12, recordedBy: 'Who recorded it' }
  const printed = await extractText(
    await filled(talkPaper(sampleDocumentFrame, toTalkPdfBody(talk.value, { presented, images }))),
  )
  const expected = [
    ...talk.words,
    ...record.words,
    ...signed.words,
    'Who entered a PIN',
    'PIN did not match',
    ...points.map(({ text }) => text),
    '07:30',
    '07:45',
    '6 May 2031, 07:40',
    'received after the record was closed, on 6 May 2031, 09:00',
    'No. 12',
    'Who recorded it',
    '(visitor)',
    'Who was away',
    'Place: Where it was (previously Where it was said to be)',
    'Said of why',
    'Who put it right, 07/05/2031 09:00',
    'Off sick',
    'Seen from the north',
  ]
  expect(missing(printed, expected)).toEqual([])
})

test('every field of the header, footer and other page furniture is printed', async () => {
  const printed = await extractText(await renderAssessmentPdf(sampleDocumentFrame, toRiskAssessmentPdfBody({})))
  const [first, , last] = sampleDocumentFrame.history
  const said = [
    sampleDocumentFrame.reason,
    sampleDocumentFrame.approvedBy,
    sampleDocumentFrame.author,
    first?.note,
    last?.note,
    sampleDocumentFrame.brand.name,
  ]
  const dates = [
    '2 February 2026',
    '20 February 2026, 16:40',
    '23 February 2026, 08:05',
    '23 February 2027',
    '24 June 2026',
  ]
  expect(
    missing(printed, [...said.flatMap((one) => one ?? []), ...dates, 'Signed on behalf by Owen Pritchard']),
  ).toEqual([])
})

test('every field of a RAMS pack is printed', async () => {
  const { value, words } = fillForm(ramsForm, { papers: [] })
  const printed = await extractText(
    await filled(renderRamsPdf(sampleDocumentFrame, toRamsPdfBody({ ...value, copiedFrom: 'RP-8888' }, { images }))),
  )
  const expected = [...words.filter((word) => word !== 'Said of description'), 'RP-8888', 'Seen from the north']
  expect(missing(printed, expected)).toEqual([])
})

test('every kind of answer in a custom form is printed', async () => {
  const said: Readonly<Record<string, readonly [value: unknown, word: string]>> = {
    select: ['b', 'Chosen of a list'],
    combobox: [['Said of several'], 'Said of several'],
    switch: [true, 'Yes'],
    checkbox: [true, 'Yes'],
    dateTime: ['2031-05-06T10:30:00Z', '06/05/2031 11:30'],
    date: ['2031-05-06', '06/05/2031'],
    uploads: [['/api/safety/uploaded_documents/31'], '1 file'],
    signature: [{ name: 'Signed by her', method: 'typed', strokes: [], width: 0, height: 0 }, 'Signed by her'],
    rows: [[{ what: 'Said in a row' }], 'Said in a row'],
  }
  const fields = CUSTOM_FORM_FIELD_KINDS.map(
    (kind): FormField => ({
      name: kind,
      kind,
      label: `Asked for ${kind}`,
      ...(kind === 'select' ? { options: [{ value: 'b', label: 'Chosen of a list', points: 3 }] } : {}),
      ...(kind === 'rows' ? { fields: [{ name: 'what', kind: 'text', label: 'Column what' }] } : {}),
    }),
  )
  const schema: FormSchema = { title: 'T', steps: [{ name: 's', title: 'Every kind', groups: [{ fields }] }] }
  const answers = Object.fromEntries(
    CUSTOM_FORM_FIELD_KINDS.map((kind) => [kind, (said[kind] ?? fillOne(kind, kind))[0]]),
  )
  const printed = await extractText(await filled(renderAnswerPdf(sampleDocumentFrame, makeAnswerBody(schema, answers))))
  const words = CUSTOM_FORM_FIELD_KINDS.map((kind) => (said[kind] ?? fillOne(kind, kind))[1])
  expect(missing(printed, [...words, ...fields.map((f) => f.label), 'Column what', '3 of 3'])).toEqual([])
  const empty = await extractText(await renderAnswerPdf(sampleDocumentFrame, makeAnswerBody(schema, {})))
  expect(empty).toContain('Not answered')
})
