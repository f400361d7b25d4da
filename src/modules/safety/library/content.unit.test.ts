import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readReferenceFile } from '#server/seed/reference.ts'
import { bandForRisk, DEFAULT_RISK_MATRIX, residualRiskRequirement } from '../risk-matrix/bands.ts'
import { isPpe } from './ppe.ts'
import { type LibraryHazard, readHazardLibrary, readRiskTemplates } from './ready-made.server.ts'

// Tests the ready-made safety content itself for faults that a competent person would otherwise find only by reading it
// all.

interface Law {
  readonly short: string
  readonly name: string
  readonly year: number
  readonly number: string
  readonly inForceFrom: string
  readonly revokedOn: string | null
}
interface Laws {
  readonly checkedOn: string
  readonly laws: readonly Law[]
  readonly guidance: readonly { readonly short: string; readonly title: string; readonly publisher: string }[]
}

const laws: Laws = readReferenceFile('laws.json')
const library = readHazardLibrary()
const templates = readRiskTemplates()
const methods: readonly {
  readonly title: string
  readonly steps: readonly { readonly text: string }[]
  readonly source: readonly string[]
}[] = readReferenceFile('method-templates.json')
const talks: readonly { readonly title: string; readonly points: readonly string[]; readonly source: string[] }[] =
  readReferenceFile('toolbox-talks.json')
const equipment: readonly { readonly label: string; readonly image: string }[] = readReferenceFile('ppe.json').items
const policies = readReferenceFile('policy-library.json')

const rated = templates.flatMap((t) => t.hazards.map((h) => ({ ...h, at: `${t.title}: ${h.hazard}` })))
const rating = (h: (typeof rated)[number]) =>
  `${h.probability}×${h.severity} → ${h.residualProbability}×${h.residualSeverity}`

/** Returns all texts in a value, each with its position. */
function textsIn(value: unknown, at: string): [at: string, text: string][] {
  if (typeof value === 'string') return [[at, value]]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, `${at} ${key}`))
}

const texts = [
  ...textsIn(library, 'library'),
  ...templates.flatMap((t) => textsIn(t, t.title)),
  ...methods.flatMap((m) => textsIn(m, m.title)),
  ...talks.flatMap((t) => textsIn(t, t.title)),
  ...textsIn(policies, 'policies'),
  ...textsIn(readReferenceFile('method-statement-library.json'), 'statements'),
]

/** First words of controls. Every control is an instruction. */
const VERBS = new Set(
  `Absorb Add Adjust Agree Air Allow Anchor Announce Answer Appoint Arrange Ask Assemble Assess Assign Assume
  Avoid Back Bag Ban Bank Bar Barrier Batter Bleed Block Board Bolt Book Brace Break Brief Bring Brush Build Buy
  Call Cancel Cap Carry Catch Change Charge Chase Check Chock Choose Clamp Clean Clear Climb Clip Close Coach
  Collect Come Complete Connect Consign Control Cool Cordon Count Cover Crimp Cross Crush Cut Damp Debrief Decide
  Decontaminate Delay Deliver Demolish Descale Design Dig Dilute Discharge Disconnect Disinfect Dismantle Display
  Dispose Divert Divide Do Dose Double Drain Draw Dress Drill Drive Drop Dry Earth Employ Empty Enclose Encourage
  End Enter Erect Escort Evacuate Examine Exceed Exclude Expect Explain Extract Face Face-fit Feed Fell Fence Fill
  Filter Find Fit Fix Flush Follow Forbid Fork Free Gate Gather Get Give Glaze Go Grip Grit Ground Guard Guide Hand
  Handle Hang Have Heat Help Hire Hoard Hoist Hold Hook Identify Immobilise Include Induct Inflate Inform Inspect
  Install Interlock Investigate Invite Isolate Issue Join Keep Kneel Know Label Land Lay Lead Leave Let Lift Light
  Limit Line List Listen Load Lock Log Look Lower Maintain Make Manage Mark Marshal Mask Match Measure Meet
  Minimise Mix Monitor Mount Move Mow Name Net Neutralise Note Notify Offer Open Operate Order Overclad Pack Pad
  Paint Pair Park Pass Patch Patrol Pay Peg Phone Pipe Place Plan Plane Plug Position Post Pour Practise Prepare
  Press Print Probe Prohibit Prop Protect Prove Provide Prune Pull Pump Purge Push Put Quarantine Raise Re-inspect
  Reach Read Recap Record Recover Reduce Refresh Refuel Refuse Reject Release Remove Renew Repair Replace Report
  Require Rescue Resite Rest Restore Restrain Restrict Return Review Rig Rinse Rope Rotate Route Run Sample Sand
  Save Scan Schedule Score Scrape Screen Screw Seal Search Secure See Sell Send Separate Serve Service Set Share
  Sheet Shield Show Shroud Shut Sign Sit Site Slide Sling Slope Slow Soak Sort Space Specify Split Spray Spread
  Stack Staff Stagger Stand Start Stay Step Sterilise Stop Store Strap Strike Strip Supervise Supply Support Survey
  Swap Sweep Switch Tag Take Talk Tape Teach Tell Test Tether Thaw Throw Tie Tighten Time Tip Tow Trace Train
  Transfer Travel Treat Trim Try Turn Unload Unplug Use Vaccinate Vacuum Vary Ventilate Verify Visit Wait Walk Warn
  Wash Watch Wear Wedge Weigh Weld Wet Wind Wipe Withdraw Work Wrap Write`.split(/\s+/),
)

