import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'

const person = z.object({ userId: z.int(), clientId: z.int(), username: z.string(), name: z.string() })
const older = z.object({ client: z.int(), author: z.string() })

/** Event: a user has changed a client's details. */
export const clientDetailsEdited = defineEvent({
  kind: 'crm.client details',
  version: 2,
  payload: z.object({ client: z.int(), by: person }),
  // Version 1 contained only the author's name, so records created by such events show that name but are not listed
  // under any user.
  upgrade: {
    1: (stored) => {
      const { client, author } = older.parse(stored)
      return { client, by: { userId: 0, clientId: PROVIDER_CLIENT_ID, username: author, name: author } }
    },
  },
})
