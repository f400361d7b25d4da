/** Notes on a contact, and who somebody is among the staff: for the behaviour of other areas. */
export { noteOnContact } from './contacts/note.server.ts'
export { noteQuoteSent } from './contacts/quote-sent.server.ts'
/** Letters by e-mail to every lead that a list finds, and the places in their words. */
export { letterRun } from './mail/batch.server.ts'
export { mustMerge } from './mail/write.server.ts'
export { staffOf } from './staff/staff.server.ts'
