import { verify } from '#rooms/documents/chain/verify.server.ts'
import { Sessions } from '#server/auth/sessions.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/db.ts'
import { Engine } from '#server/engine.ts'
import { kinds, rooms } from './rooms.ts'

/** Proves the chain of sealed documents, of all clients or of one. Throws, naming the first break of each broken chain. */
export async function verifyChains(db: Db, config: Config, args: readonly string[]): Promise<string> {
  const given = args.indexOf('--client')
  const clientId = given < 0 ? undefined : Number(args[given + 1])
  if (clientId !== undefined && !Number.isSafeInteger(clientId))
    throw new Error('--client takes the number of a client.')
  const { clients, links, broken } = await verify(
    new Engine(db, config, rooms(new Sessions(db, config))),
    kinds,
    clientId,
  )
  if (broken.length) throw new Error(broken.join('\n'))
  return `${links} entries of ${clients} ${clients === 1 ? 'client' : 'clients'} are unbroken, and every sealed document says what was sealed.`
}
