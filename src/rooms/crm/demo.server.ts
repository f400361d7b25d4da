import type { ValuesOf } from '#kernel/resource.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { type Instant, LONDON, londonDate } from '#kernel/time.ts'
import { user } from '#rooms/identity/people/user.ts'
import type { Context } from '#server/engine/context.ts'
import type { DemoPart } from '#server/engine/world.ts'
import { fill } from '#server/world/fill.ts'
import { tell } from '#server/world/story.ts'
import { contact } from './contacts/contact.ts'
import { businessType, cameFrom, city, lastResult } from './contacts/lookups.ts'
import { note } from './contacts/note.ts'
import { decide, outcomeOf } from './contacts/outcomes.ts'
import { EMPLOYEES, FIRST, FORM, LAST, PLACE, SAID, TRADE } from './demo-words.ts'
import { contactPerson } from './people/person.ts'
import { staff } from './staff/staff.ts'

const LEADS = 800
/** The result of a call that was made and led to another. */
const CALL_BACK = 31

/** The same numbers every time: a demo world that can be described in a guide. */
function numbers(seed: number) {
  let s = seed
  return (n: number) => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0
    return Math.floor((s / 4294967296) * n)
  }
}

/** Where a demo lead stands: its result, and when it is due, in days from today. */
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

/** The provider's sellers among its people. */
const staffPart: DemoPart = {
  name: 'staff',
  needs: ['people'],
  tell: (engine) =>
    tell(engine, { clientId: PROVIDER }, async (c) => {
      for (const { id, username, name, email, roles } of await c.find(user, {}))
        if (roles.includes('ROLE_STAFF')) await c.create(staff, { user: id, username, name, email, callsPerDay: 16 })
    }),
}

/** Leads in every state, and what was said to them. */
const leadsPart: DemoPart = {
  name: 'leads',
  needs: ['staff'],
  tell: (engine) => tell(engine, { clientId: PROVIDER }, addLeads),
}

export const demo = [staffPart, leadsPart]

async function addLeads(c: Context): Promise<void> {
  const rnd = numbers(2026)
  const sellers = await c.find(staff, { tray: false })
  const leads = await inventLeads(c, rnd, sellers)
  const ids = await fill(c, contact, leads)
  await fill(c, contactPerson, inventPeople(ids))
  const results = new Map((await c.find(lastResult, {})).map((r) => [r.id, r.text]))
  const names = new Map(sellers.map((s) => [s.id, s.username]))
  const known = leads.map((lead, i) => ({ ...lead, id: ids[i] ?? 0 }))
  const notes = [
    ...known.flatMap((lead) => notesOn(c, rnd, lead, results, names)),
    ...sellers.flatMap((seller) => callsOf(c, rnd, seller, known)),
  ]
  await fill(
    c,
    note,
    notes.toSorted((a, b) => a.at.epochMilliseconds - b.at.epochMilliseconds).map((n) => n.values),
  )
}

const JOBS = ['Office manager', 'Site manager', 'Accounts', 'Contracts manager', 'Health and safety adviser']

