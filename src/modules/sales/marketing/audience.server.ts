import type { Condition } from '#server/data/query-values.ts'

/** No "no", and no blank: an address. */
export const hasAddress: Condition = { sql: () => "t.email LIKE '%_@_%'" }
export const hasConsent: Condition = {
  sql: () =>
    'EXISTS (SELECT FROM marketing_consent m WHERE m.client_id = t.client_id AND lower(m.address) = lower(t.email) AND NOT m.withdrawn)',
}
/** Who wants no letters, or does not get them, is left out whatever they once said. */
const isClear: Condition = {
  sql: () =>
    'NOT EXISTS (SELECT FROM email_suppression s WHERE s.client_id = t.client_id AND lower(s.address) = lower(t.email) AND NOT s.retired)',
}
/** Leads that may be sent news. */
export const WRITABLE: readonly Condition[] = [hasAddress, hasConsent, isClear]
