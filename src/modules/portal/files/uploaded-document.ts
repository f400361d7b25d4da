import { date, flag, instant, integer, link, strings, text, typedJson } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { type Actor, authorOf, hasRole } from '#kernel/roles.ts'
import { type AccessRule, only } from '#kernel/row-rules.ts'
import type { FoundPart } from '#kernel/text.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { documentForAccess, fileReference, TEMPLATE_MANAGER_ROLES } from '#modules/documents/rights.ts'
import { formAnswerForFileAccess, substanceForFileAccess } from '#modules/safety/sheet-access.ts'
import { client } from '../clients/client.ts'

/**
 * Roles that may read all of a client's files and decide who else may. For provider users, this applies in client 0
 * only.
 */
export const FILE_ADMIN_ROLES = ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN', 'ROLE_STAFF'] as const
/** Roles that may create folders, and move and label files. They include document authors. */
const FILE_MANAGERS = [...FILE_ADMIN_ROLES, 'ROLE_SAFETY_AUTHOR'] as const
/** Roles that may upload files, and read the files they have access to. */
export const FILE_USER_ROLES = [...FILE_MANAGERS, 'ROLE_EMPLOYEE', 'ROLE_HR'] as const

/**
 * Returns true if the actor may move and label a file. File managers may change any file, other users only their own.
 */
export const canChangeFile = (actor: Actor, file: { readonly keeper: string }): boolean =>
  hasRole(actor, FILE_MANAGERS) || file.keeper === authorOf(actor).username

/** Default audience of a folder: document authors only. Administrators can add other roles. */
export const DEFAULT_FOLDER_AUDIENCE = ['ROLE_SAFETY_AUTHOR']

/** Access rule that lets a folder's audience read the folder. */
const READABLE: AccessRule = { unless: FILE_ADMIN_ROLES, only: only.forMe('audience') }

/** A folder in the file manager, whose audience may read its files. Only an empty folder can be retired. */
export const documentFolder = resource({
  type: 'DocumentFolder',
  service: 'safety',
  path: 'document_folders',
  table: 'document_folder',
  tenant: 'own or template',
  title: 'name',
  order: ['name'],
  unpaginated: true,
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    name: text({
      required: 'Please enter a name',
      max: 100,
      stripInvisible: true,
      filter: 'partial',
      order: true,
    }),
    parent: link((): Resource => documentFolder, { filter: true, label: 'Parent folder' }),
    audience: strings({
      default: DEFAULT_FOLDER_AUDIENCE,
      notWhileImpersonating: true,
      editable: FILE_ADMIN_ROLES,
      label: 'Visible to',
      help: 'Roles that may read the files in the folder. If no role is set, everybody in the company may read the files.',
    }),
    downloads: flag({
      notWhileImpersonating: true,
      filter: true,
      editable: FILE_ADMIN_ROLES,
      label: 'Downloads',
      help: 'Lists the folder’s files under Downloads, for everybody who can read the folder.',
    }),
    hrTemplates: flag({
      notWhileImpersonating: true,
      filter: true,
      editable: FILE_ADMIN_ROLES,
      label: 'HR templates',
      help: 'Lists the folder’s files under People > Downloads, for human resources.',
    }),
    retired: flag({ filter: true }),
  },
  allow: {
    read: FILE_USER_ROLES,
    create: FILE_MANAGERS,
    update: FILE_MANAGERS,
    whileImpersonating: ['create', 'update'],
    rows: [READABLE],
  },
})

/** Options for fields that only the server reads. */
export const SERVER_ONLY_FIELD = { readonly: true, visible: 'nobody' } as const
const always = { readonly: true, notNull: true } as const

/** Fields of every uploaded file, including its storage keys. */
export const storedFileFields = {
  /** MIME type, detected from the file's content. */
  type: text({ ...always, filter: 'start', order: true }),
  /** Size in bytes. */
  size: integer({ ...always, order: true }),
  /** Width of a picture in pixels, after rotation. */
  width: integer({ readonly: true }),
  height: integer({ readonly: true }),
  /** SHA-256 hash of the uploaded file, in hexadecimal. */
  checksum: text({ ...always, filter: true }),
  author: text({ readonly: true, stamp: 'author', filter: true, order: true, label: 'Uploaded by' }),
  createdAt: instant({ readonly: true, filter: true, order: true, label: 'Uploaded' }),
  /**
   * URL of the content. For pictures it returns the display version; with `?original=true` it returns the uploaded
   * file.
   */
  url: text({ readonly: true }),
  /** URL of a picture's thumbnail, which is at most 320 pixels wide and high. */
  thumbnailUrl: text({ readonly: true }),
  userId: integer(SERVER_ONLY_FIELD),
  fileKey: text({ ...SERVER_ONLY_FIELD, notNull: true }),
  viewKey: text(SERVER_ONLY_FIELD),
  viewType: text(SERVER_ONLY_FIELD),
  viewSize: integer(SERVER_ONLY_FIELD),
  thumbnailKey: text(SERVER_ONLY_FIELD),
} as const

/** A resource whose records are files. All such resources share the rules for uploads and downloads. */
export type FileResource = Resource<typeof storedFileFields & { readonly name: ReturnType<typeof text> }>

/** Default and maximum number of days before expiry at which the owner is reminded. */
export const DEFAULT_REMINDER_DAYS = 30
export const MAX_REMINDER_DAYS = 365

interface Expiring {
  readonly expires: string | null
  readonly remindDays: number | null
}

/** Expiry status of a file. A file is valid up to and including its expiry date. */
type FileExpiry =
  | { readonly stands: 'never' }
  | { readonly stands: 'holds' | 'soon' | 'expired'; readonly days: number; readonly words: string }

