import { describePrintStatus } from '#modules/incidents/printing/print-values.ts'
import { type AccidentRecord, buildAccidentRecordSections } from '#modules/incidents/printing/record-sections.ts'
import {
  type AnonymousIncident,
  buildSummarySections,
  SUMMARY_NOTICE,
} from '#modules/incidents/printing/summary-sections.ts'
import { buildF2508Sheet, type SheetReport } from '#modules/incidents/riddor/sheet.ts'
import { renderControlledDocument } from '#server/pdf/furniture.ts'
import { makeGradientPicture, sampleDocumentFrame } from './samples.ts'

const PRINT = new URL('../../src/modules/incidents/printing/incident-print.typ', import.meta.url)
const SHEET = new URL('../../src/modules/incidents/riddor/f2508-sheet.typ', import.meta.url)

const report: SheetReport = {
  number: 'INC-2026-0007',
  datetime: '2026-07-28T13:40:00Z',
  description:
    'The roofer stepped back from the edge of bay 4 onto a rooflight that was painted over. It gave way, and he fell 4.5 metres into the netting of the bay below.\nThe netting held, but he hit a stanchion with his left arm.',
  addressLine1: 'Harbour View Primary School',
  addressLine2: '12 Quay Road',
  city: 'Great Yarmouth',
  county: 'Norfolk',
  postcode: 'NR30 3AB',
  noPostcode: false,
  internalLocation: 'Main hall roof, bay 4',
  subActivity: '',
  localAuthority: { name: 'Great Yarmouth' },
  department: { name: 'Roofing' },
  workProcess: { description: 'Construction: roofing' },
  mainIndustry: { description: 'Construction' },
  personnel: [
    {
      recordType: 'IP',
      name: 'Dafydd ap Rhys',
      address1: '4 Chapel Row',
      city: 'Norwich',
      county: 'Norfolk',
      postcode: 'NR2 4AA',
      telephone: '01632 960 142',
      mobile: '07700 900 142',
      age: 41,
      sex: 1,
      jobTitle: 'Roofer',
      jobClass: { description: 'Employee' },
      incidentType: { description: 'Fell from a height' },
      fallHeight: 4.5,
      mainFactor: { description: 'Fragile surface' },
      injurySustained: { description: 'Fracture' },
      severity: { description: 'Specified injury (formerly major injury)' },
      bodyPart: { description: 'Arm' },
      description: 'Broken left forearm',
    },
    { recordType: 'WT', name: 'Owen Pritchard' },
  ],
  dangerousOccurrences: [],
}

/** Copy sheet for form F2508, with some fields that were not entered. */
export const renderF2508Sheet = (): Promise<Buffer> =>
  renderControlledDocument({
    template: SHEET,
    furniture: {
      ...sampleDocumentFrame,
      number: report.number,
      revision: 1,
      kindName: 'Copy sheet for form F2508',
      title: `Report of incident ${report.number} to HSE`,
      author: 'Priya Raman',
      createdOn: '2026-07-29T08:00:00Z',
      signatures: [],
      history: [],
    },
    body: {
      sections: buildF2508Sheet(report, {
        name: 'Priya Raman',
        email: 'priya@brickandbeam.example',
        telephone: '',
        organisation: 'Brick & Beam Construction Ltd',
        address: 'Unit 7, Tannery Lane, Norwich, NR3 1AA',
      }),
      reference: '',
      sentOn: '',
      reportBy: '2026-08-07',
    },
  })

const [injured] = report.personnel ?? []
const PEOPLE = [
  {
    ...injured,
    id: 1,
    retired: false,
    dateOfBirth: '1985-03-12',
    commencedEmployment: '2019-09-02',
    payroll: 'P-118',
    riddor: true,
    injuryEffect: [3],
    specified: ['a'],
    absences: [{ from: '2026-07-29' }],
    harm: 'injured',
    answers: { roadVehicle: 'no', armedForces: 'no' },
    statement:
      'I stepped back to make room for the sheet, and the rooflight gave way.\nI did not see it under the paint.',
  },
  {
    id: 2,
    retired: false,
    recordType: 'WT',
    name: 'Owen Pritchard',
    telephone: '01632 960 143',
    statement: 'I heard a crack and saw Dafydd in the netting.',
  },
]

