import { problem, violation } from '#kernel/errors.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/context.ts'
import { mergeRefusal } from '../merge-fields/merge.ts'
import { paperLetter } from './letter.ts'
import { letterRefusal } from './refusal.ts'

const isRefused = (c: Pick<Context, 'exists'>, contact: number) => c.exists(letterRefusal, { contact, retired: false })

export const letterBehaviours = [
  behaviour(paperLetter, {
    beforeSave: ({ values }) => {
      const wrong = (['subject', 'body'] as const).flatMap((name) => {
        const refusal = mergeRefusal('lead', values[name] ?? '')
        return refusal ? [violation(name, refusal)] : []
      })
      if (wrong.length) throw problem.invalid(wrong)
      return undefined
    },
  }),
  behaviour(letterRefusal, {
    beforeSave: async (c) => {
      const { before, changes, values } = c
      if (before && changes.contact !== undefined && changes.contact !== before.contact)
        throw problem.conflict('The lead stays as it is. Please lift this one and enter the other.')
      if (!before && typeof values.contact === 'number' && (await isRefused(c, values.contact)))
        throw problem.invalid([violation('contact', 'This lead gets no letters already')])
      if (changes.retired && !values.liftedReason?.trim())
        throw problem.invalid([violation('liftedReason', 'Please say why they may be written to again')])
      return undefined
    },
  }),
]