const toTitleCase = (word = '') => word.slice(0, 1).toUpperCase() + word.slice(1)

/** Returns true if the control is a sentence that begins with a verb in the imperative. */
const isInstruction = (name: string) => {
  const words = name.split(/[\s,]+/)
  return words.length >= 3 && VERBS.has(words[0] === 'Never' ? toTitleCase(words[1]) : (words[0] ?? ''))
}

describe('ready-made risk assessments', () => {
  test('each assessment has at least eight hazards of its own trade, each with at least two described controls', () => {
    for (const t of templates) {
      expect([t.title, t.hazards.length >= 8]).toEqual([t.title, true])
      expect([t.title, new Set(t.hazards.map((h) => h.hazard)).size]).toEqual([t.title, t.hazards.length])
    }
    for (const h of rated) {
      expect([h.at, h.controls.length >= 2, h.description.length > 40]).toEqual([h.at, true, true])
      const silent = h.controls.filter((c) => c.description.length < 15).map((c) => c.name)
      expect([h.at, silent]).toEqual([h.at, []])
    }
  })

  test('hazards are rated individually: no rating is copied from a group or shared by half of an assessment', () => {
    for (const t of templates) {
      const all = t.hazards.map((h) => rating({ ...h, at: '' }))
      const most = Math.max(...all.map((one) => all.filter((other) => other === one).length))
      expect([t.title, most * 2 <= all.length]).toEqual([t.title, true])
      expect([t.title, new Set(all).size >= 4]).toEqual([t.title, true])
      for (const [group, hazards] of Map.groupBy(t.hazards, (h) => h.group))
        if (hazards.length > 2)
          expect([t.title, group, new Set(hazards.map((h) => rating({ ...h, at: '' }))).size > 1]).toEqual([
            t.title,
            group,
            true,
          ])
    }
  })

  test('controls reduce every risk, and no residual risk needs a further measure', () => {
    for (const h of rated) {
      const [before, after] = [h.probability * h.severity, h.residualProbability * h.residualSeverity]
      expect([h.at, after < before, h.residualSeverity <= h.severity]).toEqual([h.at, true, true])
      expect([h.at, residualRiskRequirement(DEFAULT_RISK_MATRIX, after)]).toEqual([h.at, 'none'])
      expect([h.at, bandForRisk(DEFAULT_RISK_MATRIX, h.probability, h.severity).name]).not.toEqual([h.at, 'Low'])
    }
  })

  test('protective equipment is never the only control', () => {
    for (const h of rated) expect([h.at, h.controls.some((c) => c.tier !== 'ppe')]).toEqual([h.at, true])
  })

  test.each(Object.entries(REQUIRED()))(
    'the assessment “%s” has the hazards that are required for its trade',
    (title, asked) => {
      const found = templates.find((t) => t.title === title)
      const named = found?.hazards.map((h) => `${h.hazard}. ${h.description}`) ?? []
      expect(asked.filter((one) => !named.some((words) => one.test(words))).map(String)).toEqual([])
    },
  )
})

