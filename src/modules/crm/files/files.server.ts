import type { Resource } from '#kernel/resource.ts'
import { createFileRoutes } from '#modules/portal/files/files.server.ts'
import { createUploadRoute } from '#modules/portal/files/upload.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { describeFieldChanges } from '../contacts/contact.server.ts'
import { contact, leadCustomer } from '../contacts/contact.ts'
import { addNoteToContact } from '../contacts/note.server.ts'
import { EDITED_RESULT_CODE } from '../outcomes/decide.ts'
import { leadFile } from './lead-file.ts'

const leadFileBehaviour = behaviour(leadFile, {
  afterSave: async (c) => {
    const { before, changes } = c
    const lead = changes.contact ?? before?.contact
    const { contact: added, customer: _, ...others } = changes
    const lines = added ? ['File added'] : before ? await describeFieldChanges(c, leadFile.fields, before, others) : []
    const name = before?.name ?? changes.name
    if (lead && lines.length)
      await addNoteToContact(c, lead, { notes: [name, ...lines].join('\n'), lastResult: EDITED_RESULT_CODE })
  },
})

/** Returns the ID from the URL if the user may see the record; throws otherwise. */
async function idWithin(c: RouteContext, r: Resource): Promise<number> {
  const id = await c.engine.idOf(r, c.actor, c.params.id)
  await c.engine.one(r, c.actor, id)
  return id
}

const leadFileRoutes = [
  createUploadRoute({
    path: `${contact.url}/{id}/files`,
    title: 'Upload a file to a lead: multipart/form-data with `file`',
    allow: 'ROLE_STAFF',
    into: leadFile,
    place: async (c) => ({ contact: await idWithin(c, contact) }),
  }),
  createUploadRoute({
    path: `${leadCustomer.url}/{id}/files`,
    title: 'Upload a file to a customer, or to the customer’s lead: multipart/form-data with `file`',
    allow: 'ROLE_STAFF',
    into: leadFile,
    place: async (c) => {
      const customer = await idWithin(c, leadCustomer)
      const [lead] = await c.engine.readIn(c.me.clientId, 'find the lead that owns a customer’s files', (reader) =>
        reader.find(contact, { customer }),
      )
      return lead ? { contact: lead.id } : { customer }
    },
  }),
  ...createFileRoutes(leadFile, 'ROLE_STAFF'),
]

export const leadFiles = feature({
  resources: [leadFile],
  behaviours: [leadFileBehaviour],
  routes: leadFileRoutes,
})