/** Whom else one can ask for, at one lead in six. */
function inventPeople(leads: readonly number[]): ValuesOf<typeof contactPerson>[] {
  const rnd = numbers(123)
  return leads
    .filter((_, n) => n % 6 === 1)
    .flatMap((contact) =>
      Array.from({ length: 1 + rnd(2) }, () => {
        const name = `${FIRST[rnd(FIRST.length)]} ${LAST[rnd(LAST.length)]}`
        const email = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '.')}@example.com`
        const telephone = `01632 960${100 + rnd(900)}`
        return { contact, name, jobTitle: JOBS[rnd(JOBS.length)] ?? null, telephone, email, author: 'import' }
      }),
    )
}

/** How calls end, and how many of a hundred. */
const ENDS: readonly (readonly [result: number, share: number])[] = [
  [47, 44],
  [31, 18],
  [3, 11],
  [43, 9],
  [5, 8],
  [30, 5],
  [18, 2],
  [54, 2],
  [48, 1],
]
const CALLED_WEEKS = 9
/** Calls on a slow day, and how many more there can be. */
const A_DAY = [8, 7] as const

/** What a seller has done on the working days of the last weeks: calls to leads of their own, up to this minute. */
function callsOf(
  c: Context,
  rnd: Numbers,
  seller: { readonly id: number; readonly username: string },
  leads: readonly (Lead & { readonly id: number })[],
): Told[] {
  const own = leads.filter((lead) => lead.owner === seller.id && typeof lead.lastResult === 'number')
  const today = londonDate(c.now)
  const days = Array.from({ length: CALLED_WEEKS * 7 }, (_, n) => today.subtract({ days: n })).filter(
    (day) => day.dayOfWeek <= 5,
  )
  return days.flatMap((day) =>
    Array.from({ length: A_DAY[0] + rnd(A_DAY[1]) }, () => {
      const lead = own[rnd(own.length)]
      const time = day.toZonedDateTime({ timeZone: LONDON, plainTime: '09:00' }).add({ minutes: rnd(500) })
      const roll = rnd(100)
      const [result] = ENDS.find((_, k) => roll < ENDS.slice(0, k + 1).reduce((sum, [, share]) => sum + share, 0)) ?? [
        47,
      ]
      const at = time.toInstant()
      const chosen = outcomeOf(result)
      if (!lead || !chosen || Temporal.Instant.compare(at, c.now) > 0) return []
      const said = result === 47 ? '' : `\n${SAID[rnd(SAID.length)]}`
      const more = { user: seller.id, author: seller.username, lastResult: result, sticky: false }
      const values = { contact: lead.id, notes: `${decide(chosen, at).note}${said}`, ...more }
      return [{ at, values: { ...values, minutes: result === 47 ? 0 : 1 + rnd(14), timestamp: at.toString() } }]
    }).flat(),
  )
}

type Numbers = ReturnType<typeof numbers>
type Lead = ValuesOf<typeof contact>

async function inventLeads(c: Context, rnd: Numbers, sellers: readonly { readonly id: number }[]): Promise<Lead[]> {
  const pick = <T>(list: readonly T[]): T => {
    const one = list[rnd(list.length)]
    if (one === undefined) throw new Error('There is nothing to pick from')
    return one
  }
  const hour = c.now.round({ smallestUnit: 'hour', roundingMode: 'floor' })
  const cities = await c.find(city, {})
  const types = new Map((await c.find(businessType, {})).map((t) => [t.name, t.id]))
  const sources = await c.find(cameFrom, {})
  return Array.from({ length: LEADS }, () => {
    const [trade, type] = pick(TRADE)
    const first = pick(FIRST)
    const last = pick(LAST)
    const place = pick(PLACE)
    const where = pick(cities)
    const roll = rnd(100)
    const stand = STANDS.find((_, k) => roll < STANDS.slice(0, k + 1).reduce((sum, s) => sum + s.share, 0))
    const minutes = stand?.days ? stand.days[0] * 24 * 60 + rnd((stand.days[1] - stand.days[0]) * 24 * 60) : null
    const due = minutes === null ? null : unixSeconds(hour.add({ minutes: quarterOf(minutes) }))
    return {
      name: `${first} ${last}`,
      companyName: `${place} ${trade} ${pick(FORM)}`,
      companyNumber: String(10_000_000 + rnd(4_000_000)),
      phone: `01632 960${String(rnd(1000)).padStart(3, '0')}`,
      mobile: rnd(3) ? `07700 900${String(rnd(1000)).padStart(3, '0')}` : '',
      email: `${first}.${last}@${place}-${trade}.example`.toLowerCase().replace(/[^a-z0-9.@-]/g, ''),
      city: where.name,
      county: where.county,
      // One in eight belongs to nobody yet; the rest are shared out.
      owner: rnd(8) ? pick(sellers).id : null,
      lastResult: stand?.result ?? null,
      callbackDate: stand?.by === 'callback' ? due : null,
      expiry: due,
      businessType: types.get(type) ?? null,
      cameFrom: pick(sources).id,
      employees: pick(EMPLOYEES),
      ir35: rnd(25) === 0,
      createdAt: daysBefore(c.now, 1 + rnd(200)).toString(),
    }
  })
}

/** Half past, quarter to: the times that people name. */
const quarterOf = (minutes: number) => Math.round(minutes / 15) * 15
const unixSeconds = (at: Instant) => Math.floor(at.epochMilliseconds / 1000)
const daysBefore = (at: Instant, days: number): Instant => at.subtract({ hours: 24 * days })

interface Told {
  readonly at: Instant
  readonly values: ValuesOf<typeof note>
}

/** What was said to a lead that has been called: the last of it first. */
function notesOn(
  c: Context,
  rnd: Numbers,
  lead: Lead & { readonly id: number },
  results: ReadonlyMap<number, string>,
  names: ReadonlyMap<number, string>,
): Told[] {
  const { id, lastResult: result, owner, createdAt } = lead
  if (typeof result !== 'number' || typeof owner !== 'number' || !createdAt) return []
  const age = Math.floor((c.now.epochMilliseconds - Date.parse(createdAt)) / (24 * 3600_000))
  const pick = () => SAID[rnd(SAID.length)] ?? ''
  return Array.from({ length: 1 + rnd(4) }, (_, k) => {
    const words = k === 0 ? `${results.get(result)}\n${pick()}` : pick()
    const minutes = 1 + rnd(14)
    const days = Math.max(1, age - k * (1 + rnd(20)))
    const sticky = rnd(30) === 0
    const at = daysBefore(c.now, days).subtract({ minutes: (id * 7) % 400 })
    const more = { user: owner, author: names.get(owner) ?? '', lastResult: k === 0 ? result : CALL_BACK }
    return { at, values: { contact: id, notes: words, minutes, timestamp: at.toString(), sticky, ...more } }
  })
}
