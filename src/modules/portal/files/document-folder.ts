import { flag, link, strings, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { type Actor, author, hasRole } from '#kernel/roles.ts'
import { only, type RowRule } from '#kernel/row-rules.ts'
import { client } from '../clients/client.ts'

/** Who reads every file of a client, and says who else does; provider staff in client 0 alone. */
export const FILE_ADMINS = ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN', 'ROLE_STAFF'] as const
/** Who makes folders, and sorts and labels files: also those who write documents. */
export const FILE_KEEPERS = [...FILE_ADMINS, 'ROLE_SAFETY_AUTHOR'] as const
/** Who uploads files, and reads those that are theirs to read. */
export const FILE_PEOPLE = [...FILE_KEEPERS, 'ROLE_EMPLOYEE'] as const

/** May somebody sort and label a file? Their own, those who don't keep files. */
export const mayChangeFile = (actor: Actor, file: { readonly keeper: string }): boolean =>
  hasRole(actor, FILE_KEEPERS) || file.keeper === author(actor).username

/** Until somebody opens a folder to everybody, those who write documents read it. */
export const FOLDER_READERS = ['ROLE_SAFETY_AUTHOR']

/** A folder is read by those whom it names. */
const READABLE: RowRule = { unless: FILE_ADMINS, only: only.forMe('audience') }

/** A folder of the file manager, which says who reads the files in it. It is retired once it is empty. */
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
      required: 'Please give this folder a name',
      max: 100,
      stripInvisible: true,
      filter: 'partial',
      order: true,
    }),
    parent: link((): Resource => documentFolder, { filter: true, label: 'Inside' }),
    audience: strings({
      default: FOLDER_READERS,
      editable: FILE_ADMINS,
      label: 'Who reads it',
      help: 'The roles of those who read the files in it; everybody in the company, where none is named.',
    }),
    downloads: flag({
      filter: true,
      editable: FILE_ADMINS,
      label: 'Downloads',
      help: 'Its files stand under Downloads, for everybody who reads them.',
    }),
    retired: flag({ filter: true }),
  },
  allow: { read: FILE_PEOPLE, create: FILE_KEEPERS, update: FILE_KEEPERS, rows: [READABLE] },
})