describe('ready-made controls', () => {
  const all: readonly LibraryHazard[] = library
  test('every control is an instruction that begins with a verb, not a title', () => {
    const wrong = all.flatMap((h) => h.controls.filter((c) => !isInstruction(c.name)).map((c) => c.name))
    expect([...new Set(wrong)]).toEqual([])
  })

  test('no control says only that people are trained and briefed', () => {
    const wrong = all.flatMap((h) => h.controls.filter((c) => /^train and brief people$/i.test(c.name)))
    expect(wrong).toEqual([])
  })

  test('no two hazards in a group have the same name, and no hazard has the same control twice', () => {
    const names = all.map((h) => `${h.group}/${h.name}`)
    expect(names.filter((one, i) => names.indexOf(one) < i)).toEqual([])
    for (const h of all) {
      const own = h.controls.map((c) => c.name)
      expect([h.name, own.filter((one, i) => own.indexOf(one) < i)]).toEqual([h.name, []])
    }
  })

  test('no two hazards have the same description', () => {
    const words = rated.map((h) => h.description)
    expect(words.filter((one, i) => words.indexOf(one) < i)).toEqual([])
  })
})

describe('law and guidance', () => {
  const known = [...laws.laws.map((l) => l.short), ...laws.guidance.map((g) => g.short)]
  const isKnown = (source: string) => known.some((short) => source === short || source.startsWith(`${short} `))

  test('each law on the list is in force on the day it was checked', () => {
    for (const l of laws.laws) {
      expect(l.inForceFrom).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect([l.short, l.inForceFrom <= laws.checkedOn, l.revokedOn === null || l.revokedOn > laws.checkedOn]).toEqual([
        l.short,
        true,
        true,
      ])
      expect(l.name.endsWith(String(l.year))).toBe(true)
    }
    expect(known.length).toBe(new Set(known).size)
  })

  test('each source of the content is on the list of laws and guidance', () => {
    const others: { readonly title: string; readonly source: readonly string[] }[] = [
      ...methods,
      ...talks,
      ...policies.arrangements,
    ]
    const cited = [
      ...rated.map(({ at, source }) => ({ at, source })),
      ...others.map(({ title, source }) => ({ at: title, source })),
    ]
    const wrong = cited.flatMap(({ at, source }) =>
      source.length ? source.filter((one) => !isKnown(one)) : [`${at} has no source`],
    )
    expect([...new Set(wrong)]).toEqual([])
  })

  test('each law named in a text is on the list, under its full name', () => {
    const names = laws.laws.map((l) => l.name)
    const named =
      /(?:[A-Z][\p{L}’-]+[ ,]+(?:(?:and|at|of|for|in|etc\.|to|with|\([^)]*\))[ ,]+)*)+(?:Regulations|Act|Order) \d{4}/gu
    const wrong = texts.flatMap(([at, text]) =>
      (text.match(named) ?? [])
        .filter((one) => !names.some((name) => name.endsWith(one) || one.endsWith(name)))
        .map((one) => `${at}: ${one}`),
    )
    expect(wrong).toEqual([])
  })
})

