import type { Room } from '#server/behaviour.ts'
import { clientBehaviour } from './client.server.ts'
import { client, crmClient } from './client.ts'

export const clients: Room = { name: 'clients', resources: [client, crmClient], behaviours: [clientBehaviour] }
