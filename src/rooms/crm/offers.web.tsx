/** A titled part of a lead's page, and the notes of its timeline: for what other areas show there. */
export { Part as LeadPart } from './calling/part.web.tsx'
export { notesOptions } from './contacts/data.web.ts'