describe('ready-made method statements, talks and PPE', () => {
  test('each method statement has at least six described steps, and each talk at least seven points', () => {
    expect([methods.length >= 30, talks.length >= 40]).toEqual([true, true])
    for (const { title, steps } of methods)
      expect([title, steps.length >= 6, steps.filter(({ text }) => text.length < 20)]).toEqual([title, true, []])
    for (const { title, points } of talks) expect([title, points.length >= 7]).toEqual([title, true])
  })

  test('each item of PPE has its own label, and its own picture that PDFs can print', () => {
    const pictures = equipment.map(({ image }) => image)
    expect(new Set(pictures).size).toBe(equipment.length)
    expect(new Set(equipment.map(({ label }) => label)).size).toBe(equipment.length)
    const files = readdirSync(new URL('../../../../db/reference/ppe-signs', import.meta.url))
    expect(pictures.filter((name) => !files.includes(`${name}.svg`))).toEqual([])
    const printed = readFileSync(new URL('../../../server/pdf/parts.typ', import.meta.url), 'utf8')
    expect(pictures.filter((name) => !printed.includes(`"${name}"`))).toEqual([])
  })

  test('equipment that is not worn is not listed as PPE', () => {
    const beside = equipment.filter((item) => !isPpe(item)).map(({ label }) => label)
    expect(beside).toContain('Eyewash bottle')
    expect(beside).toContain('Temporary edge protection (collective)')
    expect(templates.flatMap((t) => t.ppe.filter((label) => beside.includes(label)))).toEqual([])
  })
})

/**
 * Figures that must be the same wherever they are stated: the pattern of the statement, and the only correct figure.
 */
const FIGURES: readonly (readonly [name: string, pattern: RegExp, figures: readonly string[]])[] = [
  [
    'rinsing of eyes',
    /(?:rinse|irrigat|wash)[^.;]*\beyes?\b[^.;]*?(\d+) minutes|\beyes?\b[^.;]*(?:rinse|irrigat)[^.;]*?(\d+) minutes/gi,
    ['20'],
  ],
  ['fire watch', /fire watch[^.]*?(\d+) minutes/gi, ['60']],
  ['vibration, action value', /vibration[^.]*?action value[^.\d]*([\d.]+\d) m\/s²/gi, ['2.5', '0.5']],
  ['vibration, limit value', /vibration[^.]*limit(?: value)?[^.\d]*([\d.]+\d?) m\/s²/gi, ['5', '1.15']],
  ['hand-arm vibration', /(\d+(?:\.\d+)?) m\/s² A\(8\)/gi, ['2.5', '5', '0.5', '1.15']],
  ['silica limit', /silica[^.]*?limit[^.\d]*([\d.]+\d) mg\/m³/gi, ['0.1']],
  ['hardwood dust limit', /hardwood[^.\d]*([\d.]+\d?) mg\/m³/gi, ['3']],
  ['softwood dust limit', /softwood[^.\d]*([\d.]+\d?) mg\/m³/gi, ['5']],
  ['top guard rail', /(?:guard ?rail|top rail)[^.]*?(\d+) mm high/gi, ['950']],
  ['scaffold inspection', /scaffold[^.]*inspect[^.]*every (\d+) days/gi, ['7']],
  ['residual current devices', /(\d+) mA/g, ['30']],
  ['tower wind limit', /tower[^.]*?(\d+) mph/gi, ['17']],
  ['platform wind limit', /(?:MEWP|boom|platform)[^.]*wind[^.]*?(\d+) mph/gi, ['28', '17']],
  ['ladder slope', /ladder[^.]*one out (?:to|for) (?:every )?(\w+) up/gi, ['four']],
  ['extraction examination', /(?:extraction|LEV)[^.]*examin[^.]*?(\d+) months/gi, ['14']],
]

/** Statements that have misled readers into danger. */
const UNSAFE: readonly (readonly [name: string, statement: RegExp])[] = [
  ['a range of oxygen in which anyone may enter', /19\.5|23\.5/],
  ['live overhead lines worked beside with short tubes', /side by the line in short tubes/i],
  ['a person who rides on a tile hoist', /tile hoist[^.]*lifts people/i],
  ['bed rails as something to pull on', /(?:words|chair),[^.]*\bbed rails?\b/i],
  ['salt or a broom on a roof slope', /salt and a broom/i],
  ['a fire blanket for a fryer', /extinguisher and fire blanket on the way out/i],
  ['a wall that a gang judges for itself', /check it is not load bearing/i],
  ['a guess at the lead in paint', /lead over 1 %/i],
]

