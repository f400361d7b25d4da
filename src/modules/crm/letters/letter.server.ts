import { problem, violation } from '#kernel/errors.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { mergeTextError } from '../merge-fields/merge.ts'
import { lettersJob } from './batch.server.ts'
import { letterCopy, printedLetter } from './letter.ts'
import { letterOptOut } from './refusal.ts'
import { letterRoutes } from './routes.server.ts'

const isRefused = (c: Pick<Context, 'exists'>, contact: number) => c.exists(letterOptOut, { contact, retired: false })

const letterBehaviours = [
  behaviour(printedLetter, {
    beforeSave: ({ values }) => {
      const wrong = (['subject', 'body'] as const).flatMap((name) => {
        const refusal = mergeTextError('lead', values[name] ?? '')
        return refusal ? [violation(name, refusal)] : []
      })
      if (wrong.length) throw problem.invalid(wrong)
      return undefined
    },
  }),
  behaviour(letterOptOut, {
    beforeSave: async (c) => {
      const { before, changes, values } = c
      if (before && changes.contact !== undefined && changes.contact !== before.contact)
        throw problem.conflict('The lead can’t be changed. Please lift this opt-out and add another.')
      if (!before && typeof values.contact === 'number' && (await isRefused(c, values.contact)))
        throw problem.invalid([violation('contact', 'This lead has already opted out of letters')])
      if (changes.retired && !values.liftedReason?.trim())
        throw problem.invalid([violation('liftedReason', 'Please enter why they may be written to again')])
      return undefined
    },
  }),
]

export const letters = feature({
  resources: [printedLetter, letterCopy, letterOptOut],
  behaviours: letterBehaviours,
  routes: letterRoutes,
  batchJobs: [lettersJob],
  seeds: () => import('./demo.server.ts'),
})
