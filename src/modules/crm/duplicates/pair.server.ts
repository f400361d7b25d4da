import { author } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { duplicatePair } from './pair.ts'

const decided = (c: Context) => ({ decidedAt: c.now.toString(), decidedBy: author(c.actor).username })

/** Records whether two leads are duplicates; later searches and open screens respect it. */
export async function decideDuplicatePair(
  c: Context,
  one: number,
  other: number,
  state: 'separate' | 'merged' | 'suspect',
) {
  const [first, second] = [Math.min(one, other), Math.max(one, other)]
  const [known] = await c.lockAll(duplicatePair, { first, second })
  if (known) await c.set(duplicatePair, known, { state, ...decided(c) }, state)
  else
    await c
      .withoutPermissionCheck('anybody who may change two leads may decide whether they are duplicates')
      .create(duplicatePair, { first, second, state, ...decided(c) })
}

export const pairBehaviour = behaviour(duplicatePair, {
  actions: {
    keepSeparate: (c) => ({ set: decided(c) }),
    reconsider: (c) => ({ set: decided(c) }),
  },
})
