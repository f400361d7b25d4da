import type { Field, Fields } from '#kernel/fields.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import type { Actor as ActorOf } from '#kernel/roles.ts'
import { grantPacks, type TestClient, type TestPortal, type TestUser } from '#test/support/portal.ts'
import { insertPaymentAndRefund } from './charges.ts'
import { insertCreditNote } from './credits.ts'
import { insertLedgerTransaction } from './postings.ts'

/** A word in every text of a client's rows, which identifies them in any response. */
export const CLIENT_MARKS = { home: 'Hometruth', other: 'Zebracrossing', carried: 'Carryout' } as const

export interface InvariantWorld {
  readonly portal: TestPortal
  /**
   * `home` is the client of the matrix's users, `other` is an unrelated client, `carried` is one of the reseller's
   * clients, and `reseller` is the reseller's own client.
   */
  readonly home: TestClient
  readonly other: TestClient
  readonly carried: TestClient
  readonly reseller: TestClient
}

export interface TestActor {
  readonly name: string
  readonly clientId: number
  readonly userId: number
  /** Whether an explicit rule lets the user access every client. */
  readonly wide: boolean
  /** URLs that are requested as this user; all of them by default. */
  readonly asks?: RegExp
  /** Returns a new token each time, because some URLs revoke it. */
  token(): Promise<string | undefined>
  /** Returns the same token each time. */
  usual(): Promise<string | undefined>
}

export async function makeInvariantWorld(portal: TestPortal): Promise<InvariantWorld> {
  const reseller = await portal.client({ company: 'Reseller', isReseller: true })
  const home = await portal.client({ company: CLIENT_MARKS.home })
  await portal.db.tx('system', (tx) => grantPacks(tx, home.id, ['safety', 'invoicing', 'employees', 'holidays']))
  return {
    portal,
    reseller,
    home,
    other: await portal.client({ company: CLIENT_MARKS.other }),
    carried: await portal.client({ company: CLIENT_MARKS.carried, resellerId: reseller.id }),
  }
}

/**
 * Returns an actor of a client without a user in the database, because building statements only needs the permissions.
 */
export const makeClientActor = (clientId: number, ...roles: string[]): ActorOf => ({
  userId: 7,
  clientId,
  username: 'somebody',
  name: 'Somebody',
  roles,
  scopes: [],
})

export const ALL_PROVIDER_ROLES = [
  'ROLE_STAFF',
  'ROLE_USER_ADMIN',
  'ROLE_ROLES_ADMIN',
  'ROLE_CLIENTS_ADMIN',
  'ROLE_LEADS_ADMIN',
  'ROLE_MAIL_ADMIN',
  'ROLE_BILLING_ADMIN',
  'ROLE_FINANCE',
  'ROLE_SALES_ADMIN',
]

export async function makeActors(w: InvariantWorld): Promise<TestActor[]> {
  return (await peopleOf(w)).map((a) => {
    let once: Promise<string | undefined> | undefined
    return { ...a, usual: () => (once ??= a.token()) }
  })
}

