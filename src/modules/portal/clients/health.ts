import { choice, instant, integer, strings, typedJson } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { client } from './client.ts'

/**
 * Problems that a client can have, with severity and label. The database function `client_troubles` (migration 0272)
 * detects them.
 */
export const CLIENT_PROBLEMS = {
  'no-pack': { meaning: 'stop', words: 'No pack' },
  lapsed: { meaning: 'stop', words: 'Pack lapsed' },
  'no-administrator': { meaning: 'stop', words: 'No administrator' },
  'never-signed-in': { meaning: 'attention', words: 'Nobody has signed in' },
  quiet: { meaning: 'attention', words: 'No sign-in for 30 days' },
  ticket: { meaning: 'attention', words: 'Open ticket' },
} as const

export type ClientProblem = keyof typeof CLIENT_PROBLEMS

interface PackOfClient {
  readonly code: string
  readonly name: string
  readonly state: 'active' | 'lapsed'
}

const TROUBLES = 'client_troubles(t.id, t.retired)'
const OF_CLIENT = 'FROM user_account u WHERE u.client_id = t.id AND NOT u.is_retired'
const STOPS = Object.entries(CLIENT_PROBLEMS).flatMap(([name, { meaning }]) =>
  meaning === 'stop' ? [`'${name}'`] : [],
)

const { company, city, postcode, regcompno, contactname, contacttel, contactemail, isReseller, retired } = client.fields
/** Options for fields that can be changed only under the client's own URL. */
const here = { readonly: true, notNull: true } as const

/** A client's problems and last activity, for account managers. */
export const clientHealth = resource({
  type: 'ClientHealth',
  service: 'portal',
  path: 'client_health',
  table: 'client',
  tenant: 'self',
  title: 'company',
  order: ['company'],
  bulk: ['retire'],
  asksProof: ['retired'],
  fields: {
    company: { ...company, ...here, search: true },
    city: { ...city, ...here, search: true },
    postcode: { ...postcode, ...here, search: true },
    regcompno: { ...regcompno, ...here, search: true },
    contactname: { ...contactname, ...here, search: true },
    contacttel: { ...contacttel, ...here },
    contactemail: { ...contactemail, ...here, search: true },
    health: choice(
      [
        { value: 'stop', label: 'Action required' },
        { value: 'attention', label: 'Needs attention' },
        { value: 'well', label: 'Healthy' },
      ],
      {
        readonly: true,
        notNull: true,
        filter: true,
        sql: `CASE WHEN ${TROUBLES} && ARRAY[${STOPS.join(', ')}] THEN 'stop' WHEN ${TROUBLES} <> '{}' THEN 'attention' ELSE 'well' END`,
      },
    ),
    troubles: strings({ readonly: true, notNull: true, sql: TROUBLES }),
    packs: typedJson<readonly PackOfClient[]>()({
      readonly: true,
      sql: `(SELECT coalesce(jsonb_agg(jsonb_build_object('code', p.code, 'name', p.name, 'state', CASE WHEN s.has_lapsed THEN 'lapsed' ELSE 'active' END)
        ORDER BY p.id), '[]') FROM app_status s JOIN pack_product p ON p.id = s.product_id
        WHERE s.client_id = t.id AND s.status = 1 AND NOT s.retired AND NOT p.retired)`,
    }),
    people: integer({ readonly: true, sql: `(SELECT count(*)::int ${OF_CLIENT})` }),
    lastSeenAt: instant({
      readonly: true,
      label: 'Last sign-in',
      sql: `(SELECT max(u.last_login_at) ${OF_CLIENT})`,
    }),
    openTickets: integer({
      readonly: true,
      label: 'Open tickets',
      sql: "(SELECT count(*)::int FROM support_ticket k WHERE k.client_id = t.id AND k.state = 'open')",
    }),
    isReseller,
    retired,
  },
  allow: { read: 'ROLE_STAFF', update: 'ROLE_CLIENTS_ADMIN', allTenants: 'ROLE_STAFF' },
})
