import { PNG } from 'pngjs'
import type { RiskAssessmentPdfBody } from '#modules/safety/risk/pdf-body.ts'
import type { ToolboxTalkPdfBody } from '#modules/safety/talks/pdf-body.ts'
import type { DocumentFrame } from '#server/pdf/furniture.ts'

/** Makes a picture of a gradient with a band, as a base64 PNG; each `seed` gives a different picture. */
export function makeGradientPicture(seed: number, width = 320, height = 200): string {
  const png = new PNG({ width, height })
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const band = Math.abs(y - height / 2 - 40 * Math.sin((x + seed * 90) / 50)) < 12
      const shade = [60 + seed * 40, 110 + (y / height) * 80, 150 + (x / width) * 60]
      png.data.set([...(band ? [249, 168, 0] : shade), 255], (y * width + x) * 4)
    }
  return PNG.sync.write(png).toString('base64')
}

/** Makes a signature line that looks as if it was drawn with a finger. */
const scrawl = (seed: number): [number, number][][] => [
  Array.from({ length: 60 }, (_, i): [number, number] => [
    15 + i * 4.2,
    45 + 24 * Math.sin(i / (2.2 + seed * 0.6)) * Math.cos(i / (9 - seed)) - i * 0.2,
  ]),
  [
    [20, 74],
    [150 + seed * 25, 68],
  ],
]

export const sampleDocumentFrame: DocumentFrame = {
  number: 'RA-0042',
  revision: 3,
  state: 'current',
  kindName: 'Risk assessment',
  title: 'Replacing roof sheets at Harbour View primary school',
  client: {
    name: 'Brick & Beam Construction Ltd',
    address: 'Unit 7, Tannery Lane\nNorwich\nNR3 1AA',
    logo: { base64: makeGradientPicture(0, 200, 80), alt: 'Brick & Beam Construction Ltd' },
  },
  brand: { name: 'Northgate Safety Partners' },
  author: 'Priya Raman',
  createdOn: '2026-02-02T09:12:00Z',
  completedOn: '2026-02-20T16:40:00Z',
  approvedBy: 'Owen Pritchard',
  approvedOn: '2026-02-23T08:05:00Z',
  reviewDue: '2027-02-23',
  reason: 'Netting instead of harnesses over the hall, after the near miss of 14 January.',
  asOf: '2026-06-24T06:45:00Z',
  seal: '3f9a21c07be4d58a6610c2f4e9b7d3a85c1e0f7742ab96d3e8f05b1c4d7a29e6',
  signatures: [
    {
      name: 'Owen Pritchard',
      at: '2026-02-23T08:05:00Z',
      method: 'finger',
      strokes: [...scrawl(1), []],
      width: 300,
      height: 90,
      statement: 'I have read this assessment and will see that its controls are in place.',
    },
    { name: 'Małgorzata Kowalczyk', at: '2026-06-24T06:45:00Z', method: 'typed' },
    {
      name: 'Dafydd ap Rhys',
      at: '2026-02-24T06:52:00Z',
      method: 'on behalf',
      by: 'Owen Pritchard',
      strokes: scrawl(3),
      width: 300,
      height: 90,
    },
  ],
  history: [
    {
      revision: 3,
      state: 'Current',
      on: '2026-02-23',
      by: 'Owen Pritchard',
      note: 'Netting instead of harnesses over the hall.',
    },
    { revision: 2, state: 'Replaced', on: '2025-11-04', by: 'Owen Pritchard' },
    { revision: 1, state: 'Replaced', on: '2025-03-19', by: 'Priya Raman', note: 'First issue.' },
  ],
}

