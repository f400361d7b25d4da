import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'
import { readConfig } from '#server/config.ts'
import { openServer } from '#server/db/server.ts'
import { Engine } from '#server/engine/engine.ts'
import { listener } from '#server/engine/listener.ts'
import type { Room } from '#server/engine/room.ts'
import { Workers } from '#server/runs/workers.ts'

// A process of its own that works on the lanes, for tests that kill it. Started with the database's address.

export const counted = defineEvent({ kind: 'test.counted', version: 1, payload: z.object({ n: z.int() }) })

/** Each of two listeners notes every event in the table `told`. */
const listeners = ['one', 'two'].map((name) =>
  listener(counted, {
    name: `test.${name}`,
    lane: 'events',
    run: async ({ work }, { n }) => {
      await work.tx.rows('INSERT INTO told (listener, n) VALUES ($1, $2)', [name, n])
      // Long enough for a process to be killed in the middle of it, now and then.
      await work.tx.rows('SELECT pg_sleep(0.01)')
    },
  }),
)
export const countingRoom: Room = { name: 'counting', resources: [], listeners }

if (process.argv[1] === import.meta.filename) {
  const engine = new Engine(openServer(process.argv[2] as string, 6), readConfig({}), [countingRoom])
  await new Workers(engine, { error: () => {} }).start()
  process.stdout.write('open\n')
}
