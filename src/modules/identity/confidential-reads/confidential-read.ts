import { choice, instant, integer, strings, text } from '#kernel/fields.ts'
import { type RecordOf, resource } from '#kernel/resource.ts'

/** Kinds of readers from the point of view of the client that owns the record. */
const READER_KINDS = [
  { value: 'company', label: 'Your company' },
  { value: 'provider', label: 'Your provider' },
  { value: 'reseller', label: 'Your reseller' },
  { value: 'link', label: 'Holder of a link' },
] as const

const listSql = (json: string) => `ARRAY(SELECT jsonb_array_elements_text(coalesce(${json}, '[]')))`

/**
 * Entry in the log of confidential reads: the reader, the account used, the record and the names of the fields. The
 * values themselves are not in the log. `?record=` with an IRI finds the reads of a record and its parts.
 */
export const confidentialRead = resource({
  type: 'ConfidentialRead',
  service: 'portal',
  path: 'confidential_reads',
  table: 'audit',
  only: { verb: 'look' },
  tenant: 'own',
  title: 'recordName',
  order: ['-readAt'],
  appendOnly: true,
  fields: {
    readAt: instant({
      readonly: true,
      notNull: true,
      column: 'at',
      label: 'Date and time',
      filter: true,
      order: true,
    }),
    /** The real person while impersonating. Entries from before names were stored have the username. */
    name: text({
      readonly: true,
      notNull: true,
      sql: "coalesce(t.changes->>'name', t.username)",
      label: 'Read by',
    }),
    username: text({ readonly: true, notNull: true, label: 'Username', filter: 'partial' }),
    userId: integer({ readonly: true, notNull: true, label: 'User ID' }),
    asName: text({ readonly: true, inJson: 'changes', label: 'Working as' }),
    asUsername: text({ readonly: true, label: 'Working as (username)', filter: true }),
    readBy: choice(READER_KINDS, { readonly: true, inJson: 'changes', label: 'Reader', filter: true }),
    recordType: text({ readonly: true, notNull: true, column: 'type', label: 'Type', filter: true, count: true }),
    recordId: integer({ readonly: true, notNull: true, column: 'row_id', label: 'Record ID' }),
    record: text({ readonly: true, inJson: 'changes', label: 'Record address' }),
    /** Parent of the record, such as the document of a signature. */
    partOf: text({ readonly: true, inJson: 'changes', label: 'Part of' }),
    recordName: text({
      readonly: true,
      notNull: true,
      sql: "coalesce(t.changes->>'recordName', t.type || ' ' || t.row_id)",
      label: 'Record',
    }),
    fields: strings({ readonly: true, sql: listSql("t.changes->'fields'"), label: 'Field names' }),
    data: strings({
      readonly: true,
      sql: listSql("coalesce(t.changes->'data', t.changes->'fields')"),
      label: 'Data read',
    }),
    /** Reason that the reader gave, for example for an export. Most reads require none. */
    reason: text({ readonly: true, inJson: 'changes', label: 'Reason given' }),
  },
  allow: { read: 'ROLE_CLIENT_ADMIN' },
})

/** Account that the reader used while impersonating; empty otherwise. */
export const workingAsText = ({
  asName,
  asUsername,
}: Pick<RecordOf<typeof confidentialRead>, 'asName' | 'asUsername'>): string =>
  asName && asUsername ? `${asName} (${asUsername})` : (asUsername ?? '')
