/** Notes on a contact, and who somebody is among the staff: for the behaviour of other areas. */
export { noteOnContact } from './contacts/note.server.ts'
export { noteQuoteSent } from './contacts/quote-sent.server.ts'
export { staffOf } from './staff/staff.server.ts'
