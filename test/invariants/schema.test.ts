import { beforeAll, describe, expect, test } from 'vitest'
import type { Field, FieldKind } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { appendOnlyTables } from '#server/evidence/command.ts'
import { testPortal } from '#test/support/portal.ts'
import { testEach } from '#test/support/scope.ts'

/** Keys and indexes of tenant tables that do not start with the tenant, each with its reason. */
const WITHOUT_TENANT: Readonly<Record<string, string>> = {
  client_pkey: "the table of clients: a client's number is the tenant",
  client_reseller: 'which clients a reseller carries: asked over clients, before there is a tenant',
  client_company: 'the provider searches all its clients by name',
  client_reseller_id_fkey: 'a client is carried by another client',
  customer_account_id_fkey: "a customer points at the client's own row",
  contact_account_id_fkey: "a lead that has become a client points at the client's own row",
  message_account_id_fkey: "a letter to a client points at the client's own row",
  reseller_client_reseller_id_fkey: 'the same of who carries a client',
  site_visit_account_id_fkey: "a visit points at the client's own row",
  support_ticket_open: 'the provider looks through the open tickets of all clients',
  advice_request_waits: 'the provider looks through what waits for its consultants at all clients',
  user_account_sign_in: 'sign-in does not know the client yet',
  username_kept_anywhere: 'a username of the provider’s people is nobody’s in any client',
  session_secret_hash: 'a cookie says nothing but its secret',
  document_reference_target: 'who refers to a template is asked over clients; ids are unique over them',
  document_reference_file: 'the same of files',
  risk_item_hazard: 'which documents have a template of the library is asked over clients',
  risk_item_control: 'the same of controls',
  coshh_substance_used: 'the same of substances',
  document_reference_target_client_id_target_id_fkey: "a document refers to a template of the provider's too",
  document_reference_target_client_id_file_id_fkey: 'the same of files',
  training_booking_session_client_id_session_id_fkey: "a booking refers to a session of the provider's",
  training_booking_session: 'the seats of a session are counted over clients',
  access_token_pkey: 'a token says nothing but its secret',
  password_reset_pkey: 'a link says nothing but its secret',
  factor_ticket_pkey: 'a ticket says nothing but its secret',
}
/** Tenant tables whose primary key is not an ID; the key still starts with the tenant. */
const WITHOUT_ID: Readonly<Record<string, readonly string[]>> = {
  schedule_client: ['client_id', 'name'],
  reminder: ['client_id', 'name', 'row_id', 'due', 'days'],
  notice_setting: ['client_id', 'user_id', 'kind'],
  sequence_counter: ['client_id', 'name', 'year'],
  letter_day: ['client_id', 'day'],
  contact_key: ['client_id', 'key', 'contact_id'],
  contact_search: ['client_id', 'contact_id'],
  document_words: ['client_id', 'document_id'],
  document_words_due: ['client_id', 'document_id'],
  uploaded_document_words: ['client_id', 'uploaded_document_id'],
  contact_count: ['client_id', 'owner_id', 'category', 'id'],
  // The key of a figure identifies its subject, and each update adds to the existing row.
  work_day: ['client_id', 'what', 'day', 'staff_id', 'kind'],
  work_month: ['client_id', 'what', 'day', 'staff_id', 'kind'],
}
/** Tables that only the sign-in code reads. */
const SECRET = [
  'access_token',
  'attempt',
  'credential',
  'factor_ticket',
  'idempotency',
  'known_device',
  'passkey',
  'password_reset',
  'recovery_code',
  'session',
  'session_secret',
  'signing_pin',
  'signing_pin_use',
  'totp',
]
/** Tables without a tenant that are not declared as resources. */
const UNDECLARED = ['attempt', 'clock', 'company', 'migration', 'reference_version', 'schedule']
/** Fields that a behaviour's `beforeSave` fills in if the request does not. */
const FILLED_IN = [
  'VatBadDebt.amount',
  'VatBadDebt.outstanding',
  'ApplicationActivity.lastActivityAt',
  'SupportTicket.user',
  'AdviceRequest.user',
  'SiteVisit.consultant',
  'VersionControl.user',
  'FormSchedule.dueOn',
  'EquipmentHandover.signedName',
  'EmployeeWorkPattern.cycleStart',
  'Checklist.name',
  'TrainingBooking.course',
  'Checklist.purpose',
  'LeaveRequest.firstDay',
  'LeaveRequest.lastDay',
  'LeaveRequest.minutes',
  'IncidentStatementRequest.report',
  'IncidentStatementRequest.until',
  'FormVersion.number',
  'FormVersion.digest',
  'FormVersion.from',
  'CustomForm.schema',
  'CustomFormAnswer.number',
  'CustomFormAnswer.title',
  'CustomFormAnswer.digest',
  'RamsRequest.opensUntil',
  'Signature.place',
  'Handbook.documentNumber',
  'ManagementHandbook.documentNumber',
  'MethodStatement.documentNumber',
  'RiskAssessment.documentNumber',
  'ToolboxTalk.documentNumber',
  'CoshhAssessment.documentNumber',
  'RamsPack.documentNumber',
  'Policy.documentNumber',
  'CommissionLine.month',
  'CreditNote.customer',
  'CreditNote.date',
  'CreditNote.currency',
  'CreditNote.net',
  'CreditNote.tax',
  'CreditNote.total',
  'CreditNote.totals',
  'CreditNote.supplier',
  'CreditNote.buyer',
  'LeadMerge.until',
  'LeadMerge.kept',
  'LastResult.category',
  'SavedView.owner',
  'SavedView.ownerName',
  'ListSetting.owner',
]
const ROLES = ['stanchion_reader', 'stanchion_tenant', 'stanchion_system']

