import { problem, violation } from '#kernel/errors.ts'
import { hasRole, PROVIDER } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { TEMPLATE_MANAGERS } from '../rights.ts'
import type { DocumentKind } from '../types/kind.ts'
import { assertNumberingUnique } from './assert-numbering.server.ts'
import { documentTypeSettingsRoute } from './kinds-route.server.ts'
import { NUMBER_PREFIX, numbering } from './numbering.ts'
import { reviewPeriod } from './review-period.ts'
import { safetySettings } from './safety-settings.ts'

type Setting = typeof reviewPeriod | typeof numbering
interface Saving {
  readonly before: { readonly kind: string } | undefined
  readonly changes: { readonly kind?: string | null }
}

/** Throws if the setting is invalid or the user may not change it. Each company has one per type. */
async function assertSetting(c: Context & Saving, r: Setting, kinds: readonly DocumentKind[]): Promise<void> {
  const { before, changes } = c
  if (c.clientId === PROVIDER && !hasRole(c.actor, TEMPLATE_MANAGERS))
    throw problem.forbidden('Only the provider’s template managers can change the settings of all companies.')
  const refuse = (message: string) => problem.invalid([violation('kind', message)])
  if (before) {
    if (changes.kind !== undefined && changes.kind !== before.kind)
      throw refuse('The document type of a setting can’t be changed')
    return
  }
  if (!kinds.some((k) => k.kind === changes.kind)) throw refuse('Please choose a document type')
  if (await c.exists(r as typeof reviewPeriod, { kind: changes.kind ?? '', client: c.clientId }))
    throw refuse('Your company already has this setting for these documents. Please change that one')
}

/** Rules of the document settings beyond their declarations. */
const settingBehaviours = (kinds: readonly DocumentKind[]) => [
  behaviour(reviewPeriod, {
    beforeSave: async (c) => {
      await assertSetting(c, reviewPeriod, kinds)
      return undefined
    },
  }),
  behaviour(numbering, {
    beforeSave: async (c) => {
      await assertSetting(c, numbering, kinds)
      const { prefix, digits } = c.changes
      if (c.before && prefix === undefined && digits === undefined) return undefined
      const written = c.values.prefix ? c.values.prefix.toUpperCase() : null
      // Invalid prefixes are refused by the declaration.
      if (written !== null && !NUMBER_PREFIX.test(written)) return undefined
      await assertNumberingUnique(c, kinds, c.values.kind ?? '', written)
      return { prefix: written }
    },
  }),
]

export const documentSettings = (kinds: readonly DocumentKind[]) =>
  feature({
    pack: 'safety',
    resources: [safetySettings, reviewPeriod, numbering],
    behaviours: settingBehaviours(kinds),
    routes: [documentTypeSettingsRoute(kinds)],
  })
