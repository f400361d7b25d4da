import type { BenchGuard } from '../guard-list.ts'
import type { BenchOperation } from '../systems.ts'

/** A safeguard that a hand-written server would not have, and how to switch it off for this benchmark only. */
export interface Safeguard {
  readonly name: string
  readonly figures: readonly BenchOperation[]
  /** Source texts that are changed in the benchmark's process to switch the safeguard off. */
  readonly texts?: readonly Omit<BenchGuard, 'name'>[]
  /** SQL that removes the safeguard from a copy of the database. */
  readonly sql?: string
  /** Extra request headers for the comparison, such as an idempotency key. */
  readonly headers?: (n: number) => Record<string, string>
}

const READS = ['list', 'get', 'search'] as const
const WRITES = ['create', 'update', 'process'] as const
const ALL_FIGURES = [...READS, ...WRITES] as const

const LIMITS_FIELDS =
  "['name','companyName','companyNumber','phone','mobile','email','owner','expiry','callbackDate','lastResult','businessType','updatedAt','retired']"

/** Builds SQL that runs a statement for each row of a query, for example for each table. */
const forEach = (query: string, text: string) =>
  `DO $$ DECLARE r record; BEGIN FOR r IN ${query} LOOP EXECUTE format(${text}); END LOOP; END $$`
/** Builds SQL that redefines the trigger for new leads without some of its statements. */
const addedWithout = (left: string) => `DO $do$ DECLARE source text; BEGIN
  SELECT prosrc INTO source FROM pg_proc WHERE proname = 'contacts_added';
  EXECUTE format('CREATE OR REPLACE FUNCTION contacts_added() RETURNS trigger LANGUAGE plpgsql AS %L', regexp_replace(source, '${left}', '', 'g'));
END $do$`

const SAMENESS = addedWithout('INSERT INTO contact_key [^;]*;')
const DROP_SEARCH_WORDS = addedWithout('INSERT INTO contact_search\\M[^;]*;')
const COUNTS = `${addedWithout('INSERT INTO contact_count [^;]*;')}; ALTER TABLE contact DISABLE TRIGGER contact_recounted`
const ROW_SECURITY = forEach(
  'SELECT oid::regclass AS name FROM pg_class WHERE relrowsecurity',
  "'ALTER TABLE %s DISABLE ROW LEVEL SECURITY', r.name",
)
const FOREIGN_KEYS = forEach(
  "SELECT conrelid::regclass AS name, conname FROM pg_constraint WHERE contype = 'f' AND conrelid IN ('contact'::regclass, 'note'::regclass)",
  "'ALTER TABLE %s DROP CONSTRAINT %I', r.name, r.conname",
)
const INDEXES = 'DROP INDEX contact_batch, contact_customer, contact_due, contact_callback, audit_row'

const AUDIT = {
  file: 'src/server/data/writing/pending-write.ts',
  text: 'if (entries.length) parts.push(',
  switched: (off: string) => `if (entries.length && !${off}) parts.push(`,
}
const TAG = {
  file: 'src/server/http/app.ts',
  text: 'const etag = etagOf(text)',
  switched: (off: string) => `const etag = ${off} ? '"0"' : etagOf(text)`,
}
const SESSION = {
  file: 'src/server/http/app.ts',
  text: ': await authenticate(facts.token, facts)\n',
  switched: (off: string) =>
    `: ${off} && globalThis.known ? globalThis.known : (globalThis.known = await authenticate(facts.token, facts))\n`,
}
const SHARES = {
  file: 'src/server/http/request-limits.ts',
  text: '    if (upload || takesOwnTurns) return work()\n',
  switched: (off: string) => `    if (${off} || upload || takesOwnTurns) return work()\n`,
}
const VALIDATION = {
  file: 'src/server/engine/save.ts',
  text: 'const violations = violationsOf(r, whole, changes, changesOnly)',
  switched: (off: string) => `const violations = ${off} ? [] : violationsOf(r, whole, changes, changesOnly)`,
}
const LEASE = {
  file: 'src/modules/crm/contacts/queue.server.ts',
  text: 'return readLead(conn, actor, text, v)\n}\n\nasync function readLead',
  switched: (off: string) =>
    `return readLead(conn, actor, ${off} ? text.replace(/UPDATE contact c SET .*\\n *FROM pick/, 'SELECT c.* FROM pick, contact c').replace(' RETURNING c.*', '').replaceAll(' FOR UPDATE SKIP LOCKED', '') : text, v)\n}\n\nasync function readLead`,
}
const WIDTH = {
  file: 'src/server/data/plan.ts',
  text: '    if (f.writeOnly ||',
  switched: (off: string) =>
    `    if (${off} && actor && r.type === 'Contact' && !${LIMITS_FIELDS}.includes(name)) continue\n    if (f.writeOnly ||`,
}
const EMBEDDED = {
  file: 'src/server/data/plan.ts',
  text: 'if (!f.embed) {',
  switched: (off: string) => `if (!f.embed || (${off} && actor && r.type === 'Contact')) {`,
}
/**
 * Select plans are cached for each kind of reader. In this benchmark, the cache key also includes the safeguards that
 * are off.
 */