const TYPES: Readonly<Record<FieldKind, readonly string[]>> = {
  text: ['text'],
  longText: ['text'],
  richText: ['text'],
  email: ['text'],
  phone: ['text'],
  choice: ['text'],
  integer: ['integer', 'bigint'],
  decimal: ['numeric'],
  flag: ['boolean'],
  date: ['date'],
  instant: ['timestamp with time zone'],
  unixSeconds: ['timestamp with time zone'],
  strings: ['text[]'],
  link: ['integer', 'bigint'],
  rows: [],
  json: ['jsonb', 'json'],
}

interface Column {
  table: string
  name: string
  type: string
  required: boolean
  default: string | null
  /** Whether the column is an identity or generated column. */
  own: boolean
}
interface Key {
  table: string
  name: string
  columns: string[]
  unique: boolean
  primary: boolean
  /** Target of a foreign key; null for other keys. */
  to: string | null
  toColumns: string[] | null
}

const { db, engine } = await testPortal()
const APPEND_ONLY = appendOnlyTables(engine.resources)
const owner = <T>(text: string, values: readonly unknown[] = []) => db.tx('owner', (tx) => tx.rows<T>(text, values))

let columns: Column[]
let keys: Key[]
const find = (table: string, name: string) => columns.find((c) => c.table === table && c.name === name)
const tables = () => [...new Set(columns.map((c) => c.table))].sort()
const tenantTables = () => tables().filter((t) => find(t, 'client_id'))
const fieldsOf = (r: Resource) =>
  Object.entries<Field>(r.fields).flatMap(([name, f]) =>
    f.kind === 'rows' || f.inJson || f.countOf || f.sql
      ? []
      : [{ name, f, column: find(r.table, r.columns[name] as string) }],
  )

beforeAll(async () => {
  columns = await owner<Column>(
    `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS required,
            pg_get_expr(d.adbin, d.adrelid) AS default, a.attidentity <> '' OR a.attgenerated <> '' AS own
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1, a.attnum`,
  )
  keys = await owner<Key>(
    `SELECT c.relname AS table, i.relname AS name, x.indisunique AS unique, x.indisprimary AS primary, NULL::text AS to, NULL::text[] AS "toColumns",
            ARRAY(SELECT pg_get_indexdef(x.indexrelid, n, true) FROM generate_series(1, x.indnkeyatts) n) AS columns
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid WHERE c.relnamespace = 'public'::regnamespace
     UNION ALL
     SELECT c.relname, k.conname, false, false, f.relname,
            ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY u(n, o) JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.n ORDER BY o),
            ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY u(n, o) JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.n ORDER BY o)
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class f ON f.oid = k.confrelid WHERE k.contype = 'f' AND c.relnamespace = 'public'::regnamespace`,
  )
})

const each = (title: string, check: (r: Resource) => void | Promise<void>) =>
  testEach(title, engine.resources, (r) => r.type, check)

