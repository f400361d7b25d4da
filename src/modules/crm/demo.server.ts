import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { type Instant, toUnixSeconds } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context } from '#server/engine/types.ts'
import { insertTrustedRows } from '#server/seed/fill.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { contact, note } from './contacts/contact.ts'
import { businessType, city, leadSource } from './contacts/import-batch.ts'
import {
  type CalledDemoLead,
  type DemoCall,
  generateDemoCalls,
  moveToOfficeHours,
  type RandomInteger,
} from './demo-calls.ts'
import { callSettings } from './do-not-call/do-not-call.ts'
import { QUOTE_SENT_RESULT_CODE } from './outcomes/decide.ts'
import { getDefaultOutcome } from './outcomes/outcome.server.ts'
import { contactPerson } from './people/person.ts'
import { staff } from './staff/staff.ts'

/** Names and phrases for people, companies and calls in the demo data. */
const DEMO_FIRST_NAMES = [
  'Aisha',
  'Alan',
  'Amelia',
  'Ben',
  'Bethan',
  'Callum',
  'Carys',
  'Daniel',
  'Deepa',
  'Eilidh',
  'Emma',
  'Farah',
  'Gareth',
  'Grace',
  'Hamish',
  'Imran',
  'Isla',
  'Jack',
  'Joanna',
  'Karen',
  'Liam',
  'Maya',
  'Nasreen',
  'Oliver',
  'Priya',
  'Rhys',
  'Sam',
  'Siobhan',
  'Tomasz',
  'Wendy',
]
const DEMO_LAST_NAMES = [
  'Ahmed',
  'Barker',
  'Begum',
  'Campbell',
  'Davies',
  'Ellis',
  'Fraser',
  'Griffiths',
  'Hughes',
  'Iqbal',
  'Jenkins',
  'Kaur',
  'Lewis',
  'MacDonald',
  'Nowak',
  'O’Connor',
  'Patel',
  'Quinn',
  'Roberts',
  'Shah',
  'Taylor',
  'Underwood',
  'Vaughan',
  'Walker',
  'Young',
]
const DEMO_PLACES = [
  'Harbour',
  'Northgate',
  'Oakfield',
  'Riverside',
  'Fenland',
  'Castlegate',
  'Meadow',
  'Millstone',
  'Kingfisher',
  'Greenhill',
  'Lakeside',
  'Beacon',
  'Foxglove',
  'Ironbridge',
  'Saltmarsh',
  'Thornbury',
  'Wharfside',
  'Westmoor',
  'Hawthorn',
  'Brackenfell',
]
const DEMO_TRADES = [
  ['Roofing', 'Roofing'],
  ['Electrical', 'Electrical contractor'],
  ['Care', 'Care home'],
  ['Joinery', 'Carpentry and joinery'],
  ['Logistics', 'Haulage and logistics'],
  ['Plumbing', 'Plumbing'],
  ['Bakery', 'Bakery'],
  ['Motors', 'Motor repair and bodyshop'],
  ['Landscapes', 'Fencing and landscaping'],
  ['Cleaning', 'Cleaning'],
] as const
const DEMO_LEGAL_FORMS = ['Ltd', 'Ltd', 'Ltd', 'LLP', '& Sons', 'Group Ltd']
const DEMO_CALL_NOTES = [
  'Spoke to the office; the manager is in on Thursday.',
  'Has a folder of paper risk assessments and an audit in spring.',
  'Asked for prices for twelve employees.',
  'Left a message with the receptionist.',
  'Very keen, wants to see the accident book.',
  'Two sites, thinking of a third.',
]
/** Notes on demo leads that have declined for now. */
const DEMO_DECLINED_NOTES = [
  'Using a consultant at present; contract ends next year.',
  'Has everything on paper and is happy with that.',
  'No budget for it this year.',
  'The manager is on leave until after the summer.',
]

const DEMO_EMPLOYEE_COUNTS = ['1', '3', '5', '8', '10', '11-20', '21-30', '51-100'] as const

const LEADS = 800
const NO_ANSWER = 47
const DOWNLOADED = 2
/** Results that can only follow a call. All demo leads with such a result are older than the first recorded call. */
const SPOKEN: ReadonlySet<number> = new Set([3, 5, QUOTE_SENT_RESULT_CODE, 30, 31, 54])
const CALLED_DAYS = 64
/** Number of days since a quote was sent. The number is greater than the age of any demo quote. */
const QUOTED_DAYS = 53

type Seller = Pick<RowOf<typeof staff>, 'id' | 'username'>

/** Returns a deterministic generator of random numbers, so that guides can describe the demo data. */
function numbers(seed: number): RandomInteger {
  let s = seed
  return (n: number) => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0
    return Math.floor((s / 4294967296) * n)
  }
}