const named = (...names: string[]) => names.map((name, i) => ({ value: i + 1, name }))
const scales: RiskAssessmentPdfBody['scales'] = {
  probability: named('Highly Unlikely', 'Unlikely', 'Possible', 'Probable', 'Certain'),
  severity: named('Trivial', 'Minor', 'Over 3 Day Injury', 'Major Injury', 'Incapacity or Death'),
  bands: [
    { from: 1, to: 4, name: 'Low', level: 'safe' },
    { from: 5, to: 9, name: 'Medium', level: 'attention' },
    { from: 10, to: 14, name: 'High', level: 'danger' },
    { from: 15, to: 25, name: 'Very high', level: 'worst' },
  ],
}

const hazards: RiskAssessmentPdfBody['hazards'] = [
  {
    group: 'Working at height',
    name: 'Falls through fragile roof sheets',
    description: {
      html: '<p>Sheets of the hall roof date from <strong>1974</strong> and carry nobody. Rooflights are painted over and <em>can’t be seen</em> from above.</p>',
    },
    personsAtRisk: ['Employees', 'Contractors'],
    responsible: 'Dafydd ap Rhys',
    initial: { probability: 4, severity: 5 },
    residual: { probability: 1, severity: 5 },
    controls: [
      {
        level: 'ppe',
        name: 'Full body harness during set-up, clipped to the temporary line',
        responsibility: 'Every operative',
        implemented: false,
        plannedFor: '2026-07-24',
      },
      {
        level: 'eliminate',
        name: 'Lift new sheets from a mobile platform: nobody stands on the roof',
        responsibility: 'Site manager',
        implemented: true,
      },
      {
        level: 'engineering',
        name: 'Safety netting under the whole hall, tested before each shift',
        description: 'To BS EN 1263; a competent person signs the handover certificate after each move.',
        responsibility: 'Netting contractor',
        implemented: true,
      },
      { level: 'administrative', name: 'Permit to work; nobody below during lifts', implemented: true },
    ],
  },
  {
    group: 'Substances',
    name: 'Asbestos cement dust from old sheets',
    description: 'Broken or drilled sheets release fibres.\nRegister AR-17 lists where.',
    personsAtRisk: ['Employees', 'School staff', 'Children'],
    initial: { probability: 3, severity: 5 },
    residual: { probability: 1, severity: 4 },
    controls: [
      {
        level: 'substitute',
        name: 'Sheets taken off whole by a licensed contractor',
        responsibility: 'Main contractor',
        implemented: true,
      },
      { level: 'engineering', name: 'Wetting and shadow vacuuming', implemented: false },
      { level: 'ppe', name: 'FFP3 masks, face-fit tested', responsibility: 'Every operative', implemented: true },
    ],
  },
  {
    group: 'Manual handling',
    name: 'Sharp edges of new sheets',
    initial: { probability: 3, severity: 2 },
    residual: { probability: 2, severity: 2 },
    personsAtRisk: ['Employees'],
    controls: [{ level: 'ppe', name: 'Cut-resistant gloves, EN 388 level C', implemented: true }],
    ppeAloneReason: 'The edges come with the product; the maker offers no folded version of this profile.',
  },
  { group: 'Site traffic', name: 'Deliveries while children arrive', controls: [] },
  {
    group: 'Lifting',
    name: 'Load slips from the crane over the playground',
    personsAtRisk: ['Employees', 'Members of the public'],
    initial: { probability: 3, severity: 4 },
    residual: { probability: 1, severity: 4 },
    controls: [
      {
        level: 'administrative',
        name: 'Lifting plan by an appointed person; one slinger signals',
        responsibility: 'Main contractor',
        implemented: true,
      },
      { level: 'engineering', name: 'Stillages with side nets in place of slings round bundles', implemented: true },
    ],
  },
  {
    group: 'Weather',
    name: 'Wind takes a loose sheet',
    initial: { probability: 4, severity: 4 },
    residual: { probability: 2, severity: 4 },
    personsAtRisk: ['Employees', 'Members of the public'],
    controls: [
      {
        level: 'eliminate',
        name: 'No sheets handled above 17 mph, by the anemometer on the crane',
        responsibility: 'Site manager',
        implemented: true,
      },
      { level: 'administrative', name: 'Stacks strapped whenever nobody works at them', implemented: false },
    ],
  },
]

