import { describe, expect, test } from 'vitest'
import { DAY, incident, person, type Scene, TODAY, visitor } from '#test/support/incidents.ts'
import { type ReportDuty, screenIncident } from './screening.ts'

const REPORTABLE = 'https://www.hse.gov.uk/riddor/reportable-incidents.htm'
const SPECIFIED = 'https://www.hse.gov.uk/riddor/specified-injuries.htm'
const DEFINITIONS = 'https://www.hse.gov.uk/riddor/key-definitions.htm'
const DISEASES = 'https://www.hse.gov.uk/riddor/occupational-diseases.htm'
const OCCURRENCES = 'https://www.hse.gov.uk/riddor/dangerous-occurrences.htm'
const NOT_REPORTABLE = 'https://www.hse.gov.uk/riddor/do-i-need-to-report.htm'
const WHO = 'https://www.hse.gov.uk/riddor/who-should-report.htm'
const CARE = 'https://www.hse.gov.uk/pubns/hsis1.pdf'
const SCHOOLS = 'https://www.hse.gov.uk/pubns/edis1.pdf'
const GAS = 'https://www.hse.gov.uk/gas/domestic/reporting.htm'
const LAW = 'https://www.legislation.gov.uk/uksi/2013/1471'

const no = (answers: Scene['answers']): Scene => ({ answers })