/** Results of demo leads, each with its share of the leads and its range of due dates in days from today. */
const STANDS: readonly {
  readonly result: number | null
  readonly share: number
  readonly days: readonly [number, number] | null
  readonly by: 'callback' | 'expiry'
}[] = [
  { result: null, share: 46, days: null, by: 'expiry' },
  { result: 31, share: 14, days: [-3, 12], by: 'callback' },
  { result: 5, share: 8, days: [-2, 10], by: 'callback' },
  { result: 30, share: 6, days: [-1, 9], by: 'callback' },
  { result: 2, share: 6, days: null, by: 'expiry' },
  { result: 6, share: 5, days: [-2, 14], by: 'callback' },
  { result: 3, share: 12, days: [-6, 240], by: 'expiry' },
  { result: 54, share: 3, days: [0, 7], by: 'callback' },
]

/** Demo data with the staff settings of the provider's sellers. */
const staffPart: DemoDataPart = {
  name: 'staff',
  needs: ['people'],
  tell: (engine) =>
    seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID }, async (c) => {
      // The demo leads can be called at once; their numbers are fictitious, so no register lists them.
      await c.create(callSettings, { screens: false })
      const emails = new Map((await c.find(user, {})).map(({ id, email }) => [id, email]))
      for (const seller of await c.lockAll(staff, { tray: false })) {
        const email = emails.get(seller.user ?? 0)
        await c.set(staff, seller, { ...(email && { email }), callsPerDay: 16 }, 'update')
      }
    }),
}

/** Demo leads with every possible result, and their notes. */
const leadsPart: DemoDataPart = {
  name: 'leads',
  needs: ['staff'],
  tell: (engine) => seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID }, addLeads),
}

export const seeds = [staffPart, leadsPart]

async function addLeads(c: Context): Promise<void> {
  const rnd = numbers(2026)
  const sellers = await c.find(staff, { tray: false })
  const invented = await inventLeads(c, rnd, sellers)
  const told = new Map<Invented, DemoNote[]>()
  const calls = sellers.flatMap((seller) => {
    const own = invented.filter(({ lead, result }) => lead.owner === seller.id && SPOKEN.has(result))
    const made = generateDemoCalls(rnd, c.now, own, getDefaultOutcome)
    for (const call of made) told.set(call.lead, [...(told.get(call.lead) ?? []), toldBy(call, rnd, seller)])
    return made
  })
  const byLead = Map.groupBy(calls, ({ lead }) => lead)
  const leads = invented.map((one) => leftBy(one, byLead.get(one) ?? []))
  const ids = await insertTrustedRows(c, contact, leads)
  await insertTrustedRows(c, contactPerson, inventPeople(ids))
  const notes = invented.flatMap((one, i) =>
    [...(told.get(one) ?? []), ...besides(one)].map(({ at, values }) => ({
      at,
      values: { ...values, contact: ids[i] ?? 0 },
    })),
  )
  await insertTrustedRows(
    c,
    note,
    notes.toSorted((a, b) => a.at.epochMilliseconds - b.at.epochMilliseconds).map((n) => n.values),
  )
}

/**
 * Returns the timeline entry for the download with which a lead began, if any. Calls and quotes add their own entries.
 */
function besides({ lead, result }: Invented): DemoNote[] {
  if (result !== DOWNLOADED || !lead.createdAt) return []
  const told = { minutes: 0, sticky: false, automatic: true, author: 'portal', timestamp: lead.createdAt }
  const notes = 'Downloaded “What an inspector asks to see”.'
  return [{ at: Temporal.Instant.from(lead.createdAt), values: { ...told, notes } }]
}

const JOBS = ['Office manager', 'Site manager', 'Accounts', 'Contracts manager', 'Health and safety adviser']