async function peopleOf(w: InvariantWorld): Promise<Omit<TestActor, 'usual'>[]> {
  const { portal } = w
  const open = async (u: TestUser) =>
    (
      await portal.sessions.open(
        { clientId: u.clientId, userId: u.id },
        { address: '127.0.0.1', agent: 'matrix', browser: false },
      )
    ).token
  const actor = async (name: string, client: TestClient, roles: string[], wide = false) => {
    const user = await client.user({ roles, username: `matrix.${name.replace(' ', '.')}` })
    return { name, clientId: client.id, userId: user.id, wide, token: () => open(user) }
  }
  const withPacks = async (company: string, packs: string[], lapsed: string[]) => {
    const client = await portal.client({ company })
    await portal.db.tx('system', (tx) => grantPacks(tx, client.id, packs, lapsed))
    return client
  }
  /**
   * Creates a caller and a lead administrator of a client whose callers see only their own and unassigned leads. The
   * rows belong to a colleague.
   */
  const leadsPeople = async () => {
    const client = await portal.client({ company: 'Ownleads' })
    await portal.db.tx('system', (tx) => tx.rows('UPDATE client SET own_leads = true WHERE id = $1', [client.id]))
    const people = [
      await actor('caller', client, ['ROLE_STAFF']),
      await actor('leadsadmin', client, ['ROLE_STAFF', 'ROLE_LEADS_ADMIN']),
    ]
    return people.map((one) => ({ ...one, asks: OF_LEADS }))
  }
  const employee = ['ROLE_EMPLOYEE', 'ROLE_RISK_CREATE_UNRESTRICTED']
  const staff = await portal.provider.user({ roles: ['ROLE_STAFF'], username: 'matrix.visitor' })
  const hosted = await w.home.user({
    roles: ['ROLE_CLIENT_ADMIN', 'ROLE_INVOICING_FINANCE'],
    username: 'matrix.hosted',
  })
  return [
    { name: 'nobody', clientId: w.home.id, userId: 0, wide: false, token: async () => undefined },
    await actor('employee', w.home, ['ROLE_EMPLOYEE']),
    await actor('admin', w.home, ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED']),
    // These users have only an invoicing role of their client: with finance, and without.
    await actor('books', w.home, ['ROLE_INVOICING_FINANCE']),
    await actor('clerk', w.home, ['ROLE_INVOICING']),
    // This user reads health details of incidents.
    await actor('nurse', w.home, ['ROLE_EMPLOYEE', 'ROLE_INCIDENT_READER']),
    // These users can access employees by their role, as the manager of all of them, or as the head of their
    // department.
    { ...(await actor('hr', w.home, ['ROLE_HR'])), asks: OF_PEOPLE },
    { ...(await actor('hr private', w.home, ['ROLE_HR', 'ROLE_HR_PRIVATE'])), asks: OF_PEOPLE },
    // This user decides on the training of everybody.
    { ...(await actor('training', w.home, ['ROLE_TRAINING'])), asks: OF_PEOPLE },
    // This user manages the equipment.
    { ...(await actor('equipment', w.home, ['ROLE_EQUIPMENT'])), asks: OF_EQUIPMENT },
    { ...(await actor('foreman', w.home, ['ROLE_EMPLOYEE'])), asks: OF_PEOPLE },
    { ...(await actor('head', w.home, ['ROLE_EMPLOYEE'])), asks: OF_PEOPLE },
    await actor('stranger', await portal.client({ company: 'Strangers' }), ['ROLE_CLIENT_ADMIN']),
    await actor('reseller', w.reseller, ['ROLE_RESELLER']),
    await actor('staff', portal.provider, ['ROLE_STAFF'], true),
    {
      name: 'visiting',
      clientId: w.home.id,
      userId: hosted.id,
      wide: false,
      token: async () => {
        const to = { username: 'matrix.hosted', clientId: w.home.id }
        const { token } = await portal.sessions.visit(await open(staff), to, 'matrix')
        await portal.sessions.allowWrites(token, 'matrix')
        return token
      },
    },
    await actor('manager', portal.provider, ALL_PROVIDER_ROLES, true),
    // This user belongs to a client but has every role of the provider.
    await actor('stray', await portal.client({ company: 'Strays' }), [
      ...ALL_PROVIDER_ROLES,
      'ROLE_CLIENT_ADMIN',
      ...employee,
    ]),
    // This user has every role of the packs, but the packs have lapsed: the user may read and export, but change
    // nothing.
    await actor('lapsed', await withPacks('Lapsed', [], ['safety', 'invoicing', 'employees', 'holidays']), [
      'ROLE_CLIENT_ADMIN',
      'ROLE_HR',
      'ROLE_INVOICING_FINANCE',
      ...employee,
    ]),
    await actor('packless', await withPacks('Packless', [], []), ['ROLE_INVOICING_FINANCE', ...employee]),
    ...(await leadsPeople()),
    // This user writes documents but cannot approve them.
    await actor('author', await portal.client({ company: 'Authors' }), employee),
    // This user reads clients' documents, responds to their advice requests, and records site visits.
    { ...(await actor('adviser', portal.provider, ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'], true)), asks: OF_CONSULTANTS },
    await actor('sales manager', portal.provider, ['ROLE_STAFF', 'ROLE_SALES_ADMIN'], true),
  ]
}

/** URLs of leads and their records. */
export const OF_LEADS = /^\/api\/(crm|email)\//

/** URLs of employees and their records. */
const OF_PEOPLE = /^\/api\/employees\//

/** URLs of equipment and its checks. */
const OF_EQUIPMENT = /^\/api\/safety\/(equipment_|required_checks)/

/** URLs of clients' documents and site visits. */
const OF_CONSULTANTS =
  /^\/api\/(crm\/site_visits|safety\/(documents|document_openings|advice_requests|uploaded_documents|risk_assessments|risk_items|signatures|chain_entries)\b)/

let count = 0

/** Alternative columns: a row fills in only one of two. */
const ONE_OF_TWO = new Set(['document_reference.target_id', 'lead_file.contact_id'])

/** Values of tables whose columns constrain each other, or have a form of their own. */
const FIXED_VALUES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  work_pattern: { days: '[[]]' },
  leave_entry: { part: 'reg13' },
  training_record: { reason: '' },
  equipment_check: { reason: '', result: 'passed', source: 'own', immediate_danger: false },
  training_session: { ends_at: '2026-01-01T01:00:00Z' },
  leave_request_part: { from_time: null, until_time: null },
}

/**
 * Inserts a row of a resource in a tenant by raw SQL, based on the declaration and the database catalogue. Every
 * required column is filled in, every text contains the tenant's mark, and relations refer to new rows.
 */
export async function insertRow(w: InvariantWorld, r: Resource, clientId: number, mark: string): Promise<number> {
  if (r.tenant === 'self') return clientId
  if (r.type === 'LedgerTransaction' || r.type === 'LedgerEntry')
    return (await insertLedgerTransaction(w.portal, clientId, mark))[r.type]
  const customerRow = () =>
    insertRow(w, w.portal.engine.resources.find((one) => one.type === 'Customer') as Resource, clientId, mark)
  if (r.type === 'CreditNote' || r.type === 'CreditNoteLine')
    return (await insertCreditNote(w.portal, clientId, await customerRow(), mark))[r.type]
  if (r.type === 'Charge' || r.type === 'Refund')
    return (await insertPaymentAndRefund(w.portal, clientId, await customerRow(), mark))[r.type]
  const columns = await columnsOf(w, r.table)
  // Shared data belongs to no tenant, so it contains no tenant's mark.
  const word = r.tenant === 'shared' ? 'Plain' : mark
  const values: Record<string, unknown> = {}
  for (const c of columns) {
    const [name, f] = Object.entries<Field>(r.fields).find(([n]) => r.columns[n] === c.name) ?? []
    // A field that users may not fill in is set only if it belongs to an action that has taken place.
    const texts = f && !f.readonly && f.editable !== 'nobody' && ['text', 'longText', 'richText'].includes(f.kind)
    // These settings contain numbers of days and number prefixes, so they keep their defaults.
    if (texts && (r.type === 'DunningSettings' || (r.type === 'InvoiceSettings' && /prefix/i.test(name ?? ''))))
      continue
    if (c.name === 'client_id') values[c.name] = clientId
    else if (r.only?.[c.name]) values[c.name] = r.only[c.name]
    // A reference points to a document or to a file. A file belongs to a lead or to a customer.
    else if (f?.kind === 'link' && (c.needed || ONE_OF_TWO.has(`${r.table}.${c.name}`) || (f.required && name)))
      values[c.name] = await insertRow(w, (f.target as () => Resource)(), clientId, mark)
    else if (c.needed && c.person) values[c.name] = await personOf(w, clientId)
    else if (c.name === 'file_key') values[c.name] = `${clientId}/00000000-0000-4000-8000-000000000000`
    else if (c.needed && f?.options?.length) values[c.name] = f.options[0]?.value
    else if (texts || (c.needed && c.type === 'text'))
      values[c.name] = text(c.name === 'vat_number' ? 'vatNumber' : c.name, f ?? { kind: 'text' }, word)
    else if (c.needed) values[c.name] = /^(timestamp|date)/.test(c.type) ? '2026-01-01T00:00:00Z' : 1
  }
  Object.assign(values, FIXED_VALUES[r.table])
  // This row refers to its quote by a number, not by a relation.
  if (r.type === 'QuoteLink') {
    const quote = w.portal.engine.resources.find((one) => one.type === 'Quote') as Resource
    values.quote_id = await insertRow(w, quote, clientId, mark)
  }
  const names = Object.keys(values)
  // If a client can have only one record of this type, the existing one is used.
  const [row] = await w.portal.db.tx('system', (tx) =>
    tx.rows<{ id: number }>(
      names.length
        ? `WITH added AS (INSERT INTO ${r.table} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')}) ON CONFLICT DO NOTHING RETURNING id)
           SELECT id FROM added UNION ALL (SELECT id FROM ${r.table} WHERE ${r.tenant === 'shared' ? 'true' : `client_id = ${clientId}`} ORDER BY id DESC LIMIT 1) LIMIT 1`
        : `INSERT INTO ${r.table} DEFAULT VALUES RETURNING id`,
      Object.values(values),
    ),
  )
  return (row as { id: number }).id
}

interface Column {
  readonly name: string
  readonly type: string
  readonly needed: boolean
  readonly person: boolean
}

const catalogues = new WeakMap<InvariantWorld, Map<string, Promise<readonly Column[]>>>()

/** Returns the columns of a table that an INSERT can fill in. */
function columnsOf(w: InvariantWorld, table: string): Promise<readonly Column[]> {
  const known = catalogues.get(w) ?? new Map<string, Promise<readonly Column[]>>()
  catalogues.set(w, known)
  const columns =
    known.get(table) ??
    w.portal.db.tx('owner', (tx) =>
      tx.rows<Column>(
        `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AND d.adbin IS NULL AND a.attidentity = '' AS needed,
           EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = a.attrelid AND k.contype = 'f' AND a.attnum = ANY (k.conkey) AND k.confrelid = 'user_account'::regclass) AS person
         FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
         WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum`,
        [`public.${table}`],
      ),
    )
  known.set(table, columns)
  return columns
}

/** Returns the ID of the client's first user. Creates a user if there is none. */
async function personOf(w: InvariantWorld, clientId: number): Promise<number> {
  const [first] = await w.portal.db.tx('owner', (tx) =>
    tx.rows<{ id: number }>('SELECT id FROM user_account WHERE client_id = $1 ORDER BY id LIMIT 1', [clientId]),
  )
  const user = w.portal.engine.resources.find((r) => r.type === 'User') as Resource
  return first?.id ?? insertRow(w, user, clientId, 'Plain')
}

const text = (name: string, f: Field, mark: string) => {
  if (name === 'vatNumber') return 'GB 123 4567 82'
  if (name === 'vrn') return '123456782'
  const s = `${mark}${++count}`
  return f.max ? s.slice(-f.max) : s
}

/** Fields that are valid only together with another one: the reason for a decision, and the IRI of a record as text. */
const NEVER_ALONE = new Set(['decisionNote', 'riskAssessment'])

/**
 * Returns the ID of a shared row: the third row that the portal provides. If the portal provides fewer, a new row is
 * inserted.
 */
async function sharedRow(w: InvariantWorld, r: Resource): Promise<number> {
  return r.type === 'PackProduct' ? insertRow(w, r, 0, 'Plain') : 3
}

/** Builds a body that fills in the declared fields, for creating and changing records. */
export async function makeRequestBody(
  w: InvariantWorld,
  fields: Fields,
  clientId: number,
  mark: string,
): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {}
  for (const [name, f] of Object.entries<Field>(fields)) {
    if (f.readonly || NEVER_ALONE.has(name)) continue
    if (f.kind === 'link') {
      if (!f.required) continue
      const target = (f.target as () => Resource)()
      const id = target.tenant === 'shared' ? await sharedRow(w, target) : await insertRow(w, target, clientId, mark)
      body[name] = iriOf(target, id)
    } else if (['text', 'longText', 'richText'].includes(f.kind)) body[name] = text(name, f, mark)
    else if (f.kind === 'email') body[name] = `x${++count}@x.example`
    else if (f.kind === 'phone') body[name] = '01632 960001'
    else if (f.kind === 'choice') body[name] = f.options?.[0]?.value
    else if (f.required) body[name] = f.kind === 'integer' ? (f.min ?? 1) : undefined
  }
  return body
}

/** Returns a checksum of a client's rows in each table, as one text. If two snapshots are equal, no row has changed. */
export async function snapshotClient(w: InvariantWorld, clientId: number): Promise<string> {
  return w.portal.db.tx('owner', async (tx) => {
    const tables = await tx.rows<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'client_id' WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1`,
    )
    let all = ''
    for (const { name } of tables) {
      const [row] = await tx.rows<{ sum: string }>(
        `SELECT coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS sum FROM ${name} t WHERE client_id = $1`,
        [clientId],
      )
      all += `${name} ${row?.sum}\n`
    }
    return all
  })
}