/** Cases of HSE’s guidance and of the Regulations: source, case, facts, and the kinds of report that are due. */
const CASES: readonly (readonly [source: string, title: string, scene: Scene, due: readonly ReportDuty['kind'][]])[] = [
  [REPORTABLE, 'a worker dies in an accident caused by the work', { people: [person({ harm: 'dead' })] }, ['death']],
  [
    REPORTABLE,
    'a visitor dies because of a collapsed wall of the site',
    { people: [visitor({ harm: 'dead' })] },
    ['death'],
  ],
  [
    REPORTABLE,
    'a worker is killed by an act of violence that arises from the work',
    { people: [person({ harm: 'dead' })] },
    ['death'],
  ],
  [
    REPORTABLE,
    'a suicide at work is no accident',
    { people: [person({ harm: 'dead' })], ...no({ workRelated: 'no' }) },
    [],
  ],
  [
    DEFINITIONS,
    'a worker dies of a heart attack that the work did not cause',
    { people: [person({ harm: 'dead' })], ...no({ workRelated: 'no' }) },
    [],
  ],
  [
    SPECIFIED,
    'a worker breaks a wrist by slipping on an unmarked wet floor',
    { people: [person({ specified: ['a'] })] },
    ['specifiedInjury'],
  ],
  [
    SPECIFIED,
    'a worker breaks a finger and is back after two days',
    { people: [person({ absences: [{ from: '2026-03-03', until: '2026-03-04' }] })] },
    [],
  ],
  [
    SPECIFIED,
    'a saw cuts off the tip of a finger with the bone',
    { people: [person({ specified: ['b'] })] },
    ['specifiedInjury'],
  ],
  [
    SPECIFIED,
    'a chemical splash is expected to reduce the sight of one eye',
    { people: [person({ specified: ['c'] })] },
    ['specifiedInjury'],
  ],
  [
    SPECIFIED,
    'a reversing lorry crushes a chest and damages a lung',
    { people: [person({ specified: ['d'] })] },
    ['specifiedInjury'],
  ],
  [
    SPECIFIED,
    'steam scalds an eighth of a worker’s body',
    { people: [person({ specified: ['e'] })] },
    ['specifiedInjury'],
  ],
  [
    SPECIFIED,
    'hair is caught in a drill, and the scalp is torn and treated in hospital',
    { people: [person({ specified: ['f'] })] },
    ['specifiedInjury'],
  ],
  [
    SPECIFIED,
    'a falling brick knocks a worker unconscious',
    { people: [person({ specified: ['g'] })] },
    ['specifiedInjury'],
  ],
  [SPECIFIED, 'a worker faints without a blow to the head', { people: [person()], ...no({ workRelated: 'no' }) }, []],
  [
    SPECIFIED,
    'a worker in a tank is resuscitated',
    { people: [person({}, { enclosedSpace: 'yes' })] },
    ['specifiedInjury'],
  ],
  [SPECIFIED, 'a worker in a cold store that is no enclosed space gets cold feet', { people: [person()] }, []],
  [
    REPORTABLE,
    'a worker cannot do normal work for eight days in a row',
    { people: [person({ absences: [{ from: '2026-02-23', until: '2026-03-02' }] })], rest: { day: '2026-02-22' } },
    ['overSevenDays'],
  ],
  [
    REPORTABLE,
    'a worker is away for exactly seven days',
    { people: [person({ absences: [{ from: '2026-02-23', until: '2026-03-01' }] })], rest: { day: '2026-02-22' } },
    [],
  ],
  [
    REPORTABLE,
    'a doctor signs a worker off for a month',
    { people: [person({}, { overSevenDays: 'yes' })] },
    ['overSevenDays'],
  ],
  [
    REPORTABLE,
    'a worker does light duties for nine days',
    { people: [person({ absences: [{ from: '2026-02-22', until: '2026-03-02' }] })], rest: { day: '2026-02-21' } },
    ['overSevenDays'],
  ],
  [
    REPORTABLE,
    'a weekend counts towards the days away',
    { people: [person({ absences: [{ from: '2026-02-21', until: '2026-02-28' }] })], rest: { day: '2026-02-20' } },
    ['overSevenDays'],
  ],
  [
    REPORTABLE,
    'a customer trips over a cable in a shop and is taken to hospital for treatment',
    { people: [visitor({}, { takenToHospital: 'yes' })] },
    ['hospital'],
  ],
  [REPORTABLE, 'a visitor goes to hospital the next day by car', { people: [visitor()] }, []],
  [
    REPORTABLE,
    'a visitor is taken to hospital for a check and has no injury',
    { people: [visitor({ harm: 'none' })] },
    [],
  ],
  [
    CARE,
    'a patient falls on hospital premises and breaks a hip',
    { people: [visitor({ specified: ['a'] }, { onHospitalPremises: 'yes' })] },
    ['hospital'],
  ],
  [CARE, 'a patient bruises an arm on hospital premises', { people: [visitor({}, { onHospitalPremises: 'yes' })] }, []],
  [
    CARE,
    'a resident falls from bed although the assessment required rails, and is taken to hospital',
    { people: [visitor({}, { takenToHospital: 'yes' })] },
    ['hospital'],
  ],
  [
    CARE,
    'a resident lies on the floor, and nothing about the work caused it',
    { people: [visitor({}, { takenToHospital: 'yes' })], ...no({ workRelated: 'no' }) },
    [],
  ],
  [
    CARE,
    'a patient is harmed by an operation',
    { people: [visitor({ specified: ['d'] }, { medicalTreatment: 'yes', takenToHospital: 'yes' })] },
    [],
  ],
  [
    CARE,
    'a nurse strains her back moving a patient and is away for ten days',
    { people: [person({}, { overSevenDays: 'yes' })] },
    ['overSevenDays'],
  ],
  [CARE, 'a care worker is stuck by a needle with known hepatitis B', no({ occurrence: 'yes' }), ['occurrence']],
  [CARE, 'a care worker is stuck by a clean needle', {}, []],
  [
    CARE,
    'a patient attacks a nurse and breaks her arm',
    { people: [person({ specified: ['a'] })] },
    ['specifiedInjury'],
  ],
  [
    SCHOOLS,
    'a pupil falls in the playground during normal play and goes to hospital',
    { people: [visitor({}, { takenToHospital: 'yes' })], ...no({ workRelated: 'no' }) },
    [],
  ],
  [
    SCHOOLS,
    'a pupil is hurt by a machine in a design class and is taken to hospital',
    { people: [visitor({}, { takenToHospital: 'yes' })] },
    ['hospital'],
  ],
  [SCHOOLS, 'a teacher breaks a leg on a worn stair', { people: [person({ specified: ['a'] })] }, ['specifiedInjury']],
  [
    SCHOOLS,
    'two colleagues fight about a private matter',
    { people: [person({ specified: ['a'] })], ...no({ workRelated: 'no' }) },
    [],
  ],
  [
    NOT_REPORTABLE,
    'a delivery driver is hurt in a collision on a public road',
    { people: [person({ specified: ['a'] }, { roadVehicle: 'yes', roadException: 'no' })] },
    [],
  ],
  [
    `${LAW}/regulation/14`,
    'a driver is struck by a passing car while unloading',
    { people: [person({ specified: ['a'] }, { roadVehicle: 'yes', roadException: 'yes' })] },
    ['specifiedInjury'],
  ],
  [
    `${LAW}/regulation/14`,
    'a worker who paints road markings is killed by a car',
    { people: [person({ harm: 'dead' }, { roadVehicle: 'yes', roadException: 'yes' })] },
    ['death'],
  ],
  [
    NOT_REPORTABLE,
    'a soldier on duty breaks an arm',
    { people: [person({ specified: ['a'] }, { armedForces: 'yes' })] },
    [],
  ],
  [
    WHO,
    'a self-employed plumber breaks a leg in premises of their own',
    { people: [person({ status: 'selfEmployed', specified: ['a'] }, { ownPremises: 'yes' })] },
    ['specifiedInjury'],
  ],
  [
    WHO,
    'a self-employed person dies in premises of their own',
    { people: [person({ status: 'selfEmployed', harm: 'dead' }, { ownPremises: 'yes' })] },
    [],
  ],
  [
    WHO,
    'a self-employed roofer breaks a leg on our site',
    { people: [person({ status: 'selfEmployed', specified: ['a'] })] },
    ['specifiedInjury'],
  ],
  [
    WHO,
    'an agency worker breaks an arm on our site',
    { people: [person({ status: 'otherEmployer', specified: ['a'] })] },
    ['specifiedInjury'],
  ],
  [
    DISEASES,
    'a doctor diagnoses hand-arm vibration syndrome of a road worker',
    {
      people: [],
      answers: { diseaseFromWork: 'yes' },
      rest: { disease: { kind: 'handArmVibration', diagnosedOn: DAY } },
    },
    ['disease'],
  ],
  [
    DISEASES,
    'a doctor diagnoses dermatitis that comes from a hobby',
    { people: [], rest: { disease: { kind: 'dermatitis', diagnosedOn: DAY } } },
    [],
  ],
  [
    DISEASES,
    'a doctor attributes mesothelioma to asbestos at work',
    { people: [], answers: { diseaseFromWork: 'yes' }, rest: { disease: { kind: 'cancer', diagnosedOn: DAY } } },
    ['disease'],
  ],
  [
    OCCURRENCES,
    'a crane overturns and nobody is hurt',
    { people: [], rest: { occurrences: ['Lifting equipment'] } },
    ['occurrence'],
  ],
  [
    OCCURRENCES,
    'an excavator touches an overhead line and injures its driver',
    { people: [person({ specified: ['e'] })], rest: { occurrences: ['Overhead electric lines'] } },
    ['occurrence', 'specifiedInjury'],
  ],
  [OCCURRENCES, 'a near miss is no listed occurrence', { people: [] }, []],
  [
    GAS,
    'a registered engineer finds a flue that fills a room with fumes',
    { people: [], answers: { gasFitting: 'yes' } },
    ['gas'],
  ],
  [
    `${LAW}/regulation/11`,
    'a customer loses consciousness because of gas from a supplier’s pipe',
    { people: [], answers: { gasSupplier: 'yes' } },
    ['gas'],
  ],
  [
    `${LAW}/regulation/11`,
    'gas that kills a worker is reported as a death only',
    { people: [person({ harm: 'dead' })], answers: { gasSupplier: 'yes' } },
    ['death'],
  ],
  [
    `${LAW}/regulation/6`,
    'an employee dies four months after a broken hip that was reportable',
    { people: [person({ harm: 'dead', specified: ['a'], diedOn: '2026-07-01' })] },
    ['specifiedInjury', 'laterDeath'],
  ],
  [
    `${LAW}/regulation/6`,
    'an employee dies more than a year after a reportable injury',
    { people: [person({ harm: 'dead', specified: ['a'], diedOn: '2027-03-03' })] },
    ['specifiedInjury'],
  ],
]

describe('the screening of HSE’s published cases', () => {
  test.each(CASES)('%s: %s', (_source, _title, scene, due) => {
    const { duties, outcome, questions, reasons } = screenIncident(incident(scene), TODAY)
    expect(questions).toEqual([])
    expect(duties.map(({ kind }) => kind)).toEqual(due)
    expect(outcome).toBe(due.length ? 'reportable' : 'notReportable')
    if (!due.length) expect(reasons.length).toBeGreaterThan(0)
  })
})
