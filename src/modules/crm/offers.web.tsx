/** A titled part of a lead's page, and the notes of its timeline: for what other areas show there. */
export { KeepLead } from './calling/keep-lead.web.tsx'
export { LeadLink, OnFromSale } from './calling/on-from-sale.web.tsx'
export { Part as LeadPart } from './calling/part.web.tsx'
export { notesOptions } from './contacts/data.web.ts'
/** The number of a lead, and why it is not to be rung just now. */
export { LeadTelephone } from './contacts/parts.web.tsx'
export { useHeld } from './contacts/use-held.web.ts'
/** The files of a lead, on the pages of what came of it, and of a customer without one. They come after the page. */
export { LaterFiles as Files } from './files/later.web.tsx'
/** The people of a lead's company, on the pages of what came of it, and those of them who can be written to. */
export { useAddressees } from './people/letters-to.web.ts'
export { PeopleOfLead } from './people/of-lead.web.tsx'
