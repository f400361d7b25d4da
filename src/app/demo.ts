import { billingDemo } from '#rooms/billing/demo.server.ts'
import { quoteDemo } from '#rooms/billing/quotes/demo.server.ts'
import { setPassword } from '#rooms/identity/passwords/routes.server.ts'
import { filesDemo } from '#rooms/portal/files/demo.server.ts'
import { tellDemo as tellSafety } from '#rooms/safety/demo.server.ts'
import type { Tx } from '#server/db/db.ts'
import { allowMoving } from '#server/engine/clock.ts'
import type { Engine } from '#server/engine/engine.ts'

const PASSWORD = 'Portal-demo-2026'
const LEADS = 800

/** The same numbers every time: a demo world that can be described in a guide. */
function numbers(seed: number) {
  let s = seed
  return (n: number) => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0
    return Math.floor((s / 4294967296) * n)
  }
}

const FIRST = [
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
const LAST = [
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
const PLACE = [
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
const TRADE = [
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
const FORM = ['Ltd', 'Ltd', 'Ltd', 'LLP', '& Sons', 'Group Ltd']
const SAID = [
  'Spoke to the office; the manager is in on Thursday.',
  'Has a folder of paper risk assessments and an audit in spring.',
  'Using a consultant at present, contract ends next year.',
  'Asked for prices for twelve employees.',
  'Left a message with the receptionist.',
  'Very keen, wants to see the accident book.',
  'Two sites, thinking of a third.',
]

/** Invented people and companies on an empty embedded database; false where somebody already lives. */
export async function loadDemo(engine: Engine): Promise<boolean> {
  const begun = await engine.db.tx('system', async (tx) => {
    const [lived] = await tx.rows('SELECT 1 FROM user_account LIMIT 1')
    if (lived) return false
    await allowMoving(tx)
    for (const part of parts) await part(tx)
    return true
  })
  if (begun) await tellSafety(engine)
  return begun
}

/** The demo world, in this order; each room brings its own part. */
const parts: readonly ((tx: Tx) => Promise<void>)[] = [clients, people, leads, billingDemo, quoteDemo, filesDemo]

async function clients(tx: Tx): Promise<void> {
  await tx.rows(
    "UPDATE client SET company = 'Stanchion Compliance', city = 'Leeds', county = 'West Yorkshire', postcode = 'LS1 1AA' WHERE id = 0",
  )
  const rows: [number, string, string, string, string, string, boolean, number | null][] = [
    [4, 'Northern Safety Partners', 'Newcastle upon Tyne', 'Tyne and Wear', 'Grace Walker', '01632 960401', true, null],
    [5, 'Westmoor Compliance', 'Exeter', 'Devon', 'Rhys Vaughan', '01632 960402', true, null],
    [1, 'Brick & Beam Construction Ltd', 'Sheffield', 'South Yorkshire', 'Priya Shah', '01632 960101', false, null],
    [2, 'Willow Court Care Homes Ltd', 'Bath', 'Somerset', 'Joanna Hughes', '01632 960102', false, 4],
    [3, 'Saltmarsh Foods Ltd', 'Ipswich', 'Suffolk', 'Tomasz Nowak', '01632 960103', false, 4],
  ]
  for (const [id, company, city, county, contactname, tel, reseller, resellerId] of rows)
    await tx.rows(
      'INSERT INTO client (id, company, city, county, contactname, contacttel, contactemail, is_reseller, reseller_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
      [
        id,
        company,
        city,
        county,
        contactname,
        tel,
        `office@${company
          .toLowerCase()
          .replace(/[^a-z]+/g, '-')
          .replace(/-ltd$/, '')}.example`,
        reseller,
        resellerId,
      ],
    )
  await tx.rows("SELECT setval('client_id_seq', 100, false)")
}

async function people(tx: Tx): Promise<void> {
  const admin = [
    'ROLE_STAFF',
    'ROLE_USER_ADMIN',
    'ROLE_ROLES_ADMIN',
    'ROLE_CLIENTS_ADMIN',
    'ROLE_LEADS_ADMIN',
    'ROLE_SAFETY_ADMIN',
    'ROLE_MAIL_ADMIN',
    'ROLE_BILLING_ADMIN',
  ]
  const rows: [number, string, string, string[], boolean][] = [
    [0, 'staff', 'Sam Taylor', ['ROLE_STAFF'], true],
    [0, 'manager', 'Maya Campbell', admin, true],
    [1, 'admin.brick', 'Priya Shah', ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'], true],
    [1, 'worker.brick', 'Callum Fraser', ['ROLE_EMPLOYEE'], true],
    [2, 'admin.care', 'Joanna Hughes', ['ROLE_CLIENT_ADMIN'], true],
    [4, 'reseller.north', 'Grace Walker', ['ROLE_RESELLER'], true],
    [0, 'alan.barker', 'Alan Barker', ['ROLE_STAFF'], false],
    [0, 'nasreen.iqbal', 'Nasreen Iqbal', ['ROLE_STAFF'], false],
    [1, 'liam.young', 'Liam Young', ['ROLE_EMPLOYEE'], false],
    [2, 'carys.ellis', 'Carys Ellis', ['ROLE_EMPLOYEE'], false],
    [3, 'tomasz.nowak', 'Tomasz Nowak', ['ROLE_CLIENT_ADMIN'], false],
  ]
  for (const [i, [clientId, username, name, roles, signsIn]] of rows.entries()) {
    const [user] = await tx.rows<{ id: number }>(
      'INSERT INTO user_account (client_id, username, name, email, telephone, roles) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id',
      [clientId, username, name, `${username}@portal.example`, `01632 9602${String(i).padStart(2, '0')}`, roles],
    )
    const userId = (user as { id: number }).id
    if (signsIn) await setPassword(tx, { clientId, userId }, PASSWORD, [], { demo: true })
    if (roles.includes('ROLE_STAFF'))
      await tx.rows('INSERT INTO staff (client_id, username, name, user_id, email) VALUES (0, $1, $2, $3, $4)', [
        username,
        name,
        userId,
        `${username}@portal.example`,
      ])
  }
}

/** Where a demo lead stands: its result, and when it is due, in days from today. */
const STANDS: readonly {
  result: number | null
  share: number
  days: [number, number] | null
  by: 'callback' | 'expiry'
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

async function leads(tx: Tx): Promise<void> {
  const rnd = numbers(2026)
  const pick = <T>(list: readonly T[]): T => list[rnd(list.length)] as T
  const owners = (
    await tx.rows<{ id: number }>('SELECT id FROM staff WHERE client_id = 0 AND NOT tray ORDER BY id')
  ).map((r) => r.id)
  const results = new Map(
    (await tx.rows<{ id: number; text: string }>('SELECT id, text FROM last_result')).map((r) => [r.id, r.text]),
  )
  const cities = await tx.rows<{ name: string; county: string }>('SELECT name, county FROM city ORDER BY id')
  const types = new Map(
    (await tx.rows<{ id: number; name: string }>('SELECT id, name FROM business_type')).map((t) => [t.name, t.id]),
  )
  const sources = (await tx.rows<{ id: number }>('SELECT id FROM came_from ORDER BY id')).map((r) => r.id)
  const rows: unknown[][] = []
  for (let i = 0; i < LEADS; i++) {
    const [trade, type] = pick(TRADE)
    const first = pick(FIRST)
    const last = pick(LAST)
    const place = pick(PLACE)
    const city = pick(cities)
    const roll = rnd(100)
    const stand = STANDS.find((_, k) => roll < STANDS.slice(0, k + 1).reduce((sum, s) => sum + s.share, 0))
    const minutes = stand?.days ? stand.days[0] * 24 * 60 + rnd((stand.days[1] - stand.days[0]) * 24 * 60) : null
    // Half past, quarter to: the times that people name.
    const due = minutes === null ? null : Math.round(minutes / 15) * 15
    rows.push([
      `${first} ${last}`,
      `${place} ${trade} ${pick(FORM)}`,
      String(10_000_000 + rnd(4_000_000)),
      `01632 960${String(rnd(1000)).padStart(3, '0')}`,
      rnd(3) ? `07700 900${String(rnd(1000)).padStart(3, '0')}` : '',
      `${first}.${last}@${place}-${trade}.example`.toLowerCase().replace(/[^a-z0-9.@-]/g, ''),
      city.name,
      city.county,
      // One in eight belongs to nobody yet; the rest are shared out.
      rnd(8) ? pick(owners) : null,
      stand?.result ?? null,
      stand?.by === 'callback' ? due : null,
      due,
      types.get(type) ?? null,
      pick(sources),
      pick(['1', '3', '5', '8', '10', '11-20', '21-30', '51-100']),
      rnd(25) === 0,
      1 + rnd(200),
    ])
  }
  const column = (k: number) => rows.map((r) => r[k])
  const added = await tx.rows<{ id: number; last_result_id: number | null; owner_id: number | null; days: number }>(
    `INSERT INTO contact (client_id, name, company_name, company_number, phone, mobile, email, city, county, owner_id, last_result_id, callback_date, expiry, business_type_id, came_from_id, employees, ir35, created_at)
     SELECT 0, a, b, c, d, e, f, g, h, i, j, date_trunc('hour', now()) + make_interval(mins => k), date_trunc('hour', now()) + make_interval(mins => l), m, n, o, p, now() - make_interval(days => q)
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::int[], $11::int[], $12::int[], $13::int[], $14::int[], $15::text[], $16::bool[], $17::int[])
       AS u(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
     RETURNING id, last_result_id, owner_id, extract(day FROM now() - created_at)::int AS days`,
    rows.length ? Array.from({ length: 17 }, (_, k) => column(k)) : [],
  )
  const notes = added.flatMap((c) =>
    c.last_result_id === null || c.owner_id === null
      ? []
      : Array.from({ length: 1 + rnd(4) }, (_, k) => [
          c.id,
          c.owner_id,
          k === 0 ? `${results.get(c.last_result_id as number)}\n${pick(SAID)}` : pick(SAID),
          k === 0 ? c.last_result_id : 31,
          1 + rnd(14),
          Math.max(1, c.days - k * (1 + rnd(20))),
          rnd(30) === 0,
        ]),
  )
  const part = (k: number) => notes.map((r) => r[k])
  await tx.rows(
    `INSERT INTO note (client_id, contact_id, user_id, author, notes, last_result_id, minutes, timestamp, sticky)
     SELECT 0, a, b, s.username, c, d, e, now() - make_interval(days => f, mins => (a * 7 % 400)::int), g
     FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::int[], $5::int[], $6::int[], $7::bool[]) AS u(a, b, c, d, e, f, g) JOIN staff s ON s.client_id = 0 AND s.id = b ORDER BY f DESC`,
    Array.from({ length: 7 }, (_, k) => part(k)),
  )
}
