import { date, flag, instant, integer, link, strings, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { type Actor, authorOf, hasRole } from '#kernel/roles.ts'
import { type AccessRule, only } from '#kernel/row-rules.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { documentForAccess, fileReference, TEMPLATE_MANAGERS } from '#modules/documents/rights.ts'
import { formAnswerForFileAccess, substanceForFileAccess } from '#modules/safety/sheet-access.ts'
import { client } from '../clients/client.ts'

/** Roles that read all files of a client and decide who else may. Provider staff have them in client 0 only. */
export const FILE_ADMINS = ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN', 'ROLE_STAFF'] as const
/** Roles that create folders, and move and label files; these include document authors. */
const FILE_MANAGERS = [...FILE_ADMINS, 'ROLE_SAFETY_AUTHOR'] as const
/** Roles that upload files and read those they have access to. */
export const FILE_USERS = [...FILE_MANAGERS, 'ROLE_EMPLOYEE'] as const

/** True if the actor may move and label a file. Managers may change any file, others only their own. */
export const canChangeFile = (actor: Actor, file: { readonly keeper: string }): boolean =>
  hasRole(actor, FILE_MANAGERS) || file.keeper === authorOf(actor).username

/** Default audience of a folder: document authors, until it is opened to others. */
export const DEFAULT_FOLDER_AUDIENCE = ['ROLE_SAFETY_AUTHOR']

/** Access rule: a folder is readable by its audience. */
const READABLE: AccessRule = { unless: FILE_ADMINS, only: only.forMe('audience') }

/** A folder of the file manager, whose audience may read its files. It can be retired once it is empty. */
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
      editable: FILE_ADMINS,
      label: 'Visible to',
      help: 'Roles that may read the files in the folder. If none is set, everybody in the company.',
    }),
    downloads: flag({
      filter: true,
      editable: FILE_ADMINS,
      label: 'Downloads',
      help: 'Lists its files under Downloads, for everybody who can read them.',
    }),
    retired: flag({ filter: true }),
  },
  allow: { read: FILE_USERS, create: FILE_MANAGERS, update: FILE_MANAGERS, rows: [READABLE] },
})

/** Options of fields that only the server reads. */
export const SERVER_ONLY_FIELD = { readonly: true, visible: 'nobody' } as const
const always = { readonly: true, notNull: true } as const

/** Fields of every uploaded file, with its storage keys. */
export const storedFileFields = {
  /** MIME type, detected from the content. */
  type: text({ ...always, filter: 'start', order: true }),
  /** Bytes. */
  size: integer({ ...always, order: true }),
  /** Pixels of a picture, after rotation. */
  width: integer({ readonly: true }),
  height: integer({ readonly: true }),
  /** SHA-256 of the uploaded file, hexadecimal. */
  checksum: text({ ...always, filter: true }),
  author: text({ readonly: true, stamp: 'author', filter: true, order: true, label: 'Uploaded by' }),
  createdAt: instant({ readonly: true, filter: true, order: true, label: 'Uploaded' }),
  /** URL of the content: for pictures the display version; `?original=true` returns the upload. */
  url: text({ readonly: true }),
  /** Thumbnail URL of a picture; at most 320 pixels wide and high. */
  thumbnailUrl: text({ readonly: true }),
  userId: integer(SERVER_ONLY_FIELD),
  fileKey: text({ ...SERVER_ONLY_FIELD, notNull: true }),
  viewKey: text(SERVER_ONLY_FIELD),
  viewType: text(SERVER_ONLY_FIELD),
  viewSize: integer(SERVER_ONLY_FIELD),
  thumbnailKey: text(SERVER_ONLY_FIELD),
} as const

/** A resource of files, which shares the rules for uploads and downloads. */
export type FileResource = Resource<typeof storedFileFields & { readonly name: ReturnType<typeof text> }>

/** Days in advance for the reminder: the default and the maximum. */
export const DEFAULT_REMINDER_DAYS = 30
export const MAX_REMINDER_DAYS = 365

interface Expiring {
  readonly expires: string | null
  readonly remindDays: number | null
}

/** Expiry status of a file. It is valid through its expiry date. */
type FileExpiry =
  | { readonly stands: 'never' }
  | { readonly stands: 'holds' | 'soon' | 'expired'; readonly days: number; readonly words: string }

/** Returns the expiry status of a file on a day; `soon` from the day of the reminder. */
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

/** Access through documents that the reader may read, including documents of other companies. */
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
 * Access to a file: its uploader, the audience of its folder, and readers of the document that uses it, of the
 * substance whose data sheet it is, or of the form that was filled in with it. A file in no folder is otherwise
 * readable only by file administrators. Users who may read documents of other companies may read the files used in them
 * but change none. Users who don't write documents may change only their own files.
 */
const SEEN: readonly AccessRule[] = [
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
const MANAGE_RULES: readonly AccessRule[] = [
  { unless: [], only: only.ofMyCompany('client') },
  { unless: FILE_MANAGERS, only: only.mine('userId') },
]

/**
 * A file uploaded by a user. Created by `POST /api/safety/uploads/{client}`; can be retired, never deleted. Other
 * records refer to it and their copies share the reference, so all users can read client 0's. A replaced version
 * remains unchanged for its references; lists show the newest version unless others are requested.
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
    entry: integer({ ...SERVER_ONLY_FIELD, notNull: true }),
  },
  actions: {
    restoreVersion: {
      path: 'restore_version',
      title: 'Restore an earlier version as a new version',
      allow: FILE_USERS,
      input: {},
      rows: MANAGE_RULES,
    },
  },
  allow: { read: FILE_USERS, update: FILE_USERS, allTenants: TEMPLATE_MANAGERS, rows: SEEN },
})
