import { f2508Sheet, type SheetReport } from '#modules/incidents/riddor/sheet.ts'
import { renderControlledDocument } from '#server/pdf/furniture.ts'
import { sampleDocumentFrame } from './samples.ts'

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
      sections: f2508Sheet(report, {
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