/** Returns a file's expiry status on a given day. The status is `soon` from the day of the reminder. */
export function fileExpiryStatus({ expires, remindDays }: Expiring, today: string): FileExpiry {
  if (!expires) return { stands: 'never' }
  const days = Temporal.PlainDate.from(today).until(Temporal.PlainDate.from(expires)).days
  if (days < 0) return { stands: 'expired', days, words: 'Expired' }
  const on = formatIsoDateAsUk(expires)
  if (days > (remindDays ?? DEFAULT_REMINDER_DAYS)) return { stands: 'holds', days, words: `Expires ${on}` }
  return {
    stands: 'soon',
    days,
    words: days === 0 ? 'Expires today' : days === 1 ? 'Expires tomorrow' : `Expires in ${days} days`,
  }
}

/** Conditions that give access to files in documents that the user may read, including other companies' documents. */
const usedByDocuments = [
  only.usedBy(() => fileReference, { as: 'file', by: 'document' }),
  only.namedBy(() => documentForAccess, { column: 'files' }),
]
const readable = only.either(
  only.mine('userId'),
  only.templates('client'),
  only.ofReadable('folder'),
  ...usedByDocuments,
  only.usedBy(() => substanceForFileAccess, { as: 'sheet', by: 'substance' }),
  only.namedBy(() => formAnswerForFileAccess, { column: 'files' }),
)

/**
 * Access rules for files. A file may be read by its uploader, its folder's audience, and everybody who may read a
 * document that uses it, the substance whose data sheet it is, or the form that was submitted with it. Otherwise, only
 * file administrators may read a file that is in no folder. Users who may read other companies' documents may read the
 * files in them but not change them. Users who are not file managers may change only their own files.
 */
const SEEN: readonly AccessRule[] = [
  {
    unless: [],
    only: only.either(only.ofMyCompany('client'), only.templates('client'), ...usedByDocuments),
    verbs: ['read'],
  },
  { unless: [], only: only.ofMyCompany('client'), verbs: ['update'] },
  { unless: FILE_ADMIN_ROLES, only: readable },
  { unless: FILE_MANAGERS, only: only.mine('userId'), verbs: ['update'] },
]

/** Access rules for managing files: users who are not file managers may manage only their own files. */
const MANAGE_RULES: readonly AccessRule[] = [
  { unless: [], only: only.ofMyCompany('client') },
  { unless: FILE_MANAGERS, only: only.mine('userId') },
]

/**
 * A file uploaded by a user. Created by `POST /api/safety/uploads/{client}`; it can be retired but never deleted.
 * Copies of a record refer to the same file as the original, so users of all clients can read client 0's files. A
 * replaced version remains unchanged for the records that refer to it; lists show only the newest version unless others
 * are requested.
 */
export const uploadedDocument = resource({
  type: 'UploadedDocument',
  service: 'safety',
  path: 'uploaded_documents',
  table: 'uploaded_document',
  wordsIn: 'uploaded_document_words',
  tenant: 'own or template',
  title: 'name',
  order: ['-id'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    name: text({ readonly: true, notNull: true, search: true, filter: 'partial', order: true }),
    label: text({ default: '', search: true, order: true, max: 200, stripInvisible: true }),
    folder: link(() => documentFolder, { notWhileImpersonating: true, filter: true }),
    ...storedFileFields,
    retired: flag({ filter: true }),
    /** Reason for retiring, which HR templates need; empty for a file in use. */
    retireReason: text({ default: '', max: 1000 }),
    version: integer({ readonly: true, notNull: true, filter: true, order: true }),
    /** The previous version of the file. */
    replaces: link((): Resource => uploadedDocument, { readonly: true, filter: true }),
    /** True if a newer version exists. */
    replaced: flag({ readonly: true, filter: true }),
    /** Number of the earlier version that this one restores. */
    restoredFrom: integer({ readonly: true }),
    /** True if the file is a PDF that opens only with a password. It is read some seconds after the upload. */
    locked: flag({ readonly: true, filter: true, label: 'Opens only with a password' }),
    /** User who uploaded the first version. */
    keeper: text({ readonly: true, notNull: true, person: true, filter: true, label: 'Owner' }),
    expires: date({
      notWhileImpersonating: true,
      filter: true,
      order: true,
      help: 'The last day on which the file is valid.',
    }),
    remindDays: integer({
      notWhileImpersonating: true,
      default: DEFAULT_REMINDER_DAYS,
      min: 0,
      max: MAX_REMINDER_DAYS,
      label: 'Reminder (days in advance)',
      help: 'The owner is notified once, this many days before the file expires.',
    }),
    /** ID of the file's first version, which all its versions share. */
    entry: integer({ ...SERVER_ONLY_FIELD, notNull: true }),
    found: typedJson<FoundPart | null>()({
      readonly: true,
      label: 'Found in',
      help: 'Where the text of `q` occurs, if not in the name or label alone. Only in lists.',
      sql: 'file_found(t.client_id, t.id, {search}, {reader})',
    }),
  },
  actions: {
    restoreVersion: {
      path: 'restore_version',
      title: 'Restore an earlier version as a new version',
      whileImpersonating: true,
      allow: FILE_USER_ROLES,
      input: {},
      rows: MANAGE_RULES,
    },
  },
  allow: {
    read: FILE_USER_ROLES,
    update: FILE_USER_ROLES,
    whileImpersonating: ['update'],
    allTenants: TEMPLATE_MANAGER_ROLES,
    rows: SEEN,
  },
})