const PLANS = {
  file: 'src/server/data/plan.ts',
  text: 'made.get(key) ?? makePlan(r, actor, list)\n  made.set(key, plan)',
  switched: () => 'made.get(guardsOff + key) ?? makePlan(r, actor, list)\n  made.set(guardsOff + key, plan)',
}
const STATEMENTS = {
  file: 'src/server/data/queries.ts',
  text: 'known?.has(key) ? known.get(key) : oneStatement(r, actor, options)\n  known?.set(key, one)',
  switched: () =>
    'known?.has(guardsOff + key) ? known.get(guardsOff + key) : oneStatement(r, actor, options)\n  known?.set(guardsOff + key, one)',
}
const NARROW = [WIDTH, PLANS, STATEMENTS]

export const SAFEGUARDS: readonly Safeguard[] = [
  { name: 'nothing', figures: ALL_FIGURES, texts: [] },
  { name: 'nothing, on two databases', figures: WRITES, sql: 'SELECT 1' },
  { name: 'audit', figures: WRITES, texts: [AUDIT] },
  { name: 'row-level security', figures: WRITES, sql: ROW_SECURITY },
  { name: 'foreign keys', figures: WRITES, sql: FOREIGN_KEYS },
  { name: 'keys for finding duplicates', figures: ['create'], sql: SAMENESS },
  { name: 'the search index', figures: ['create'], sql: DROP_SEARCH_WORDS },
  { name: 'counts by category', figures: ['create', 'process'], sql: COUNTS },
  { name: 'indexes that the limit does not have', figures: WRITES, sql: INDEXES },
  { name: 'the lease of the next lead', figures: ['process'], texts: [LEASE] },
  { name: 'validation', figures: ['create', 'update'], texts: [VALIDATION] },
  { name: 'the session', figures: ['get'], texts: [SESSION] },
  { name: 'request limits per user and client', figures: ['get'], texts: [SHARES] },
  { name: 'the ETag of the response', figures: ['list', 'get'], texts: [TAG] },
  { name: 'fields that the limit does not send', figures: READS, texts: NARROW },
  { name: 'those fields and the embedded relations', figures: READS, texts: [...NARROW, EMBEDDED] },
  {
    name: 'an Idempotency-Key (its cost, shown as a saving)',
    figures: ['create', 'process'],
    headers: (n) => ({ 'idempotency-key': `walls-${n}` }),
  },
  {
    name: 'all of the above',
    figures: ALL_FIGURES,
    texts: [AUDIT, VALIDATION, SESSION, SHARES, TAG, ...NARROW, EMBEDDED],
    sql: [ROW_SECURITY, FOREIGN_KEYS, SAMENESS, DROP_SEARCH_WORDS, COUNTS, INDEXES].join('; '),
  },
]

/** All switchable source texts, without duplicates; safeguards refer to them by index. */
const TEXTS = [...new Set(SAFEGUARDS.flatMap(({ texts = [] }) => texts))]
export const SAFEGUARD_SWITCHES: readonly BenchGuard[] = TEXTS.map((text, n) => ({
  name: `${text.file}, ${n}`,
  ...text,
}))
export const findSafeguardSwitchIndexes = ({ texts = [] }: Safeguard): readonly number[] =>
  texts.map((text) => TEXTS.indexOf(text))
