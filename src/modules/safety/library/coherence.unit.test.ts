import { describe, expect, test } from 'vitest'
import { readReferenceFile } from '#server/seed/reference.ts'
import { readRiskTemplates } from './ready-made.server.ts'

// Tests that the parts of each ready-made assessment agree with each other: ratings, people, PPE and tasks.

const templates = readRiskTemplates()
const rated = templates.flatMap((t) => t.hazards.map((h) => ({ ...h, at: `${t.title}: ${h.hazard}` })))
const { statements, tasks }: Readonly<Record<string, readonly { readonly title: string; readonly text: string }[]>> =
  readReferenceFile('method-statement-library.json')

describe('ratings in the library', () => {
  test('controls reduce the likelihood of harm and leave its severity unchanged', () => {
    const wrong = rated.filter((h) => h.residualSeverity !== h.severity || h.residualProbability >= h.probability)
    expect(wrong.map(({ at }) => at)).toEqual([])
  })

  test('a hazard that can kill has the highest severity', () => {
    const kills =
      /\b(?:kills?|killed|killing|drown\w*|cancers?|lethal|fatal\w*|electrocut\w*|mesothelioma)\b|asbestos|\bsilica\b|welding fume|hardwood dust|used engine oil|exhaust fume/i
    const wrong = rated.filter((h) => kills.test(`${h.hazard}. ${h.description}`) && h.severity < 5)
    expect(wrong.map(({ at }) => at)).toEqual([])
  })
})

test('most hazards state who may be harmed by them, instead of naming everybody in the assessment', () => {
  const named = rated.filter((h) => h.persons !== undefined)
  expect(named.length / rated.length).toBeGreaterThan(0.8)
  for (const t of templates)
    expect([t.title, t.hazards.filter((h) => h.persons === t.persons).map((h) => h.hazard)]).toEqual([t.title, []])
})

test('controls are described in sentences: hardly any description has six words or fewer', () => {
  const all = rated.flatMap((h) => h.controls.map(({ description }) => description))
  const short = all.filter((description) => description.split(/\s+/).length <= 6)
  expect(short.length / all.length).toBeLessThan(0.01)
})

const HELMETS = ['Safety helmet (hard hat)', 'Climbing helmet with chin strap']
const EYES = ['Safety glasses', 'Safety goggles', 'Face shield']
const EARS = ['Ear defenders', 'Ear plugs']
const HIGH_VISIBILITY = ['High-visibility waistcoat', 'High-visibility jacket']
const MASKS = [
  'FFP2 disposable respirator (face-fit tested)',
  'FFP3 disposable respirator (face-fit tested)',
  'Half-mask respirator with filters (face-fit tested)',
  'Full-face respirator with filters (face-fit tested)',
  'Powered air respirator hood',
]
const SUPPLIED_AIR = ['Airline-fed breathing apparatus', 'Self-contained breathing apparatus']
const GLOVES = [
  'General handling gloves',
  'Cut-resistant gloves',
  'Chemical-resistant gloves',
  'Heat-resistant gloves',
  'Cold-resistant gloves',
  'Disposable nitrile gloves',
]
const BOOTS = [
  'Safety boots with toecap and midsole (S3)',
  'Safety shoes (S1P)',
  'Safety wellington boots (S5)',
  'Chainsaw boots',
]
const APRONS = ['Plastic or chemical apron', 'Welding jacket and apron']
const OVERALLS = [
  'Disposable coverall (type 5 and 6)',
  'Flame-retardant overalls',
  'Chemical splash suit (type 3 and 4)',
]

/** Words for PPE, and the items that they may mean. */
const WORN: readonly (readonly [words: RegExp, items: readonly string[]])[] = [
  [/\bhelmets?\b|hard hat/i, [...HELMETS, 'Welding helmet, auto-darkening']],
  [/bump cap/i, ['Bump cap']],
  [/\bgoggles\b/i, ['Safety goggles']],
  [/safety glasses|eye protection|face shield over glasses/i, EYES],
  [/face shield|\bvisors?\b/i, ['Face shield']],
  [/ear defenders|ear ?plugs|(?:ear|hearing) protection/i, EARS],
  [/high-visibility/i, HIGH_VISIBILITY],
  [/\bFFP[23]\b|\bP3\b|TH3|half-mask|respirator/i, MASKS],
  [/full-face/i, ['Full-face respirator with filters (face-fit tested)']],
  [/air-fed|breathing apparatus/i, SUPPLIED_AIR],
  [/surgical mask/i, ['Surgical face mask (not a respirator)']],
  [/\bgloves?\b|gauntlets/i, [...GLOVES, 'Electrician’s insulating gloves']],
  [/class 00?\b|insulating gloves/i, ['Electrician’s insulating gloves']],
  [/\bboots\b|toecap|safety shoes/i, BOOTS],
  [/slip-resistant (?:sole|shoes)/i, [...BOOTS, 'Occupational shoes, slip resistant']],
  [/\baprons?\b/i, APRONS],
  [/coveralls?\b|overalls/i, OVERALLS],
  [/waterproofs/i, ['Waterproof jacket and trousers']],
  [/freezer suit|warm coat/i, ['Cold weather clothing']],
  [/chainsaw trousers|type C trousers/i, ['Chainsaw trousers']],
  [/knee ?pads|kneeling pads/i, ['Knee pads']],
  [/hair nets?|snood/i, ['Hair net or beard snood']],
  [/harness/i, ['Full body harness']],
  [/lanyards?/i, ['Energy-absorbing lanyard', 'Retractable fall arrester']],
]