describe('the table of each resource', () => {
  each('has its table, its id and its tenant', (r) => {
    expect(tables()).toContain(r.table)
    expect(find(r.table, 'id')?.own).toBe(true)
    expect(!!find(r.table, 'client_id')).toBe(r.tenant !== 'shared')
  })

  each('keeps every field in a column of a fitting type', (r) => {
    const wrong = fieldsOf(r).flatMap(({ name, f, column }) =>
      !column
        ? [`${name}: no column ${r.columns[name]}`]
        : TYPES[f.kind].includes(column.type)
          ? []
          : [`${name}: ${f.kind} in ${column.type}`],
    )
    expect(wrong).toEqual([])
  })

  each('has a value for every column that must have one', (r) => {
    const declared = fieldsOf(r)
    const undeclared = columns.filter(
      (c) =>
        c.table === r.table &&
        c.name !== 'client_id' &&
        !(c.name in (r.only ?? {})) &&
        !declared.some((d) => d.column === c),
    )
    const empty = (c: Column | undefined) => !!c?.required && !c.own && c.default === null && c.name !== 'client_id'
    // The portal fills in fields that users cannot set. The fields that a behaviour fills in are listed here.
    const readonly = r.allow.create ? declared.filter(({ f, column }) => f.readonly && !f.stamp && empty(column)) : []
    const writable = (r.allow.create || r.allow.update ? declared : []).filter(
      ({ f, column }) => !f.readonly && column?.required && !column.own && !f.required && f.kind !== 'flag',
    )
    expect([
      // A form may send null, in which case the declared default applies.
      ...[...readonly, ...writable.filter(({ f }) => (f.default ?? null) === null)]
        .map(({ name }) => `${r.type}.${name}`)
        .filter((name) => !FILLED_IN.includes(name)),
      ...(r.allow.create ? undeclared.filter(empty).map((c) => c.name) : []),
    ]).toEqual([])
  })

  each('has a column that is never empty for every field that always has a value', (r) => {
    const empty = fieldsOf(r).filter(({ f, column }) => f.notNull && !column?.required)
    expect(empty.map(({ name }) => name)).toEqual([])
  })

  each('has the columns that its other values live in, and the relations that its rows come back by', (r) => {
    const fields = Object.entries<Field>(r.fields)
    const lost = fields.flatMap(([name, f]) =>
      f.inJson && find(r.table, f.inJson)?.type !== 'jsonb' ? [`${name}: no jsonb column ${f.inJson}`] : [],
    )
    const astray = fields.flatMap(([name, f]) => {
      if (f.kind !== 'rows') return []
      const target = (f.target as () => Resource)()
      const back = target.fields[f.by ?? '']
      return back?.kind === 'link' && (back.target as () => Resource)().table === r.table ? [] : [name]
    })
    expect([...lost, ...astray]).toEqual([])
  })

  each("declares the database's own defaults", async (r) => {
    for (const { name, f, column } of fieldsOf(r)) {
      // Derived columns have no default.
      if (f.default === undefined || f.default === null || column?.default == null || column.own) continue
      const [row] = await owner<{ v: unknown }>(`SELECT ${column.default} AS v`)
      expect([name, f.kind === 'json' ? f.default : row?.v]).toEqual([name, f.default])
    }
  })

  each('has the columns that its search and its rules speak of', (r) => {
    const spoken = fieldsOf(r).flatMap(({ f }) => Object.values(f.nested ?? {}))
    const searched = Object.values<Field>(r.fields).some((f) => f.search)
    const own = Object.entries<Field>(r.fields).flatMap(([name, f]) =>
      f.search === 'own' ? [r.columns[name] as string] : [],
    )
    const words = r.searchIn ? ['search_text', `${r.table}_id`, ...own] : ['search_text']
    expect(spoken.filter((column) => !find(r.table, column))).toEqual([])
    expect(words.filter((column) => searched && !find(r.searchIn ?? r.table, column))).toEqual([])
  })

  each('looks for words in an index that asks for the client last', (r) => {
    const table = r.searchIn ?? r.table
    const indexes = keys.filter((k) => k.table === table && k.columns.includes('search_text'))
    const wrong = indexes.filter((k) => k.columns.includes('client_id') && k.columns.at(-1) !== 'client_id')
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  each('finds by its words what is within a column', async (r) => {
    const within = Object.entries<Field>(r.fields).flatMap(([name, f]) => (f.inJson && f.search ? [name] : []))
    const [made] = await owner<{ words: string | null }>(
      `SELECT pg_get_expr(d.adbin, d.adrelid) AS words FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
       WHERE a.attrelid = $1::regclass AND a.attname = 'search_text'`,
      [r.searchIn ?? r.table],
    )
    expect(within.filter((name) => !made?.words?.includes(`'${name}'`))).toEqual([])
  })

  each('has one record for each alias', (r) => {
    const column = r.alias && r.columns[r.alias]
    const unique = keys.filter((k) => k.table === r.table && k.unique).map((k) => k.columns.join(', '))
    const fitting = unique.filter((u) => u === `client_id, lower(${column})` || u === column)
    expect(fitting).toHaveLength(column ? 1 : 0)
  })

  each('has a foreign key for every relation', (r) => {
    const wrong = fieldsOf(r)
      .filter(({ f }) => f.kind === 'link')
      .filter(({ name, f }) => {
        const target = (f.target as () => Resource)()
        // The target may belong to client 0. A foreign key that starts with the tenant cannot refer to it, so the
        // engine checks the relation instead.
        if (target.tenant === 'own or template' && target !== r) return false
        const column = r.columns[name] as string
        // The row is the client itself, and its client number is derived from its ID.
        if (r.tenant === 'self' && column === 'client_id') return false
        return !keys.some((k) => k.table === r.table && k.to === target.table && k.columns.at(-1) === column)
      })
      .map(({ name }) => name)
    expect(wrong).toEqual([])
  })
})

describe('tenancy in the schema', () => {
  test('every table belongs to a tenant, is declared as shared, or is listed in this test as an exception', () => {
    const shared = engine.resources.filter((r) => r.tenant === 'shared').map((r) => r.table)
    const without = tables().filter((t) => !find(t, 'client_id'))
    expect(without).toEqual([...new Set([...shared, ...UNDECLARED])].sort())
    expect(tables().filter((t) => SECRET.includes(t))).toEqual(SECRET)
  })

  test('every tenant table has a non-null tenant and the primary key (client_id, id)', () => {
    for (const t of tenantTables().filter((name) => name !== 'client')) {
      const { type, required } = find(t, 'client_id') as Column
      expect([t, type, required]).toEqual([t, 'integer', true])
    }
    const keyed = tenantTables().filter((t) => t !== 'client' && !SECRET.includes(t))
    for (const t of keyed)
      expect([t, keys.find((k) => k.table === t && k.primary)?.columns]).toEqual([
        t,
        WITHOUT_ID[t] ?? ['client_id', 'id'],
      ])
  })

  test('every index, unique constraint and foreign key between tenant rows starts with the tenant column, except full-text indexes', () => {
    const tenant = tenantTables()
    const stray = keys
      .filter(
        (k) =>
          tenant.includes(k.table) &&
          !(['search_text', 'words'].some((name) => k.columns.includes(name)) && k.columns.at(-1) === 'client_id'),
      )
      .filter((k) => k.to === null || tenant.includes(k.to))
      .filter((k) => k.columns[0] !== 'client_id' || (k.to && k.to !== 'client' && k.toColumns?.[0] !== 'client_id'))
      .map((k) => k.name)
    expect(stray.sort()).toEqual(Object.keys(WITHOUT_TENANT).sort())
  })

  test('no foreign key points from shared data to a tenant', () => {
    const tenant = tenantTables()
    expect(keys.filter((k) => k.to && tenant.includes(k.to) && !tenant.includes(k.table)).map((k) => k.name)).toEqual(
      [],
    )
  })

  test('ids are unique across tenants, with one sequence per table', async () => {
    const starts = columns.filter((c) => c.name === 'id' && !c.own)
    expect(starts).toEqual([])
  })
})

describe('row-level security in the schema', () => {
  test('row-level security is enabled and forced for every tenant and secret table', async () => {
    const rows = await owner<{ name: string; on: boolean }>(
      `SELECT relname AS name, relrowsecurity AND relforcerowsecurity AS on FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
    )
    const open = rows.filter((r) => !r.on).map((r) => r.name)
    expect(open.filter((t) => tenantTables().includes(t) || SECRET.includes(t))).toEqual([])
  })

  test('row-level security has the same policies on every tenant table', async () => {
    const policies = await owner<{
      table: string
      name: string
      cmd: string
      to: string
      using: string
      check: string
    }>(
      `SELECT tablename AS table, policyname AS name, cmd, array_to_string(roles, ',') AS to, coalesce(qual, '') AS using, coalesce(with_check, '') AS check FROM pg_policies WHERE schemaname = 'public' ORDER BY 1, 2`,
    )
    const mine = '(client_id = current_client())'
    const system = { name: 'system', cmd: 'ALL', to: 'stanchion_system', using: 'true', check: 'true' }
    const wall = [
      { name: 'reader', cmd: 'SELECT', to: 'stanchion_reader', using: 'true', check: '' },
      system,
      { name: 'tenant', cmd: 'ALL', to: 'stanchion_tenant', using: mine, check: mine },
    ]
    const template = { name: 'template', cmd: 'SELECT', to: 'stanchion_tenant', using: '(client_id = 0)', check: '' }
    const templates = new Set(
      engine.resources.filter((r) => r.tenant === 'own or template').flatMap((r) => [r.table, r.wordsIn ?? r.table]),
    )
    for (const t of new Set([...tenantTables(), ...SECRET])) {
      const found = policies.filter((p) => p.table === t)
      const [reader, , tenant] = wall
      const expected = SECRET.includes(t) ? [system] : templates.has(t) ? [reader, system, template, tenant] : wall
      expect(found).toEqual(expected.map((p) => ({ table: t, ...p })))
    }
  })

  test("the portal's roles cannot sign in, cannot bypass row-level security, and own nothing", async () => {
    const rows = await owner<Record<string, unknown>>(
      `SELECT rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb,
              (SELECT count(*)::int FROM pg_class c WHERE c.relowner = r.oid) AS owns,
              (SELECT count(*)::int FROM pg_auth_members m WHERE m.member = r.oid) AS member
       FROM pg_roles r WHERE rolname = ANY($1) ORDER BY 1`,
      [ROLES],
    )
    expect(rows.map((r) => r.rolname)).toEqual([...ROLES].sort())
    for (const { rolname, ...r } of rows)
      expect([rolname, r]).toEqual([
        rolname,
        {
          rolsuper: false,
          rolbypassrls: false,
          rolcanlogin: false,
          rolcreaterole: false,
          rolcreatedb: false,
          owns: 0,
          member: 0,
        },
      ])
  })

  test('every function runs with the rights of its caller', async () => {
    const found = await owner(
      `SELECT proname FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND prosecdef AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
    )
    expect(found).toEqual([])
  })
})

describe('grants in the schema', () => {
  const may = async (role: string, table: string) => {
    const [row] = await owner<Record<string, boolean>>(
      `SELECT ${['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'].map((p) => `has_table_privilege($1, $2::regclass, '${p}') AS "${p}"`).join(', ')}`,
      [role, `public.${table}`],
    )
    return Object.keys(row ?? {}).filter((p) => row?.[p])
  }

  test('the reader role may read but not write', async () => {
    for (const t of tables())
      expect([t, await may('stanchion_reader', t)]).toEqual([
        t,
        SECRET.includes(t) || t === 'migration' ? [] : ['SELECT'],
      ])
  })

  test('the tenant role cannot read secrets or delete shared data', async () => {
    const expected = (t: string) =>
      SECRET.includes(t) || t === 'migration'
        ? []
        : APPEND_ONLY.includes(t)
          ? ['SELECT', 'INSERT']
          : find(t, 'client_id')
            ? ['SELECT', 'INSERT', 'UPDATE', 'DELETE']
            : engine.resources.some((r) => r.table === t && (r.allow.create || r.allow.update))
              ? ['SELECT', 'INSERT', 'UPDATE']
              : ['SELECT']
    for (const t of tables()) expect([t, await may('stanchion_tenant', t)]).toEqual([t, expected(t)])
  })

  test('no role may truncate a table, and append-only tables permit only SELECT and INSERT', async () => {
    for (const t of tables())
      for (const role of ROLES) expect([t, role, (await may(role, t)).includes('TRUNCATE')]).toEqual([t, role, false])
    for (const t of APPEND_ONLY)
      for (const role of ROLES) {
        const rights = await may(role, t)
        expect([t, role, rights.filter((p) => p !== 'SELECT' && p !== 'INSERT')]).toEqual([t, role, []])
      }
  })
})
