import { choice, type Field, instant, json, labelFromName, link, strings, text } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { user } from '#modules/identity/people/user.ts'
import { bothLeadsVisibleRowRules, contact, supportedContact } from '../contacts/contact.ts'
import { duplicatePair } from '../duplicates/pair.ts'
import { mailMessage } from '../mail/message.ts'

export const MERGE_UNDO_DAYS = 30

/** A merge of two leads, with all the data needed to undo it. Creating the record performs the merge. */
export const leadMerge = resource({
  type: 'LeadMerge',
  service: 'crm',
  path: 'merges',
  table: 'lead_merge',
  tenant: 'own',
  order: ['-id'],
  state: 'state',
  fields: {
    survivor: link(() => contact, {
      required: true,
      filter: true,
      embed: ['companyName', 'name'],
      label: 'Lead',
    }),
    merged: link(() => contact, {
      required: true,
      filter: true,
      embed: ['companyName', 'name'],
      label: 'Merged lead',
    }),
    take: strings({ default: [], label: 'Fields whose value is taken from the merged lead' }),
    /** Fingerprint of both leads, taken from the preview, so that users can merge only what they have seen. */
    fingerprint: text({ required: 'Please check the merge preview first', writeOnly: true, max: 40 }),
    author: link(() => user, { readonly: true, filter: true, embed: ['name'], label: 'Merged by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Merged' }),
    until: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Can be undone until' }),
    state: choice(
      [
        { value: 'merged', label: 'Merged' },
        { value: 'undone', label: 'Undone' },
      ],
      { readonly: true, default: 'merged', filter: true, count: true },
    ),
    undoneAt: instant({ readonly: true, label: 'Undone' }),
    undoneBy: text({ readonly: true, person: true, label: 'Undone by' }),
    kept: json({ readonly: true, visible: 'nobody' }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_STAFF', rows: bothLeadsVisibleRowRules('survivor', 'merged') },
  actions: {
    undo: {
      path: 'undo',
      title: 'Undo merge',
      allow: 'ROLE_STAFF',
      from: ['merged'],
      to: 'undone',
      input: {},
      rows: [{ unless: 'ROLE_LEADS_ADMIN', only: only.mine('author') }],
    },
  },
})

/** Resources that stay with a merged lead, because they describe the leads themselves. */
export const RESOURCES_NOT_MOVED_BY_MERGE: readonly Resource[] = [contact, leadMerge, duplicatePair]
/**
 * Tables with one row per lead. If both leads have a row, the survivor's row is used and the other lead's row is not
 * moved.
 */
const ONE_EACH: ReadonlySet<string> = new Set([supportedContact.table])

/** Rows that refer to a lead through a column that contains its ID or URL. */
export interface LeadRelation {
  readonly table: string
  readonly column: string
  readonly by: 'id' | 'address'
  readonly oneEach: boolean
  /** Label of the relation in the plural. */
  readonly words: string
}

const RELATION_LABELS: Readonly<Record<string, string>> = {
  Note: 'notes',
  Sale: 'sales',
  Quote: 'quotes',
  Customer: 'billing customers',
  LeadFile: 'files',
  ContactPerson: 'people',
  ImportLine: 'import lines',
  Referral: 'referrals',
  Supported: 'support records',
  InsuranceSale: 'insurance sales',
  DoNotCallNumber: 'do-not-call entries',
  LetterCopy: 'letters by post',
  LetterRefusal: 'letter opt-outs',
}

/**
 * Returns all relations that a merge moves: every resource, in any module, with a field that links to a lead, and
 * e-mails about the lead. The relations are derived from the declarations, so that new ones are included automatically.
 */
export function findLeadRelations(resources: readonly Resource[]): LeadRelation[] {
  const found = new Map<string, LeadRelation>()
  for (const r of resources) {
    if (RESOURCES_NOT_MOVED_BY_MERGE.includes(r)) continue
    for (const [name, f] of Object.entries<Field>(r.fields)) {
      const column = r.columns[name]
      if (f.kind !== 'link' || !column || f.target?.() !== contact || found.has(`${r.table}.${column}`)) continue
      const words = RELATION_LABELS[r.type] ?? `${labelFromName(r.type).toLowerCase()}s`
      found.set(`${r.table}.${column}`, { table: r.table, column, by: 'id', oneEach: ONE_EACH.has(r.table), words })
    }
  }
  const letters = {
    table: mailMessage.table,
    column: 'about',
    by: 'address',
    oneEach: false,
    words: 'letters',
  } as const
  return [...found.values(), letters]
}
