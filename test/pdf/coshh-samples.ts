import { toCoshhPdfInput } from '#modules/safety/coshh/pdf-body.ts'
import { proposeApproachForSubstanceUse, type SubstanceUse } from '#modules/safety/coshh/substances-used.ts'
import { sampleDocumentFrame } from './samples.ts'

const SUBSTANCES: readonly SubstanceUse[] = [
  {
    name: 'Isocyanate two-pack spray paint',
    supplier: 'Kelham Paints',
    casNumbers: ['28182-81-2 Hexamethylene diisocyanate, oligomers', '1330-20-7 Xylene'],
    firstAidInhalation: 'Remove to fresh air and keep at rest. Get medical advice at once if breathing is difficult.',
    firstAidSkin: 'Wash with plenty of soap and water. Take off contaminated clothing.',
    firstAidEyes: 'Rinse for at least 15 minutes, with the eyelids held open.',
    firstAidIngestion: 'Rinse the mouth. Do not induce vomiting.',
    ppeHands: 'Butyl rubber, 0.7 mm, breakthrough time over 480 minutes, EN ISO 374-1.',
    ppeEyes: 'Tightly fitting goggles, EN 166.',
    ppeBreathing: 'Compressed air line breathing apparatus, EN 14594.',
    form: 'aerosol',
    hazardStatements: ['H226', 'H317', 'H332', 'H334', 'H335', 'EUH204'],
    precautions: ['P210', 'P260', 'P280', 'P284', 'P304+P340'],
    pictograms: ['GHS02', 'GHS07', 'GHS08'],
    signalWord: 'Danger',
    routes: ['inhalation', 'skin', 'eyes'],
    limits: [
      { agent: 'Isocyanates, all (as -NCO)', longMgM3: 0.02, shortMgM3: 0.07, source: 'EH40/2005', confidence: 'high' },
      {
        agent: 'Xylene',
        longPpm: 50,
        longMgM3: 220,
        shortPpm: 100,
        shortMgM3: 441,
        source: 'EH40/2005',
        confidence: 'high',
        composed: true,
      },
    ],
    sheetDate: '2025-04-02',
    quantity: 2,
    unit: 'l',
    notes: 'Mixed to the manufacturer’s instructions, no more than the job needs.',
  },
  {
    name: 'Cellulose thinners',
    supplier: 'Kelham Paints',
    form: 'liquid',
    hazardStatements: ['H225', 'H304', 'H315', 'H319', 'H336', 'H361d', 'H373'],
    precautions: ['P210', 'P261', 'P280'],
    pictograms: ['GHS02', 'GHS07', 'GHS08'],
    signalWord: 'Danger',
    routes: ['inhalation', 'skin'],
    limits: [
      {
        agent: 'Toluene',
        longPpm: 50,
        longMgM3: 191,
        shortPpm: 100,
        shortMgM3: 384,
        source: 'EH40/2005',
        confidence: 'high',
      },
    ],
    sheetDate: '2024-11-20',
    quantity: 1,
    unit: 'l',
    level: 'medium',
  },
  {
    name: 'Filler dust from sanding',
    form: 'dust',
    unclassified: false,
    hazardStatements: [],
    routes: ['inhalation'],
    limits: [],
    approach: 2,
    reason: 'Sanders take their own dust off; class M extraction.',
  },
]

const record = {
  name: 'Spraying two-pack paint in the booth',
  process:
    'Paint and hardener are mixed in the mixing room, sprayed in the booth and baked. The booth is cleared before anyone lifts a visor. Guns are washed afterwards.',
  location: 'Body shop, Attercliffe',
  frequency: 'Several times a day',
  duration: '15 minutes to an hour',
  groupsAffected: ['Employees', 'Contractors'],
  personsAffected: 4,
  expectant: 'yes',
  expectantMeasures: 'They do other work while they are expecting or nursing.',
  young: 'no',
  substances: SUBSTANCES.map((used) => ({
    ...used,
    confirmed: used.approach ? '' : proposeApproachForSubstanceUse(used).formula,
  })),
  measures: [
    {
      tier: 'extraction',
      text: 'A booth under negative pressure, with a gauge; its clearance time is on the door.',
    },
    { tier: 'substitute', text: 'Water-based basecoats; two-pack for the lacquer only.' },
    { tier: 'enclose', text: 'Guns are cleaned in an enclosed gun wash.' },
    { tier: 'limit', text: 'Only the sprayer is in the booth until the clearance time has passed.' },
    {
      tier: 'training',
      text: 'Sprayers are trained in isocyanates, the booth and breathing apparatus.',
    },
    { tier: 'monitoring', text: 'Urine is tested for isocyanates once a year.' },
  ],
  lev: 'yes',
  levExamined: '2026-02-11',
  levExaminer: 'Northern Extraction Services',
  worn: [
    { id: 8, label: 'Airline-fed breathing apparatus', coshhValue: 'respirator', standard: 'EN 14594', image: 'M017' },
    {
      id: 20,
      label: 'Nitrile gloves',
      coshhValue: 'gloves',
      standard: 'EN ISO 374-1',
      image: 'M009',
      detail: 'Single-use, changed at each splash and each break.',
    },
    { id: 25, label: 'Coverall', coshhValue: 'clothing', standard: 'EN ISO 13982-1', image: 'M010' },
  ],
  equipmentNotes: 'The visor stays down until the booth is clear; the air supply is tested every 3 months.',
  monitoring: 'yes',
  monitoringReason:
    'The booth can fail without anybody noticing. Urine is tested for isocyanates after spraying, once a year, by occupational health.',
  surveillance: 'yes',
  surveillanceDetails:
    'Lung function tests and a questionnaire at the start, after 6 and 12 weeks and then every year.',
  storage: 'In the flammables store, in closed tins; keep hardener away from water.',
  disposal: 'Mixed residues and filters are removed by a licensed hazardous waste carrier.',
  firstAid:
    'Breathed in: fresh air, sit up; call 999 for wheezing or a tight chest. Eyes: rinse for at least 20 minutes.',
  fire: 'Foam, dry powder or carbon dioxide.',
  spillage: 'Remove ignition sources, leave and ventilate. Wear breathing apparatus and absorb with the spill kit.',
  emergency: 'If the booth fails: stop spraying, keep the visor down and leave.',
  emergencyContact: [{ name: 'Site manager', number: '07700 900123' }],
  adequate: 'actions',
  adequateReason:
    'Results of the last two years are below the guidance value. The gauge of the booth is read daily. Sanding dust is taken off at the tool, but its extraction is due for examination.',
  actions: [
    { text: 'Have the sanders’ extraction examined.', owner: 'Rhys Ellis', due: '2026-04-30' },
    { text: 'Ask for a dated data sheet of the filler.', owner: 'Ann Marsh', due: '2026-04-10' },
  ],
}

/** An assessment of three substances, including one that needs an expert and one that is unknown. */
export const sampleCoshh = {
  furniture: {
    ...sampleDocumentFrame,
    number: 'CO-0003',
    kindName: 'COSHH assessment',
    title: record.name,
    signatures: sampleDocumentFrame.signatures.slice(0, 2),
    history: sampleDocumentFrame.history.slice(-1),
  },
  body: toCoshhPdfInput(record),
}

export const emptyCoshh = toCoshhPdfInput({})