/** Generates other contact people for one lead in six. */
function inventPeople(leads: readonly number[]): ValuesOf<typeof contactPerson>[] {
  const rnd = numbers(123)
  return leads
    .filter((_, n) => n % 6 === 1)
    .flatMap((contact) =>
      Array.from({ length: 1 + rnd(2) }, () => {
        const name = `${DEMO_FIRST_NAMES[rnd(DEMO_FIRST_NAMES.length)]} ${DEMO_LAST_NAMES[rnd(DEMO_LAST_NAMES.length)]}`
        const email = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '.')}@example.com`
        const telephone = `01632 960${100 + rnd(900)}`
        return { contact, name, jobTitle: JOBS[rnd(JOBS.length)] ?? null, telephone, email, author: 'import' }
      }),
    )
}

type Lead = ValuesOf<typeof contact>

/** A demo lead before its calls are generated. The calls determine the result of a called lead. */
interface Invented extends CalledDemoLead {
  readonly lead: Lead
  /** Agreed callback date. */
  readonly promised: number | null
}

async function inventLeads(c: Context, rnd: RandomInteger, sellers: readonly Seller[]): Promise<Invented[]> {
  const pick = <T>(list: readonly T[]): T => {
    const one = list[rnd(list.length)]
    if (one === undefined) throw new Error('There are no items to pick from')
    return one
  }
  const hour = c.now.round({ smallestUnit: 'hour', roundingMode: 'floor' })
  const cities = await c.find(city, {})
  const types = new Map((await c.find(businessType, {})).map((t) => [t.name, t.id]))
  const sources = await c.find(leadSource, {})
  return Array.from({ length: LEADS }, () => {
    const [trade, type] = pick(DEMO_TRADES)
    const first = pick(DEMO_FIRST_NAMES)
    const last = pick(DEMO_LAST_NAMES)
    const place = pick(DEMO_PLACES)
    const where = pick(cities)
    const roll = rnd(100)
    const stand = STANDS.find((_, k) => roll < STANDS.slice(0, k + 1).reduce((sum, s) => sum + s.share, 0))
    const minutes = stand?.days ? stand.days[0] * 24 * 60 + rnd((stand.days[1] - stand.days[0]) * 24 * 60) : null
    const due =
      minutes === null || stand?.by !== 'callback'
        ? null
        : moveToOfficeHours(toUnixSeconds(hour.add({ minutes })), c.now)
    const result = stand?.result ?? null
    const lead = {
      name: `${first} ${last}`,
      companyName: `${place} ${trade} ${pick(DEMO_LEGAL_FORMS)}`,
      companyNumber: String(10_000_000 + rnd(4_000_000)),
      phone: `01632 960${String(rnd(1000)).padStart(3, '0')}`,
      mobile: rnd(3) ? `07700 900${String(rnd(1000)).padStart(3, '0')}` : '',
      email: `${first}.${last}@${place}-${trade}.example`.toLowerCase().replace(/[^a-z0-9.@-]/g, ''),
      city: where.name,
      county: where.county,
      // One lead in eight is unassigned; the other leads are divided among the sellers.
      owner: rnd(8) ? pick(sellers).id : null,
      outcomes: 0,
      // Null until the first call.
      lastResult: result !== null && !SPOKEN.has(result) ? result : null,
      businessType: types.get(type) ?? null,
      cameFrom: pick(sources).id,
      employees: pick(DEMO_EMPLOYEE_COUNTS),
      ir35: rnd(25) === 0,
      createdAt: daysBefore(c.now, 1 + rnd(200) + (result !== null && SPOKEN.has(result) ? CALLED_DAYS : 0)).toString(),
    }
    const rests = rnd(50)
    // A lead to which a quote was sent has had no calls since, because the quote may still be signed.
    const isQuoted = result === QUOTE_SENT_RESULT_CODE
    return {
      lead,
      result: result ?? 0,
      promised: due,
      due: isQuoted ? null : due,
      rests: isQuoted ? QUOTED_DAYS : rests,
    }
  })
}

const daysBefore = (at: Instant, days: number): Instant => at.subtract({ hours: 24 * days })

interface DemoNote {
  readonly at: Instant
  readonly values: Omit<ValuesOf<typeof note>, 'contact'>
}

/** Returns the timeline note about a call. */
function toldBy({ at, result, minutes, decision }: DemoCall<Invented>, rnd: RandomInteger, seller: Seller): DemoNote {
  const words = result === NO_ANSWER ? [] : decision.callbackDate ? DEMO_CALL_NOTES : DEMO_DECLINED_NOTES
  const notes = [decision.note, ...(words.length ? [words[rnd(words.length)]] : [])].join('\n')
  const by = { user: seller.id, author: seller.username, automatic: false }
  const more = { ...by, lastResult: result, sticky: rnd(60) === 0 }
  return { at, values: { notes, minutes, timestamp: at.toString(), ...more } }
}

/** Returns the lead as it is after its last call; unchanged if there were no calls. */
function leftBy({ lead, result, promised }: Invented, calls: readonly DemoCall<Invented>[]): Lead {
  const [last] = calls
  if (result === QUOTE_SENT_RESULT_CODE)
    return { ...lead, lastResult: result, callbackDate: promised, expiry: promised, outcomes: calls.length }
  if (!last) return lead
  const { lastResult, callbackDate, expiry } = last.decision
  const stands = { callbackDate: callbackDate ?? null, expiry: expiry ?? null, outcomes: calls.length }
  return { ...lead, ...stands, lastResult: lastResult ?? null, outcome: last.result }
}