describe('PPE in the library', () => {
  test("PPE named in a control is on its assessment's list", () => {
    const wrong = templates.flatMap((t) =>
      t.hazards.flatMap((h) =>
        h.controls.flatMap(({ name, description }) =>
          WORN.filter(
            ([words, items]) => words.test(`${name}. ${description}`) && !items.some((item) => t.ppe.includes(item)),
          ).map(([words]) => `${t.title}: ${name} (${words.source})`),
        ),
      ),
    )
    expect(wrong).toEqual([])
  })

  test('each item on the list is named in a control or hazard of its assessment', () => {
    const wrong = templates.flatMap((t) => {
      const said = t.hazards.flatMap((h) => [
        h.hazard,
        h.description,
        ...h.controls.flatMap((c) => [c.name, c.description]),
      ])
      const all = said.join(' ')
      return t.ppe
        .filter((item) => !WORN.some(([words, items]) => items.includes(item) && words.test(all)))
        .map((item) => `${t.title}: ${item}`)
    })
    expect(wrong).toEqual([])
  })

  test('no list contains an item twice', () => {
    expect(templates.filter((t) => new Set(t.ppe).size !== t.ppe.length).map(({ title }) => title)).toEqual([])
  })
})

/** Industries whose workers arrive at another company’s premises, set up and leave again. */
const ARRIVING = ['Construction', 'Electrical, plumbing and heating', 'Agriculture and landscaping', 'Cleaning']

/** Industries whose premises hold people who depend on staff to get out. */
const PEOPLE_TO_LEAD_OUT = [
  'Social care',
  'Health care',
  'Education',
  'Childcare and nurseries',
  'Hospitality and catering',
  'Leisure, sport and events',
  'Retail',
  'Charity and community',
]

/** Tasks that make no sense in assessments with these titles. */
const NONSENSE: readonly (readonly [title: RegExp, tasks: readonly string[]])[] = [
  [/asbestos/i, ['Drill and fix to walls', 'Strip out interiors', 'Clear and leave site']],
  [/flat roof|industrial roof/i, ['Strip a roof', 'Tile a roof']],
  [/crane|scaffold/i, ['Drill and fix to walls', 'Strip out interiors']],
]

describe('tasks and emergencies in the library', () => {
  test('an assessment of a running business has no task for setting up a work area or leaving a site', () => {
    const wrong = templates.filter(
      (t) =>
        !ARRIVING.includes(t.industry) &&
        t.tasks.some((one) =>
          ['Set up the work area', 'Unload and store materials', 'Clear and leave site'].includes(one),
        ),
    )
    expect(wrong.map(({ title }) => title)).toEqual([])
  })

  test('a sequence of work includes a task of its own trade', () => {
    const general = ['Set up the work area', 'Unload and store materials', 'Clear and leave site']
    const wrong = templates.filter((t) => t.tasks.length && t.tasks.every((one) => general.includes(one)))
    expect(wrong.map(({ title }) => title)).toEqual([])
    const unknown = templates.flatMap((t) => t.tasks.filter((one) => !tasks?.some(({ title }) => title === one)))
    expect(unknown).toEqual([])
  })

  test('no assessment contains a task that makes no sense in its trade', () => {
    const wrong = templates.flatMap((t) =>
      NONSENSE.flatMap(([title, banned]) => (title.test(t.title) ? banned.filter((one) => t.tasks.includes(one)) : [])),
    )
    expect(wrong).toEqual([])
  })

  test('no task removes the protection of unfinished work or says that services are back on', () => {
    const text = tasks?.find(({ title }) => title === 'Clear and leave site')?.text
    expect(text).not.toMatch(/take down barriers|services are back on/)
    expect(text).toContain('Leave fences, covers, locks and isolations in place on anything unfinished.')
  })

  test('assessments of care, schools and premises with guests have emergency arrangements that suit the premises', () => {
    const wrong = templates.filter((t) => PEOPLE_TO_LEAD_OUT.includes(t.industry) && !t.emergency)
    expect(wrong.map(({ title }) => title)).toEqual([])
    const unknown = templates.flatMap(({ emergency = '' }) =>
      emergency && !statements?.some(({ title }) => title === emergency) ? [emergency] : [],
    )
    expect(unknown).toEqual([])
  })
})
