import { date, flag, integer, link, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { only, type RowRule } from '#kernel/row-rules.ts'
import { TEMPLATE_MANAGERS } from '#modules/documents/rights.ts'
import { documentForAccess, fileReference } from '#modules/documents/used-files.ts'
import { answerForAccess } from '#modules/safety/used-in-answers.ts'
import { substanceForAccess } from '#modules/safety/used-sheets.ts'
import { client } from '../clients/client.ts'
import { documentFolder, FILE_ADMINS, FILE_MANAGERS, FILE_USERS } from './document-folder.ts'
import { DEFAULT_REMINDER_DAYS, MAX_REMINDER_DAYS } from './expiry.ts'
import { INTERNAL_FIELD, storedFileFields } from './stored-file.ts'

/**
 * Files used by documents that the reader may read, by rules that themselves decide who reads documents of all
 * companies.
 */
const usedByDocuments = [
  only.usedBy(() => fileReference, { as: 'file', by: 'document' }),
  only.namedBy(() => documentForAccess, { column: 'files' }),
]
const readable = only.either(
  only.mine('userId'),
  only.templates('client'),
  only.ofReadable('folder'),
  ...usedByDocuments,
  only.usedBy(() => substanceForAccess, { as: 'sheet', by: 'substance' }),
  only.namedBy(() => answerForAccess, { column: 'files' }),
)

/**
 * A file is read by whoever brought it, by those who read its folder, and with the document that uses it, the substance whose data
 * sheet it is or the form that was filled in with it; in no folder, by nobody else but those who keep all files of the company. Who reads documents of other companies reads of
 * their files those that these use, and changes none. Who does not write documents changes their own.
 */
const SEEN: readonly RowRule[] = [
  {
    unless: [],
    only: only.either(only.ofMyCompany('client'), only.templates('client'), ...usedByDocuments),
    verbs: ['read'],
  },
  { unless: [], only: only.ofMyCompany('client'), verbs: ['update'] },
  { unless: FILE_ADMINS, only: readable },
  { unless: FILE_MANAGERS, only: only.mine('userId'), verbs: ['update'] },
]

/** Users without access to all files manage only their own. */
const KEPT: readonly RowRule[] = [
  { unless: [], only: only.ofMyCompany('client') },
  { unless: FILE_MANAGERS, only: only.mine('userId') },
]

/**
 * A file uploaded by a user. Created by `POST /api/safety/uploads/{client}`, retired, never deleted. Other records
 * refer to it and pass the reference on when copied, so everybody can read client 0's. A replaced version stays
 * unchanged for its references; lists show the newest unless asked for others.
 */
export const uploadedDocument = resource({
  type: 'UploadedDocument',
  service: 'safety',
  path: 'uploaded_documents',
  table: 'uploaded_document',
  tenant: 'own or template',
  title: 'name',
  order: ['-id'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    name: text({ readonly: true, notNull: true, search: true, filter: 'partial', order: true }),
    label: text({ default: '', search: true, order: true, max: 200, stripInvisible: true }),
    folder: link(() => documentFolder, { filter: true }),
    ...storedFileFields,
    retired: flag({ filter: true }),
    version: integer({ readonly: true, notNull: true, filter: true, order: true }),
    /** The previous version. */
    replaces: link((): Resource => uploadedDocument, { readonly: true, filter: true }),
    /** True if there is a newer version. */
    replaced: flag({ readonly: true, filter: true }),
    /** Number of the earlier version that this one restores. */
    restoredFrom: integer({ readonly: true }),
    /** User who uploaded the first version. */
    keeper: text({ readonly: true, notNull: true, person: true, filter: true, label: 'Owner' }),
    expires: date({ filter: true, order: true, help: 'The last day on which it is valid.' }),
    remindDays: integer({
      default: DEFAULT_REMINDER_DAYS,
      min: 0,
      max: MAX_REMINDER_DAYS,
      label: 'Reminder, days in advance',
      help: 'The owner is notified once, this many days before it expires.',
    }),
    /** ID of the first version, shared by all versions. */
    entry: integer({ ...INTERNAL_FIELD, notNull: true }),
  },
  actions: {
    restoreVersion: {
      path: 'restore_version',
      title: 'Restore an earlier version as a new version',
      allow: FILE_USERS,
      input: {},
      rows: KEPT,
    },
  },
  allow: { read: FILE_USERS, update: FILE_USERS, allTenants: TEMPLATE_MANAGERS, rows: SEEN },
})