export const sampleRisk: RiskAssessmentPdfBody = {
  job: {
    project: 'Harbour View summer works',
    location: 'Main hall roof',
    siteAddress: 'Harbour View Primary School\n12 Quay Road\nGreat Yarmouth NR30 3AB',
    startDate: '2026-07-27',
    duration: '3 weeks',
    mainContractor: 'Brick & Beam Construction Ltd',
    clientContact: 'Ms A. Okafor, 01632 960 118',
    jobNumber: 'BB-2291',
    internalJobReference: 'HV/R/3',
    firstAider: 'Dafydd ap Rhys',
    equipment: 'Mobile platform, 40 t crane with stillages, cordless nibblers, class H vacuum.',
    personsAffected: 14,
    groupsAffected: ['Employees', 'Contractors', 'School staff', 'Members of the public'],
    industry: 'Construction',
  },
  peopleNote: {
    html: '<p>Take off 420 m² of profiled sheets and fit insulated steel sheets. The school is <strong>closed to pupils</strong>, but:</p><ul><li>the kitchen serves a holiday club until noon;</li><li>the caretaker’s house stays lived in.</li></ul><blockquote>Nobody goes on the roof without today’s permit.</blockquote>',
  },
  scales,
  hazards,
  ppe: [
    { label: 'Safety helmet (hard hat)', iso7010: 'M014', standard: 'EN 397' },
    { label: 'Safety boots with toecap and midsole (S3)', iso7010: 'M008', standard: 'EN ISO 20345' },
    { label: 'Cut-resistant gloves', iso7010: 'M009', standard: 'EN 388' },
    { label: 'High-visibility jacket', iso7010: 'M015', standard: 'EN ISO 20471 / EN 343' },
    { label: 'Disposable dust mask FFP3', iso7010: 'M017', standard: 'EN 149' },
    { label: 'Full body harness', iso7010: 'M018', standard: 'EN 361' },
    { label: 'Safety glasses', iso7010: 'M004', standard: 'EN 166' },
    { label: 'Ear defenders', iso7010: 'M003', standard: 'EN 352-1' },
    { label: 'Knee pads', image: 'knee-pads', iso7010: null, standard: 'EN 14404' },
    { label: 'Welding screen', iso7010: null },
  ],
  methodStatement: {
    statements: [
      {
        heading: 'Access',
        text: { html: '<p>By the north gate only. Platform and crane stand on the <u>lower playground</u>.</p>' },
      },
      {
        heading: 'Waste',
        text: {
          html: '<ol><li>Wrap sheets on the platform.</li><li>Load them <b>straight</b> into the locked skip.</li></ol>',
        },
      },
    ],
    tasks: [
      {
        name: 'Set up exclusion zone and signs',
        description: { html: '<p>Fence the playground; walk the zone with the caretaker.</p>' },
      },
      { name: 'Hang and test netting' },
      {
        name: 'Take off old sheets, bay by bay',
        description: { html: '<p>Never more than one bay open. Stop above <strong>17 mph</strong>.</p>' },
      },
      { name: 'Fit new sheets and rooflights' },
    ],
    emergencyContacts: [
      { name: 'Dafydd ap Rhys', role: 'First aider', phone: '07700 900 142' },
      { name: 'Great Yarmouth fire station', role: 'Rescue at height', phone: '999' },
    ],
  },
  images: [
    {
      base64: makeGradientPicture(1),
      alt: 'The hall roof from the north, with the painted rooflights marked',
      caption: 'Painted rooflights, north slope',
    },
    {
      base64: makeGradientPicture(3, 200, 260),
      alt: 'The lower playground with the crane’s place',
      caption: 'Where the crane stands',
    },
  ],
}

