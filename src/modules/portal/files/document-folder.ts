import { flag, link, strings, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { type Actor, author, hasRole } from '#kernel/roles.ts'
import { only, type RowRule } from '#kernel/row-rules.ts'
import { client } from '../clients/client.ts'

/** Roles that read every file of a client and set who else may; provider staff in client 0 only. */
export const FILE_ADMINS = ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN', 'ROLE_STAFF'] as const
/** Roles that create folders, and sort and label files: also document authors. */
export const FILE_MANAGERS = [...FILE_ADMINS, 'ROLE_SAFETY_AUTHOR'] as const
/** Roles that upload files and read those they have access to. */
export const FILE_USERS = [...FILE_MANAGERS, 'ROLE_EMPLOYEE'] as const

/** True if the actor may sort and label a file. Managers may edit any file; others only their own. */
export const mayChangeFile = (actor: Actor, file: { readonly keeper: string }): boolean =>
  hasRole(actor, FILE_MANAGERS) || file.keeper === author(actor).username

/** Default audience of a folder: document authors, until it is opened to others. */
export const DEFAULT_FOLDER_AUDIENCE = ['ROLE_SAFETY_AUTHOR']

/** A folder is readable by its audience. */
const READABLE: RowRule = { unless: FILE_ADMINS, only: only.forMe('audience') }

/** A folder of the file manager. Its audience may read the files in it. It can be retired once it is empty. */
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
