import type { Condition } from '#server/data/query-values.ts'

/** Has an address: neither a refusal nor blank. */
export const hasAddress: Condition = { sql: () => "t.email LIKE '%_@_%'" }
export const hasConsent: Condition = {
  sql: () =>
    'EXISTS (SELECT FROM marketing_consent m WHERE m.client_id = t.client_id AND lower(m.address) = lower(t.email) AND NOT m.withdrawn)',
}
/** Leaves out addresses that opted out or bounced, despite any consent. */
const isClear: Condition = {
  sql: () =>
    'NOT EXISTS (SELECT FROM email_suppression s WHERE s.client_id = t.client_id AND lower(s.address) = lower(t.email) AND NOT s.retired)',
}
/** Conditions for leads that may receive marketing e-mails. */
export const MAY_EMAIL: readonly Condition[] = [hasAddress, hasConsent, isClear]