export const sampleTalk: { furniture: DocumentFrame; body: ToolboxTalkPdfBody } = {
  furniture: {
    ...sampleDocumentFrame,
    number: 'TBT-0007',
    revision: 1,
    kindName: 'Toolbox talk',
    title: 'Working under lifted loads',
    reviewDue: '2027-01-10',
    signatures: [],
    history: sampleDocumentFrame.history.slice(2),
  },
  body: {
    introduction: {
      html: '<p>Last month a sling slipped on a site like ours. Nobody stood below, because of what we go through today.</p>',
    },
    points: [
      { text: { html: '<p><strong>Nobody under the load.</strong> Not for a second, not to catch a tag line.</p>' } },
      { text: { html: '<p>One slinger gives signals. <em>Anybody</em> may shout stop.</p>' } },
      {
        text: {
          html: '<p>Look at every sling before every lift:</p><ul><li>label legible</li><li>no cuts, no knots</li><li>hook closes</li></ul>',
        },
      },
      { text: { html: '<p>Wind above 17 mph: sheets stay on the ground.</p>' } },
    ],
    presented: {
      record: 'No. 12',
      closed: true,
      recordedBy: 'Priya Raman',
      notes: 'The sling register was missing from the cabin; Owen brings a copy.',
      presenter: 'Dafydd ap Rhys',
      place: 'Site cabin, Harbour View',
      date: '2026-07-28',
      start: '07:30',
      finish: '07:45',
      heard: '7 of 9 signed, 1 absent',
      attendees: [
        {
          ...sampleDocumentFrame.signatures[0]!,
          statement: 'I was there, and I have understood it.',
          at: '2026-07-28T06:46:00Z',
        },
        ...['Amina Yusuf', 'Tomasz Nowak', 'Seán Ó Briain', 'Nguyễn Thị Hoa', 'Chidi Eze'].map((name, i) => ({
          name,
          at: '2026-07-28T06:46:00Z',
          method: 'finger' as const,
          strokes: scrawl(i),
          width: 300,
          height: 90,
        })),
        { name: 'Małgorzata Kowalczyk', at: '2026-07-28T06:47:00Z', method: 'typed' as const },
      ],
      absentees: [{ name: 'Kerry Lang', reason: 'Annual leave' }],
      unsigned: [{ name: 'Jo Ashby', employer: 'Scaffolder, Apex Access Ltd' }],
    },
  },
}

const long =
  'Removal, wrapping and disposal of profiled asbestos cement roof sheets over the occupied kitchen wing, with temporary weathering, netting, edge protection and crane lifts across the lower playground '
const unbroken = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2)

/** An assessment with unusual input: code, titles of maximum length, very long words, right-to-left text and emoji. */
export const edgeCaseRisk: { furniture: DocumentFrame; body: RiskAssessmentPdfBody } = {
  furniture: {
    ...sampleDocumentFrame,
    number: 'RA-0043-TEMPORARY-0000000000000000001',
    state: 'draft',
    title: `#sys.inputs *bold* $math$ <script> ${long}${unbroken} ${long}`.slice(0, 500),
    client: { name: 'مقاولات النخيل للبناء والصيانة' },
    reason: undefined,
    asOf: undefined,
    brand: { name: '#panic("brand") & Partners', primary: 'javascript:alert(1)' },
    author: 'אברהם כהן',
    completedOn: undefined,
    approvedBy: undefined,
    approvedOn: undefined,
    reviewDue: undefined,
    seal: undefined,
    signatures: [{ name: 'אברהם כהן', at: '2026-02-24T06:52:00Z', method: 'on behalf', by: 'مريم' }],
    history: [],
  },
  body: {
    ...sampleRisk,
    job: { project: 'مشروع الميناء 2026', location: 'שער צפוני', siteAddress: unbroken },
    peopleNote: {
      html: '<p>يجب ارتداء الخوذة في جميع الأوقات.</p><p>יש לחבוש קסדה בכל עת.</p><p>Wear it 👷 near 🔥 and ⚠️; stop 🛑 at once. #let x = 1; *not bold* $x^2$ @ref &lt;label&gt; \\ `code`</p><ul><li>one<ul><li>two<ol><li>three</li></ol></li></ul></li></ul>',
    },
    hazards: [
      {
        group: unbroken,
        name: '*Slips* on #wet floors — السقوط',
        description: unbroken,
        personsAtRisk: [unbroken, 'العمال'],
        initial: { probability: 5, severity: 5 },
        controls: [{ level: 'ppe', name: unbroken, responsibility: unbroken, implemented: false }],
        ppeAloneReason: unbroken,
      },
    ],
    ppe: [{ label: '#strong[Boots]', iso7010: '../../../package' }, { label: '🦺' }],
    methodStatement: undefined,
    images: [],
  },
}