/** The complete record of the sample incident, which is closed and has been amended. */
const sampleRecord = {
  report: {
    ...report,
    nearMiss: false,
    state: 'closed',
    retired: false,
    incidentType: { description: 'RIDDOR - Specified Injury' },
    site: { name: 'Harbour View' },
    nation: 'greatBritain',
    reportedBy: 'Owen Pritchard',
    author: 'owen.pritchard',
    reportedAt: '2026-07-28T14:05:00Z',
    closedAt: '2026-08-20T09:00:00Z',
    actualSeverity: 'major',
    potentialSeverity: 'fatal',
    recurrence: 'possible',
    investigationLevel: 'high',
    immediateCauses: 'The rooflight was not covered or guarded.',
    underlyingCauses: 'The survey of the roof did not mark rooflights that are painted over.',
    rootCauses: 'Roof surveys are done from the ground.',
    prevention: 'Covers over all rooflights before work starts.',
    answers: { workRelated: 'yes', occurrence: 'no' },
    riddorOutcome: 'reportable',
    riddorDecision: 'reportable',
    clockStartedOn: '2026-07-28',
    reportBy: '2026-08-07',
    hseReference: 'F2508-118842',
    hseSentOn: '2026-08-03',
    personnel: PEOPLE,
    dangerousOccurrences: [],
    riskLinks: [
      {
        riskAssessmentDocumentNumber: 'RA-0042',
        description: 'Replacing roof sheets at Harbour View primary school',
        other: '',
      },
    ],
  },
  amendments: [
    {
      text: 'The fall was 4.2 metres, measured on 24 August.',
      reason: 'The height had been estimated.',
      author: 'priya.raman',
      createdAt: '2026-08-25T10:30:00Z',
    },
  ],
  events: [
    { event: 'Reported', notes: '', author: 'owen.pritchard', createdAt: '2026-07-28T14:05:00Z' },
    { event: 'RIDDOR decided', notes: 'Reportable', author: 'priya.raman', createdAt: '2026-08-03T08:10:00Z' },
    { event: 'Closed', notes: 'All measures are in place.', author: 'priya.raman', createdAt: '2026-08-20T09:00:00Z' },
    { event: 'Amended', notes: '', author: 'priya.raman', createdAt: '2026-08-25T10:30:00Z' },
  ],
  decisions: [
    {
      decision: 'reportable',
      reason: '',
      reportBy: '2026-08-07',
      proposal: {
        outcome: 'reportable',
        duties: [
          {
            kind: 'specifiedInjury',
            person: 1,
            regulation: '4(1)(a)',
            isUrgent: true,
            reportBy: '2026-08-07',
            responsible: 'us',
            reason: 'A broken bone was diagnosed by a doctor.',
          },
        ],
        questions: [],
        reasons: [],
        recorded: [],
      },
      author: 'priya.raman',
      createdAt: '2026-08-03T08:10:00Z',
    },
  ],
  sent: [
    {
      reference: 'F2508-118842',
      sentOn: '2026-08-03',
      reportBy: '2026-08-07',
      reason: '',
      author: 'priya.raman',
      createdAt: '2026-08-03T08:40:00Z',
    },
  ],
  actions: [
    {
      number: 'CA-0012',
      description: 'Cover all rooflights of the hall before work goes on.',
      state: 'verified',
      open: false,
      deadline: '2026-07-30',
      managerName: 'Owen Pritchard',
      proof: 'Covers fitted and photographed.',
      completedAt: '2026-07-30T15:00:00Z',
      completedBy: 'owen.pritchard',
      verifiedAt: '2026-07-31T07:45:00Z',
      verifiedBy: 'priya.raman',
    },
  ],
  files: [{ name: 'rooflight.jpg', author: 'owen.pritchard', createdAt: '2026-07-28T14:05:00Z' }],
  effects: new Map([[3, 'Remained in hospital for more than 24 hours']]),
  isBookReader: true,
  today: '2026-08-26',
  nameOf: (username: string | null | undefined) =>
    ({ 'owen.pritchard': 'Owen Pritchard', 'priya.raman': 'Priya Raman' })[username ?? ''] ?? '',
} as unknown as AccidentRecord

type IncidentPart = Pick<AccidentRecord['report'], 'state' | 'retired'>

const renderPrint = (kindName: string, author: string, status: IncidentPart, body: object): Promise<Buffer> =>
  renderControlledDocument({
    template: PRINT,
    furniture: {
      ...sampleDocumentFrame,
      number: report.number,
      revision: 1,
      kindName,
      title: `${kindName} of ${report.number}`,
      author,
      createdOn: '2026-08-26T08:00:00Z',
      signatures: [],
      history: [],
    },
    body: { ...describePrintStatus(status), printed: 'Printed', pictures: [], ...body },
  })

/** Accident record with everything that an incident can have. */
export const renderAccidentRecord = (): Promise<Buffer> =>
  renderPrint('Accident record', 'Priya Raman', sampleRecord.report, {
    sort: 'Confidential: health details',
    sections: buildAccidentRecordSections(sampleRecord),
    pictures: [{ base64: makeGradientPicture(3), alt: 'rooflight.jpg', caption: 'rooflight.jpg' }],
  })

/** Anonymous summary of the same incident before it was closed. */
export const renderIncidentSummary = (status: IncidentPart = { state: 'riddor', retired: false }): Promise<Buffer> =>
  renderPrint('Anonymous summary', '', status, {
    sort: 'Without names and health details',
    notices: [...describePrintStatus(status).notices, SUMMARY_NOTICE],
    sections: buildSummarySections({
      report: { ...sampleRecord.report, ...status },
      people: PEOPLE,
      occurrences: [],
      actions: sampleRecord.actions,
    } as unknown as AnonymousIncident),
  })
