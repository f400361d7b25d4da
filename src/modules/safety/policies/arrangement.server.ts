import { behaviour } from '#server/engine/behaviour.ts'
import { askSameName } from '../library/same-name.server.ts'
import { policyArrangement } from './arrangement.ts'

/** Of the provider's, a client knows those that are shared. */
export const arrangements = behaviour(policyArrangement, {
  beforeSave: async (c) => {
    await askSameName(c, policyArrangement, { thing: 'arrangement', offered: 't.share_all' })
    return undefined
  },
})