describe('figures in the ready-made content', () => {
  test.each(UNSAFE)('no text offers %s', (_, statement) => {
    expect(texts.filter(([, text]) => statement.test(text)).map(([at]) => at)).toEqual([])
  })

  test.each(FIGURES)('no two texts contradict each other about %s', (_, pattern, figures) => {
    const wrong = texts.flatMap(([at, text]) =>
      [...text.matchAll(pattern)]
        .map((m) => m.slice(1).find((one) => one !== undefined))
        .filter((figure) => !figures.includes(figure ?? ''))
        .map((figure) => `${at}: ${figure}`),
    )
    expect(wrong).toEqual([])
  })
})

/** Hazards without which an assessment for the trade is not suitable and sufficient. */
function REQUIRED(): Readonly<Record<string, readonly RegExp[]>> {
  return {
    'Excavating and working in trenches': [
      /electric cable/i,
      /gas/i,
      /water main/i,
      /excavator|plant/i,
      /collapse/i,
      /confined|gas or lack of oxygen/i,
      /falling into/i,
      /flood|water in/i,
      /contaminated/i,
    ],
    'Demolition and structural alteration': [
      /fall/i,
      /live services|services/i,
      /noise/i,
      /vibration/i,
      /asbestos/i,
      /silica/i,
      /collapse/i,
      /plant/i,
      /lead/i,
      /public/i,
    ],
    'Electrical installation and maintenance': [
      /isolat|live/i,
      /asbestos/i,
      /cables? (?:buried|hidden)|(?:hidden|buried) cable/i,
      /drilling|chas/i,
      /height|ladder/i,
      /arc/i,
      /test/i,
    ],
    'General office work': [/fire/i, /display screen|workstation/i, /trip/i, /stress/i, /electric/i, /lone/i],
    'Roof repairs and other work at height': [
      /fragile/i,
      /edge|eaves/i,
      /ladder/i,
      /scaffold/i,
      /weather|wind/i,
      /falling|dropped/i,
      /asbestos/i,
    ],
    'Cleaning with chemicals': [/dermatitis|skin/i, /chlorine|mix/i, /slip|wet floor/i, /eye/i, /lone/i, /electric/i],
    'Working in a commercial kitchen': [
      /fire/i,
      /gas|carbon monoxide/i,
      /slip/i,
      /knives|knife/i,
      /burn|scald/i,
      /allergen/i,
    ],
    'Warehouse work with fork-lift trucks': [
      /pedestrian/i,
      /overturn|tip/i,
      /racking/i,
      /charging/i,
      /height/i,
      /handling/i,
    ],
    'Moving and handling people and loads': [/hoist/i, /sling/i, /fall/i, /back/i],
    'Driving for work': [/fatigue|tired/i, /phone/i, /weather/i, /breakdown/i, /load/i],
    'Running a production line': [/moving parts|guard/i, /isolat/i, /noise/i, /conveyor/i],
    'Infection control and sharps': [/needle|sharp/i, /blood/i, /waste/i],
  }
}

test('the page on ready-made content states the correct counts, and lists every file and assessment', () => {
  const page = readFileSync(new URL('../../../../docs/guide/ready-made-content.md', import.meta.url), 'utf8')
  for (const words of [
    `${templates.length} risk assessments with ${rated.length} hazards of their own`,
    `${library.length} hazards in the library`,
    `${methods.length} method statements, ${talks.length} toolbox talks and ${policies.arrangements.length} policy arrangements`,
    `${equipment.length} items of PPE`,
    `${laws.laws.length} laws and ${laws.guidance.length} titles of guidance`,
  ])
    expect(page).toContain(words)
  expect(templates.filter(({ title }) => !page.includes(title))).toEqual([])
})

test('every file in the folder of assessments is loaded', () => {
  const folder = new URL('../../../../db/reference/risk-templates', import.meta.url)
  expect(readdirSync(folder).every((name) => name.endsWith('.json'))).toBe(true)
  expect(templates.length).toBeGreaterThanOrEqual(40)
})
