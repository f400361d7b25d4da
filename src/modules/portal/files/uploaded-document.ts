import { date, flag, integer, link, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { only, type RowRule } from '#kernel/row-rules.ts'
import { KEEPERS } from '#modules/documents/rights.ts'
import { fileReference, readDocument } from '#modules/documents/used-files.ts'
import { readAnswer } from '#modules/safety/used-in-answers.ts'
import { sheetOfSubstance } from '#modules/safety/used-sheets.ts'
import { client } from '../clients/client.ts'
import { documentFolder, FILE_ADMINS, FILE_KEEPERS, FILE_PEOPLE } from './document-folder.ts'
import { LONGEST_NOTICE, USUAL_NOTICE } from './expiry.ts'
import { inside, storedFields } from './stored-file.ts'

/** Files that a document uses which the reader may read: by rules that say themselves who reads documents of every company. */
const usedByDocuments = [
  only.usedBy(() => fileReference, { as: 'file', by: 'document' }),
  only.namedBy(() => readDocument, { column: 'files' }),
]
const readable = only.either(
  only.mine('userId'),
  only.templates('client'),
  only.ofReadable('folder'),
  ...usedByDocuments,
  only.usedBy(() => sheetOfSubstance, { as: 'sheet', by: 'substance' }),
  only.namedBy(() => readAnswer, { column: 'files' }),
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
  { unless: FILE_KEEPERS, only: only.mine('userId'), verbs: ['update'] },
]

/** Who has not all files of the company to keep, keeps their own. */
const KEPT: readonly RowRule[] = [
  { unless: [], only: only.ofMyCompany('client') },
  { unless: FILE_KEEPERS, only: only.mine('userId') },
]

/**
 * A file that somebody uploaded. It is made by `POST /api/safety/uploads/{client}`, retired and never removed. Records of
 * other kinds refer to it and pass the reference on when they are copied, so client 0's can be read by everybody. One that is replaced by
 * a new version stays as it was, for whatever refers to it; lists have the newest unless they are asked for others.
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
    ...storedFields,
    retired: flag({ filter: true }),
    version: integer({ readonly: true, notNull: true, filter: true, order: true }),
    /** The version before it. */
    replaces: link((): Resource => uploadedDocument, { readonly: true, filter: true }),
    /** Is there a newer version? */
    replaced: flag({ readonly: true, filter: true }),
    /** The number of the earlier version that this one is again. */
    restoredFrom: integer({ readonly: true }),
    /** Who brought the first version. */
    keeper: text({ readonly: true, notNull: true, person: true, filter: true, label: 'Kept by' }),
    expires: date({ filter: true, order: true, help: 'The last day on which it holds.' }),
    remindDays: integer({
      default: USUAL_NOTICE,
      min: 0,
      max: LONGEST_NOTICE,
      label: 'Reminder, days before',
      help: 'Whoever keeps it is told once, so many days before it expires.',
    }),
    /** The id of the first version, which all of them share. */
    entry: integer({ ...inside, notNull: true }),
  },
  actions: {
    restoreVersion: {
      path: 'restore_version',
      title: 'Make an earlier version the newest again, as a version more',
      allow: FILE_PEOPLE,
      input: {},
      rows: KEPT,
    },
  },
  allow: { read: FILE_PEOPLE, update: FILE_PEOPLE, allTenants: KEEPERS, rows: SEEN },
})