/** An assessment of a hundred times the usual size. */
export const largeRisk: RiskAssessmentPdfBody = {
  ...sampleRisk,
  hazards: Array.from({ length: 300 }, (_, i) => {
    const h = hazards[i % hazards.length]!
    return { ...h, name: `${h.name}, bay ${i + 1}` }
  }),
}

/** An assessment as large as a careful company might write. */
export const riskWithFortyHazards: RiskAssessmentPdfBody = { ...largeRisk, hazards: largeRisk.hazards.slice(0, 40) }

/** An assessment rated with a company's custom words and bands, each of maximum length. */
export const riskWithCustomBands: RiskAssessmentPdfBody = {
  job: {},
  scales: {
    probability: named(
      'Once in a working life',
      'Once in ten years',
      'Each year',
      'Each month or more often, with no warning',
      'Daily',
    ),
    severity: named(
      'Scratch',
      'First aid',
      'Some days away from work',
      'Lasting harm to one or several persons',
      'Death',
    ),
    bands: [
      { from: 1, to: 2, name: 'Trivial', level: 'safe', rule: 'No further action required.' },
      { from: 3, to: 5, name: 'Tolerable', level: 'safe', rule: 'Watch that the controls stay in place.' },
      {
        from: 6,
        to: 9,
        name: 'Moderate',
        level: 'attention',
        rule: 'Reduce within a month, and name the person responsible.',
      },
      { from: 10, to: 14, name: 'Substantial', level: 'danger', rule: 'Reduce before work begins.' },
      {
        from: 15,
        to: 25,
        name: 'Intolerable without exception',
        level: 'worst',
        rule: 'Stop the work, and call the director on duty at once.',
      },
    ],
  },
  hazards: largeRisk.hazards.slice(0, 2),
  ppe: [],
  images: [],
}

export const emptyRisk: RiskAssessmentPdfBody = { job: {}, scales, hazards: [], ppe: [], images: [] }

/** An assessment with all fields present but empty. */
export const blankRisk: RiskAssessmentPdfBody = {
  ...emptyRisk,
  peopleNote: { html: '<p> </p>' },
  hazards: [
    {
      name: '',
      description: { html: '' },
      personsAtRisk: [],
      controls: [{ level: 'ppe', name: '', implemented: false }],
    },
  ],
  ppe: [{ label: '', iso7010: 'M014' }, { label: '' }],
  methodStatement: {
    statements: [{ heading: '', text: { html: '' } }],
    tasks: [{ name: '', description: { html: '' } }],
    emergencyContacts: [{ name: '', phone: '' }],
  },
}

/** A provider's template, as clients print it before they use it. */
export const offeredTemplate = {
  ...sampleDocumentFrame,
  number: 'RA-0007',
  revision: 1,
  author: 'Stanchion',
  template: 'Template. Not a risk assessment until a competent person has confirmed it for the job.',
  signatures: [],
} satisfies DocumentFrame

/** The sample without answers about whether controls are in place. */
export const templateRisk: typeof sampleRisk = {
  ...sampleRisk,
  hazards: sampleRisk.hazards.map((hazard) => ({
    ...hazard,
    controls: hazard.controls.map(({ implemented: _implemented, plannedFor: _plannedFor, ...control }) => control),
  })),
  images: [],
}
