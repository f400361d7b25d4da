import type { MethodStatementPdfInput } from '#modules/safety/methods/pdf-body.ts'
import type { DocumentFrame } from '#server/pdf/furniture.ts'
import { edgeCaseRisk, makeGradientPicture, sampleDocumentFrame } from './samples.ts'

const STEPS = [
  ['Arrive and sign in', 'Report to the site manager. Everyone is inducted and taken through this method statement.'],
  [
    'Close the playground',
    'Barriers at both gates, signs in the language of the school, one banksman at the turning place.',
  ],
  ['Check the netting', 'The netting contractor hands over the certificate. Nobody goes up before it is signed.'],
  [
    'Set up the platform',
    'On the marked slabs only. Outriggers on spreader plates; the operator checks wind on the anemometer.',
  ],
  ['Take off the ridge', 'Fixings are cut with snips, not ground. Pieces go into lined bags at once.'],
  [
    'Take off the sheets',
    'Two people to a sheet, from the top down. Sheets stay whole, wetted, and are lowered in the stillage.',
  ],
  ['Wrap and label', 'Double-wrapped, taped, labelled. The licensed carrier signs for every load.'],
  ['Lift the new sheets', 'One slinger gives signals. Nobody beneath, no lift above 17 mph.'],
  ['Fix the new sheets', 'Sheets are fixed the day they come up. Tools are tied on.'],
  ['Fit the flashings', 'From the platform, with gloves of cut level C.'],
  ['Clear and vacuum', 'H-class vacuum only; no sweeping. Bags are sealed before they leave the roof.'],
  ['Hand over leads', 'The site manager walks the area, signs, and the barriers go.'],
] as const

const shown = (i: number) => ({
  base64: makeGradientPicture(i % 3, 160, 120),
  alt: `Picture ${i}`,
  caption: `Where the stillage stands, ${i}`,
})

const statement = (i: number) => ({
  heading: ['Stop work if unsafe', 'Competent people', 'Supervision', 'First aid', 'Welfare', 'Housekeeping'][i % 6]!,
  text: {
    html: '<p>Anyone may stop the job if conditions change or it does not feel safe. Work restarts when the supervisor agrees.</p>',
  },
})

/** Makes a method statement with this many steps. Every fourth step has this many pictures. */
export const makeSampleMethodStatement = ({
  steps,
  pictures = 0,
}: {
  steps: number
  pictures?: number
}): MethodStatementPdfInput => ({
  job: steps
    ? {
        project: 'Harbour View roofs',
        location: 'Hall and kitchen wing',
        siteAddress: 'Harbour View primary school\nQuay Street\nIpswich',
        startDate: '2026-07-20',
        duration: 'Three weeks',
        mainContractor: 'Northern Build plc',
        clientContact: 'Dana Whitfield',
        jobNumber: '1907',
        internalJobReference: 'BB-77',
        firstAider: 'Bethan Davies',
        equipment: 'Mobile platform, stillages, H-class vacuum, hand tools',
        industry: 'Construction',
        begunFrom: 'RA-0042 revision 3',
      }
    : {},
  ...(steps ? { assessment: 'RA-0042', supervisor: 'Owen Pritchard' } : {}),
  emergency: steps
    ? {
        arrangements:
          'Rescue from the roof is by the platform, whose ground controls somebody on the ground can use. If it cannot reach, call 999 and ask for the fire service: rescue from height.',
        assemblyPoint: 'Netball court',
        hospital: 'Ipswich Hospital, Heath Road',
        contacts: [
          { name: 'Owen Pritchard, site manager', phone: '07700 900123' },
          { name: 'Office', phone: '01632 960101' },
          { name: 'School caretaker', phone: '01632 960118' },
        ],
      }
    : { contacts: [] },
  steps: Array.from({ length: steps }, (_, i) => {
    const [name, text] = STEPS[i % STEPS.length]!
    return {
      name,
      text,
      ...(i % 3 === 0 ? { responsible: 'Supervisor' } : {}),
      pictures: i % 4 === 1 ? Array.from({ length: pictures }, (__, n) => shown(n)) : [],
    }
  }),
  plant: steps
    ? [
        { name: 'Mobile elevating platform', checks: 'Thorough examination 3 February 2026' },
        { name: 'H-class vacuum', checks: 'DOP test 11 January 2026' },
        { name: 'Stillages', checks: 'Checked before each lift' },
      ]
    : [],
  permits: steps ? [{ name: 'Roof access', issuer: 'Northern Build plc' }, { name: 'Lifting operation' }] : [],
  people: steps
    ? [
        { name: 'Owen Pritchard', role: 'Supervisor', tickets: 'SMSTS, First aid at work', expires: '2028-03-01' },
        { name: 'Dafydd ap Rhys', role: 'Roofer', tickets: 'CSCS, IPAF', expires: '2027-09-12' },
        { name: 'Two operatives of the licensed contractor', role: 'Removal' },
      ]
    : [],
  statements: steps ? Array.from({ length: 11 }, (_, i) => statement(i)) : [],
  tasks: steps
    ? [
        { name: 'Set up the work area', description: { html: '<p>Barriers, signs, and a way round for others.</p>' } },
        { name: 'Unload and store materials', description: { html: '<p>By machine, on level ground.</p>' } },
      ]
    : [],
  images: [],
})

const about: DocumentFrame = {
  ...sampleDocumentFrame,
  number: 'MS-0007',
  kindName: 'Method statement',
  references: [
    {
      heading: 'Associated Risk Assessments',
      rows: [
        {
          number: 'RA-0042',
          revision: 3,
          title: 'Replacing roof sheets at Harbour View primary school',
          digest: sampleDocumentFrame.seal!,
          on: '2026-02-20T16:40:00Z',
        },
      ],
    },
  ],
}

export const sampleMethodStatement: { furniture: DocumentFrame; body: MethodStatementPdfInput } = {
  furniture: about,
  body: { ...makeSampleMethodStatement({ steps: 12, pictures: 2 }), images: [shown(5)] },
}

const unbroken = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2)

export const edgeCaseMethodStatement: MethodStatementPdfInput = {
  ...makeSampleMethodStatement({ steps: 0 }),
  job: { project: edgeCaseRisk.body.job.project!, location: 'שער צפוני', siteAddress: unbroken },
  supervisor: unbroken,
  emergency: { arrangements: '*not bold* #panic() 👷 near 🔥', contacts: [{ name: unbroken, phone: '#1' }] },
  steps: [
    { name: unbroken, text: `${unbroken}\n#let x = 1; $x^2$`, responsible: 'العمال', pictures: [shown(1)] },
    { name: '', pictures: [] },
  ],
  plant: [{ name: unbroken, checks: unbroken }, { name: '' }],
  permits: [{ name: '#strong[Boots]' }],
  people: [{ name: unbroken, role: unbroken, tickets: unbroken, expires: 'never' }],
  statements: [{ heading: unbroken, text: { html: `<p>${unbroken}</p>` } }],
  tasks: [{ name: '', description: { html: '' } }],
}
