import type { Room } from '#server/behaviour.ts'
import { listRoute } from '#server/http/list-route.ts'
import { presenting } from './presented.server.ts'
import { attendee, presentedTalk } from './toolbox-talk.ts'

export const talks: Room = {
  name: 'talks',
  resources: [presentedTalk, attendee],
  behaviours: [presenting],
  routes: [
    listRoute(presentedTalk, '/api/safety/toolbox_talks_presented/list', 'The talks that were presented', (c) => ({
      query: { retired: 'false', ...c.query },
    })),
  ],
}
