import type { DocumentKind } from '#modules/documents/types/kind.ts'
import { makeCompleteAssessment } from '../assessments.ts'

const WHOLE: Readonly<Record<string, Record<string, unknown>>> = {
  risk_assessment: makeCompleteAssessment(),
  method_statement: {
    description: 'Roof repairs',
    location: 'Unit 4',
    supervisor: 'Rhys Ellis',
    sequence: [{ title: 'Arrive and sign in' }],
  },
  coshh_assessment: {
    name: 'Cleaning brushes',
    process: 'Brushes are rinsed in a tin of thinners.',
    location: 'Paint store',
    frequency: 'Daily',
    duration: 'Under 15 minutes',
    substances: [
      {
        name: 'Thinners',
        form: 'liquid',
        hazardStatements: ['H302'],
        quantity: 1,
        unit: 'l',
        level: 'medium',
        confirmed: 'Group B (H302) × medium amount × medium volatility = approach 2',
      },
    ],
    groupsAffected: ['Employees'],
    expectant: 'no',
    young: 'no',
    measures: [{ tier: 'ventilation', text: 'The bench with a fan' }],
    lev: 'no',
    monitoring: 'no',
    monitoringReason: 'A few millilitres at a time, beside the fan',
    surveillance: 'no',
    adequate: 'yes',
    adequateReason: 'Small amounts, and the fan takes the vapour away',
    storage: 'In the flammables store',
    disposal: 'By a licensed carrier',
    firstAid: 'Rinse eyes with water',
    fire: 'Foam or carbon dioxide',
    spillage: 'Absorb with granules',
  },
  safety_policy: {
    title: 'Our policy',
    intent: '<p>We look after our people.</p>',
    signatory: 'Anna Brick',
    jobTitle: 'Managing Director',
    signedOn: '2026-11-02',
    organisation: [{ function: 'Site Manager', person: 'Rhys Ellis', responsibilities: 'Runs the site' }],
    arrangements: [{ arrangement: '', title: 'Fire safety', text: '<p>Ways out are kept clear.</p>' }],
  },
  rams_pack: {
    description: 'Roof repairs',
    location: 'Unit 4',
    supervisor: 'Rhys Ellis',
    papers: [{ target: '/api/safety/documents/1', notes: '' }],
  },
  handbook: { title: 'Employee handbook', chapters: [{ title: 'Hours', text: '<p>40 hours a week.</p>' }] },
  management_handbook: { title: 'For managers', chapters: [{ title: 'Absence', text: '<p>Speak to them.</p>' }] },
  toolbox_talk: { title: 'Ladders', points: [{ text: 'Check the feet' }] },
}

/** Makes a body that can be completed, for a document type. Types that are not listed need only a title. */
export const makeCompleteDocumentBody = ({ kind, title }: DocumentKind): Record<string, unknown> =>
  WHOLE[kind] ?? { [title.field]: 'Words' }
