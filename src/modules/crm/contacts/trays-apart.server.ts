import type { Query } from '#server/data/filters.ts'
import type { Condition } from '#server/data/query-values.ts'

/** Query parameters that ask for certain leads, wherever they are. */
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

/** Leads in trays are set aside: lists of all leads or of due leads exclude them. */
export const IN_NO_TRAY_SQL =
  'NOT EXISTS (SELECT 1 FROM staff s WHERE s.client_id = t.client_id AND s.id = t.owner_id AND s.tray)'

/** Excludes trays from lists, unless the query asks for them or for certain leads. */
export const excludeTrays = (query: Query): readonly Condition[] =>
  Object.entries(query).some(
    ([key, v]) => v !== undefined && v !== '' && key !== BY_RESULT && NAMES_LEADS.has(fieldOf(key)),
  )
    ? []
    : [{ sql: () => IN_NO_TRAY_SQL }]
