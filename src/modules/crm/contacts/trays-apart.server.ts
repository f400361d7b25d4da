import type { Query } from '#server/data/filters.ts'
import type { Condition } from '#server/data/query-values.ts'

/** Who asks by one of these means certain leads, wherever they are. */
const NAMES_LEADS = new Set([
  'q',
  'id',
  'owner',
  'name',
  'companyName',
  'companyNumber',
  'phone',
  'mobile',
  'email',
  'postcode',
  'customer',
  'client',
  'lastResult',
  'doNotCall',
  'importBatch',
  'mergedInto',
])

const BY_RESULT = 'lastResult.category'

/** `owner.tray`, `exists[owner]`, `id[]` → `owner`, `owner`, `id` */
const fieldOf = (key: string) => (/^exists\[(\w+)/.exec(key) ?? /^(\w+)/.exec(key))?.[1] ?? key

/** What is in a tray is put away: a list of everybody’s leads, of all or of what is due, is without it. */
export const IN_NO_TRAY =
  'NOT EXISTS (SELECT 1 FROM staff s WHERE s.client_id = t.client_id AND s.id = t.owner_id AND s.tray)'

/** Leaves trays out of lists, unless a query asks for them or for leads by what they are. */
export const traysApart = (query: Query): readonly Condition[] =>
  Object.entries(query).some(
    ([key, v]) => v !== undefined && v !== '' && key !== BY_RESULT && NAMES_LEADS.has(fieldOf(key)),
  )
    ? []
    : [{ sql: () => IN_NO_TRAY }]
