/** Roles that somebody names, and that there are. */

/** Under whose name people meet the portal. */
export { brandOf } from './clients/brand.server.ts'
/** What holds for a client's record, by whichever address it is changed. */
export { checkRetiring, endAccess, guardProviders, tellOfDetails } from './clients/client.server.ts'
export { plainPdf } from './files/demo-content.server.ts'
export {
  findPictures,
  readPictures,
  type Shown,
  type ShownPicture,
  type StoredPicture,
} from './files/pictures.server.ts'
/** Files of whatever a module declares: taken, and sent to whoever may read their record. */
export { fileRoutesOf } from './files/serve.server.ts'
export { takeFile, takeMade, uploadRoute } from './files/upload.server.ts'
export { versionsOf } from './files/versions.server.ts'
export { unknownRoles } from './known-roles.server.ts'
/** What is printed on papers of every kind: whose they are, and the pictures that belong to them. */
export { addressOf, type Letterhead, letterheadOf, readLogo } from './letterhead/letterhead.server.ts'
export { lettersAbout } from './mail/about.server.ts'
export { takeAccountLetters, takeRecipients } from './mail/allowance.server.ts'
export { keepAttachment } from './mail/attachment.server.ts'
/** What people should know of, in their bell. */
export { notify } from './notices/notify.server.ts'
/** What a client has of each product. */
export { packStateIn, productsOf } from './packs/routes.server.ts'
